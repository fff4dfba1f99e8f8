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

## Brevo
EMAIL;EMAIL_BLACKLISTED;SMS_BLACKLISTED
ida.roe@north.example;true;false
per.holm@south.example;false;false
=> selected: ida.roe@north.example
=> asked: per.holm@south.example

## our export
uuid,subscribed,attributes.email,attributes.first_name
7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d,true,ida.roe@north.example,Ida
0c8a7c52-90a8-4f8a-8d4b-6f0c3f9d2b11,false,per.holm@south.example,Per
=> selected: 0c8a7c52-90a8-4f8a-8d4b-6f0c3f9d2b11
=> asked: 7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d

## an owner alone
Owner,Name
agent@acme.example,Ida
boss@acme.example,Per
=> asked: agent@acme.example | boss@acme.example
=> unreadable:
=> why: column

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

## NDJSON
{"email":"ida.roe@north.example","subscribed":false}
{"email":"per.holm@south.example","subscribed":true}
=> selected: ida.roe@north.example
=> asked: per.holm@south.example

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

## Excel 2003
<?xml version="1.0"?><Workbook><Worksheet><Table><Row><Cell><Data>Name</Data></Cell><Cell><Data>Email</Data></Cell></Row><Row><Cell ss:Index="2"><Data ss:Type="String">ida.roe@north.example</Data></Cell></Row></Table></Worksheet></Workbook>
=> selected: ida.roe@north.example
`;
