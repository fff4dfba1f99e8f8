export const ADDRESS_BOOKS = String.raw`
# Address books and spreadsheets

## Google Contacts
First Name,Last Name,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value
Ida,Roe,* myContacts,* Work,ida@north.example,Home,ida.home@north.example,Mobile,+44 20 7946 0958
Per,Holm,* myContacts,* Work,per@south.example ::: per.old@south.example,,,,
=> selected: ida@north.example | per@south.example | per.old@south.example

## Outlook
"Title","First Name","Last Name","Business Phone","E-mail Address","E-mail Type","E-mail Display Name","E-mail 2 Address","Manager's Name"
"","Ida","Roe","+44 20 7946 0958","ida@north.example","SMTP","Ida Roe (ida@north.example)","","Ann"
"","Per","Holm","","per@south.example","SMTP","Per Holm (per@south.example)","","Ann"
=> selected: ida@north.example | per@south.example

## Outlook in German
"Vorname";"Nachname";"E-Mail-Adresse";"E-Mail-Typ";"E-Mail: Angezeigter Name";"E-Mail 2: Adresse"
"Ida";"Roe";"ida@north.example";"SMTP";"Ida Roe (ida@north.example)";"ida.home@north.example"
"Per";"Holm";"per@south.example";"SMTP";"Per Holm (per@south.example)";"per.home@south.example"
=> selected: ida@north.example | per@south.example

## Excel, with a title above and a sum below
Unsubscribes November		
Name	Email	Amount
Ida Roe	ida@north.example	3
Per Holm	per@south.example	4
Total		7
=> selected: ida@north.example | per@south.example
=> unreadable: Total; 7

## Sheets, a cell of two lines
Name	Email
Ida	"ida@north.example
ida.home@north.example"
Per	per@south.example
=> selected: ida@north.example | ida.home@north.example | per@south.example

## a CSV that says its delimiter
sep=;
Name;Email
Roe, Ida;ida@north.example
Holm, Per;per@south.example
=> selected: ida@north.example | per@south.example

## an apostrophe before a formula
Email,Phone
ida@north.example,'+44 20 7946 0958
per@south.example,
,'+44 20 7946 0959
=> selected: ida@north.example | per@south.example
=> asked: +44 20 7946 0959

## a column of hashes next to the addresses
email,email_sha256
ida@north.example,5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8
=> selected: ida@north.example

## a directory, where another heading has addresses too
userPrincipalName,mail,department
ida.r@corp.example,ida@north.example,Sales
per.h@corp.example,per@south.example,Sales
=> selected: ida@north.example | per@south.example

## tickets as CSV
Id,Subject,Requester email,Assignee email
1,Stop,ida@north.example,agent@acme.example
2,Stop,per@south.example,agent@acme.example
=> asked: ida@north.example | per@south.example
=> why: column

## Jira
Summary,Issue key,Reporter
Stop mails,NL-1,ida@north.example
Stop mails,NL-2,per@south.example
=> asked: ida@north.example | per@south.example
=> why: column

## two tables with a line between
Email,Name
ida@north.example,Ida

Keep,Name
per@south.example,Per
=> selected: ida@north.example
=> asked: per@south.example
=> unreadable: Keep

## two tables on a page
<html><h2>Remove</h2><table><tr><th>Name<th>Email<tr><td>Ida<td>ida@north.example</table><h2>Keep</h2><table><tr><th>Name<th>Email<tr><td>Per<td>per@south.example</table></html>
=> asked: ida@north.example | per@south.example

## a table that sets out a page
<!DOCTYPE html><table><tr><td>Please do not remove<td>ida@north.example</table>
=> asked: ida@north.example

## Excel 2003 with an empty cell and two sheets
<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><ss:Workbook xmlns:ss="urn:x"><ss:Worksheet ss:Name="Out"><ss:Table><ss:Row><ss:Cell><ss:Data>Email</ss:Data></ss:Cell><ss:Cell><ss:Data>Name</ss:Data></ss:Cell></ss:Row><ss:Row><ss:Cell><ss:Data>ida@north.example</ss:Data></ss:Cell></ss:Row></ss:Table></ss:Worksheet><ss:Worksheet ss:Name="Stay"><ss:Table><ss:Row><ss:Cell><ss:Data>per@south.example</ss:Data></ss:Cell></ss:Row></ss:Table></ss:Worksheet></ss:Workbook>
=> asked: ida@north.example | per@south.example

## a list of an HTML page
<!doctype html><html><head><title>Out</title></head><body><ul><li>ida@north.example</li><li><a href="mailto:per@south.example">per@south.example</a></li></ul></body></html>
=> selected: ida@north.example | per@south.example

## vCard 3.0 with a photo, a friend and a folded line
BEGIN:VCARD
VERSION:3.0
FN:Ida Roe
PHOTO;ENCODING=b;TYPE=JPEG:AAAA=
item1.EMAIL;type=INTERNET;type=pref:ida@nor
 th.example
RELATED;TYPE=friend:mailto:ann@west.example
X-ABRELATEDNAMES:lin@east.example
TEL;TYPE=CELL:+44 20 7946 0958
UID:7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d
END:VCARD
=> selected: ida@north.example

## vCard 4.0 of two people, one without an address
BEGIN:VCARD
VERSION:4.0
FN:Ida Roe
EMAIL;PREF=1;TYPE=work:ida@north.example
END:VCARD
BEGIN:VCARD
VERSION:4.0
FN:Per Holm
TEL;VALUE=uri;TYPE="voice,home":tel:+442079460958
END:VCARD
=> selected: ida@north.example
=> asked: +442079460958

## Thunderbird LDIF with folds, a comment and a second address
# exported
dn: cn=Ida Roe,mail=ida.roe@north.exam
 ple
objectclass: top
mail: ida.roe@north.exam
 ple
mozillaSecondEmail: ida.home@north.example

dn: cn=Per,mail=per@south.example
mail: per@south.example
manager: cn=Ann,mail=ann@west.example
=> selected: ida.roe@north.example | per@south.example

## Active Directory LDIF
dn: CN=Ida,OU=Users,DC=corp
mail: ida@north.example
userPrincipalName: ida.r@corp.example
proxyAddresses: SMTP:ida@north.example

dn: CN=Per,OU=Users,DC=corp
mail: per@south.example
userPrincipalName: per.h@corp.example
=> selected: ida@north.example | per@south.example

## JSON with escapes in keys and values
{"\u0065mail":"ida@north.example","note":"ask ann\u0040west.example"}
{"\u0065mail":"p\u0065r@south.example","note":null}
=> selected: per@south.example
=> asked: ida@north.example
=> why: ask ann

## JSON whose only address is of somebody else
[{"id":"C-70001","owner":{"email":"agent@acme.example"}}]
=> asked: agent@acme.example

## JSON by name of a list, one of them to keep
{"remove":["ida@north.example"],"keep":["per@south.example"]}
=> asked: ida@north.example | per@south.example

## one list, which is of those who stay
{"keep":["ida@north.example","per@south.example"]}
=> asked: ida@north.example | per@south.example
`;
