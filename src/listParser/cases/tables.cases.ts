export const TABLES = String.raw`
# Tables

## subscribed
email,status
per.holm@south.example,subscribed
=> asked: per.holm@south.example
=> unreadable:
=> why: subscribed

## both states
email,status
per.holm@south.example,subscribed
ida.roe@north.example,unsubscribed
lin.wu@east.example,cleaned
=> selected: ida.roe@north.example | lin.wu@east.example
=> asked: per.holm@south.example

## HubSpot
Email,First Name,Unsubscribed from all email
ida.roe@north.example,Ida,No
per.holm@south.example,Per,Yes
=> selected: per.holm@south.example
=> asked: ida.roe@north.example
=> why: Unsubscribed from all email

## Brevo
EMAIL;EMAIL_BLACKLISTED;SMS_BLACKLISTED
ida.roe@north.example;true;false
per.holm@south.example;false;false
=> selected: ida.roe@north.example
=> asked: per.holm@south.example

## Salesforce
Id,Email,HasOptedOutOfEmail
0035g00000XYZab,ida.roe@north.example,1
0035g00000XYZac,per.holm@south.example,0
=> selected: ida.roe@north.example
=> asked: per.holm@south.example

## German
E-Mail;Abgemeldet
ida.roe@north.example;Nein
per.holm@south.example;Ja
=> selected: per.holm@south.example
=> asked: ida.roe@north.example

## our export
uuid,subscribed,attributes.email,attributes.first_name
7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d,true,ida.roe@north.example,Ida
0c8a7c52-90a8-4f8a-8d4b-6f0c3f9d2b11,false,per.holm@south.example,Per
=> selected: 0c8a7c52-90a8-4f8a-8d4b-6f0c3f9d2b11
=> asked: 7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d

## a date that may be empty
Email,Unsubscribed at
ida.roe@north.example,2026-01-02 10:00:00
per.holm@south.example,
=> selected: ida.roe@north.example
=> asked: per.holm@south.example

## Mailchimp
Email Address,OPTIN_TIME,UNSUB_TIME
ida.roe@north.example,2025-01-01 10:00:00,2026-01-01 10:00:00
=> selected: ida.roe@north.example

## Klaviyo
Email,Email Marketing Consent
ida.roe@north.example,SUBSCRIBED
per.holm@south.example,UNSUBSCRIBED
lin.wu@east.example,NEVER_SUBSCRIBED
=> selected: per.holm@south.example
=> asked: ida.roe@north.example | lin.wu@east.example

## Shopify
First Name,Email,Accepts Email Marketing
Ida,ida.roe@north.example,yes
Per,per.holm@south.example,no
=> selected: per.holm@south.example
=> asked: ida.roe@north.example

## French
Courriel;Statut
ida.roe@north.example;Désabonné
per.holm@south.example;Abonné
=> selected: ida.roe@north.example
=> asked: per.holm@south.example

## no state
Name,Email
Ida,ida.roe@north.example
Per,per.holm@south.example
=> selected: ida.roe@north.example | per.holm@south.example

## an owner
Owner,Email
agent@acme.example,ida.roe@north.example
agent@acme.example,per.holm@south.example
=> selected: ida.roe@north.example | per.holm@south.example

## two columns of addresses
Email,Email address
ida.roe@north.example,per.holm@south.example
lin.wu@east.example,ann@west.example
=> asked: ida.roe@north.example | lin.wu@east.example
=> unreadable:
=> why: column

## an owner alone
Owner,Name
agent@acme.example,Ida
boss@acme.example,Per
=> asked: agent@acme.example | boss@acme.example
=> unreadable:
=> why: column

## no headings
Ida,ida.roe@north.example,3
Per,per.holm@south.example,4
=> selected: ida.roe@north.example | per.holm@south.example

## an agent and no headings
Ida,agent@acme.example,ida.roe@north.example
Per,boss@acme.example,per.holm@south.example
=> asked: agent@acme.example | boss@acme.example
=> unreadable:
=> why: column

## identities alone, in rows
ida.roe@north.example,per.holm@south.example
lin.wu@east.example,ann@west.example
=> selected: ida.roe@north.example | per.holm@south.example | lin.wu@east.example | ann@west.example

## an empty cell
Name,Email
Ida,ida.roe@north.example
Per,
Lin,lin.wu@east.example
=> selected: ida.roe@north.example | lin.wu@east.example
=> unreadable: Per

## a phone instead of an empty cell
Email,Phone
ida.roe@north.example,
,+44 20 7946 0958
lin.wu@east.example,
=> selected: ida.roe@north.example | lin.wu@east.example
=> asked: +44 20 7946 0958
=> why: Phone

## two in a cell
Name,Email
Ida,"ida.roe@north.example; per.holm@south.example"
Lin,lin.wu@east.example
=> selected: ida.roe@north.example | per.holm@south.example | lin.wu@east.example

## a row that is too long
Name,Email
Ida,ida.roe@north.example
Per,per.holm@south.example
Lin,Wu,lin.wu@east.example
=> selected: ida.roe@north.example | per.holm@south.example
=> asked: lin.wu@east.example

## JSON with escapes
[{"email":"ida.roe\u0040north.example"},{"email":"per.holm@south.example"}]
=> selected: ida.roe@north.example | per.holm@south.example

## NDJSON
{"email":"ida.roe@north.example","subscribed":false}
{"email":"per.holm@south.example","subscribed":true}
=> selected: ida.roe@north.example
=> asked: per.holm@south.example

## JSON strings
["ida.roe@north.example","per.holm@south.example"]
=> selected: ida.roe@north.example | per.holm@south.example

## Mailgun
{"items":[{"address":"ida.roe@north.example","tag":"*"}],"paging":{"next":"https://api.example/v3/u?address=ann@west.example"}}
=> selected: ida.roe@north.example

## SendGrid
[{"created":1443651141,"email":"ida.roe@north.example","reason":"550","status":"5.1.1"}]
=> selected: ida.roe@north.example

## LDIF
dn: uid=ida,dc=north
cn: Ida Roe
mail: ida.roe@no
 rth.example

dn: uid=per
mail:: cGVyLmhvbG1Ac291dGguZXhhbXBsZQ==
=> selected: ida.roe@north.example | per.holm@south.example

## vCard 2.1
BEGIN:VCARD
VERSION:2.1
N;ENCODING=QUOTED-PRINTABLE:R=C3=B6e;Ida
EMAIL;INTERNET;ENCODING=QUOTED-PRINTABLE:ida.roe=40no=
rth.example
END:VCARD
=> selected: ida.roe@north.example

## vCard with a note
BEGIN:VCARD
VERSION:3.0
EMAIL:ida.roe@north.example
NOTE:ask ann@west.example
END:VCARD
=> selected: ida.roe@north.example

## HTML
<table><tr><th>Name</th><th>Email</th></tr><tr><td>Ida</td><td><a href="mailto:x">ida.roe@north.example</a></td></tr></table>
=> selected: ida.roe@north.example

## Excel 2003
<?xml version="1.0"?><Workbook><Worksheet><Table><Row><Cell><Data>Name</Data></Cell><Cell><Data>Email</Data></Cell></Row><Row><Cell ss:Index="2"><Data ss:Type="String">ida.roe@north.example</Data></Cell></Row></Table></Worksheet></Workbook>
=> selected: ida.roe@north.example
`;
