export const STATEMENTS = String.raw`
## consent alone
Email,Consent
ida@north.example,yes
per@south.example,no
=> selected: per@south.example
=> asked: ida@north.example

## no newsletter, in German
E-Mail;Kein Newsletter
ida@north.example;x
per@south.example;
=> selected: ida@north.example
=> asked: per@south.example

## no mails, in English
Email,No marketing emails
ida@north.example,true
per@south.example,false
=> selected: ida@north.example
=> asked: per@south.example

## who receives mails
Email,Receives emails
ida@north.example,false
per@south.example,true
=> selected: ida@north.example
=> asked: per@south.example

## JSON by address
{"ida@north.example":{"status":"unsubscribed"},"per@south.example":{"status":"subscribed"}}
=> asked: ida@north.example | per@south.example

## JSON of rows without names
[["ida@north.example","subscribed"],["per@south.example","unsubscribed"]]
=> asked: ida@north.example | per@south.example

## a log of mails
date,from,to,subject
2026-11-02,news@acme.example,ida@north.example,Spring
2026-11-02,news@acme.example,per@south.example,Spring
=> asked: ida@north.example | per@south.example

## a question mark
ida@north.example
per@south.example?
=> selected: ida@north.example
=> unreadable: per@south.example?

## a title above the headings that says who stays
Keep these people
Email,Name
ida@north.example,Ida
per@south.example,Per
=> asked: ida@north.example | per@south.example

## a sheet that is named
<?xml version="1.0"?><Workbook><Worksheet ss:Name="Keep"><Table><Row><Cell><Data>Email</Data></Cell></Row><Row><Cell><Data>ida@north.example</Data></Cell></Row></Table></Worksheet></Workbook>
=> asked: ida@north.example

## a caption of a table
<html><h1>Do not remove</h1><table><tr><th>Email</th></tr><tr><td>ida@north.example</td></tr></table></html>
=> asked: ida@north.example

## a note that says no
Email,Notes
ida@north.example,
per@south.example,Do NOT unsubscribe!
lin@east.example,called in May
=> selected: ida@north.example
=> asked: per@south.example | lin@east.example
=> why: Comment in “Notes”

## a note in German, without headings
ida@north.example,Berlin
per@south.example,bitte behalten
=> selected: ida@north.example
=> asked: per@south.example

## a word next to the address in its cell
Name,Email
Ida,ida@north.example; keep
Per,per@south.example
Lin,lin@east.example
=> selected: per@south.example | lin@east.example
=> asked: ida@north.example
=> unreadable: keep

## kinds of bounces
Email,Bounce type
ida@north.example,hard
per@south.example,soft
=> selected: ida@north.example
=> asked: per@south.example

## checked addresses
Email Address,ZB Status
ida@north.example,invalid
per@south.example,valid
lin@east.example,do_not_mail
=> selected: ida@north.example | lin@east.example
=> asked: per@south.example

## a word behind a colon
ida@north.example:
per@south.example:secret
=> selected: ida@north.example
=> unreadable: per@south.example:secret

## one list of JSON, of those who get a newsletter
{"newsletter":["ida@north.example"]}
=> asked: ida@north.example

## a column of states that has few others
Email,Klasse
ida@north.example,abgemeldet
per@south.example,angemeldet
lin@east.example,?
=> selected: ida@north.example
=> asked: per@south.example | lin@east.example

## customer numbers below their name
Kundennummer
11554
11555
=> selected: 11554 | 11555

## customer numbers and names
Kundennummer;Name
11554;Ida
11555;Per
=> selected: 11554 | 11555

## postcodes next to addresses
PLZ;E-Mail
12345;ida@north.example
12346;
=> selected: ida@north.example
=> unreadable: 12346

## numbers of orders alone
Order;Amount
4711;12.50
4712;13.50
=> unreadable: 4711 | 4712

## a mail that names one by number
From: Ida <ida@north.example>
Subject: stop
Message-ID: <20@north.example>

My customer number is C-70001.
=> asked: ida@north.example | C-70001
`;
