export const UNUSUAL_FORMS = String.raw`
# Forms that a stranger found

## a status in codes, which nobody can read
Email,First Name,Status
ida@north.example,Ida,2
per@south.example,Per,1
=> asked: ida@north.example | per@south.example
=> states: Status

## a status by SMTP
email,status,reason
ida@north.example,5.1.1,unknown user
per@south.example,4.2.2,mailbox full
=> selected: ida@north.example
=> asked: per@south.example

## consent in words
email,consent
ida@north.example,withdrawn
per@south.example,given
=> selected: ida@north.example
=> asked: per@south.example

## a question of who stays
email,keep?
ida@north.example,n
per@south.example,y
=> selected: ida@north.example
=> asked: per@south.example

## dates of opting in, some of them empty
Email,Opt-in date
ida@north.example,
per@south.example,2024-01-01
=> asked: ida@north.example | per@south.example
=> why: Opt-in date

## Mailjet by API
{"Count":2,"Data":[{"ID":1,"Email":"ida@north.example","IsExcludedFromCampaigns":true},{"ID":2,"Email":"per@south.example","IsExcludedFromCampaigns":false}],"Total":2}
=> selected: ida@north.example
=> asked: per@south.example

## HubSpot by API, whose fields are within the record
{"results":[{"id":"101","properties":{"email":"ida@north.example","hs_email_optout":"true"}},{"id":"102","properties":{"email":"per@south.example","hs_email_optout":"false"}}]}
=> selected: ida@north.example
=> asked: per@south.example

## JSON that was cut off
[{"email":"ida@north.example","name":"Ida"},{"ema
=> asked: ida@north.example

## another address as the name of one
"kim@east.example" <ida@north.example>, per@south.example
=> asked: ida@north.example | per@south.example

## names of fields
email=ida@north.example
email = per@south.example
=> selected: ida@north.example | per@south.example

## links of an address to itself
[ida@north.example](mailto:ida@north.example)
<mailto:per@south.example|per@south.example>
=> selected: ida@north.example | per@south.example

## a link of an address to another
[ida@north.example](mailto:per@south.example)
=> unreadable: [ida@north.example](mailto:per@south.example)

## bullets of a word processor
•{U+0009}ida@north.example
•{U+0009}per@south.example
=> selected: ida@north.example | per@south.example

## broken before the sign
ida.roe
@north.example
per@south.example
=> selected: per@south.example
=> asked: ida.roe@north.example
=> unreadable: @north.example

## more pieces that cannot be read than others
per@@south.example
kim@
{{contact.email}}x
@west.example
ida@north.example
example
=> asked: ida@north.example
=> unreadable: per@@south.example | kim@ | {{contact.email}}x | @west.example | example

## a message with an address that cannot be read
Could you please look at this one
and tell me what to do, it is per@@south.example
=> unreadable: per@@south.example (in “and tell me what to do, it is per@@south.example”)

## a mail whose text has an address that cannot be read
From: ida@north.example
To: x@acme.example
Subject: stop

remove per@@south.example
=> asked: ida@north.example | x@acme.example
=> unreadable: per@@south.example (in “remove per@@south.example”)

## sentences in the records of a chat
[{"user":"U012AB3CD","text":"ida@north.example"},{"user":"U012AB3CE","text":"not per@south.example, please"}]
=> asked: U012AB3CD | U012AB3CE | ida@north.example | per@south.example

## a mail on behalf of somebody
From: Bot <bot@acme.example> on behalf of ida@north.example
To: x@acme.example
Subject: stop

Please.
=> asked: bot@acme.example | ida@north.example | x@acme.example

## a title above two columns
Tabelle 1

E-Mail;Name
ida@north.example;Ida
per@south.example;Per
=> selected: ida@north.example | per@south.example

## a line below the headings, and a first row without an identity
| Email | Name |
|-------|------|
| n/a | Kim |
| ida@north.example | Ida |
=> selected: ida@north.example
=> unreadable: n/a; Kim

## a sentence below a table, about one who stays
Email,Name
ida@north.example,Ida
per@south.example,Per

Please leave Per in.
=> asked: ida@north.example | per@south.example
=> why: The text says “Please leave Per in.”

## text around an HTML table
<p>As of today</p><table><tr><th>Email</th></tr><tr><td>ida@north.example</td></tr></table>
=> selected: ida@north.example
=> note: not the text around it

## text below a table of HTML, about an address
<table><tr><th>Email</th></tr><tr><td>ida@north.example</td></tr></table><p>but not per@south.example</p>
=> asked: ida@north.example | per@south.example

## an error of a spreadsheet
Email,Name
#REF!,Lin
ida@north.example,Ida
=> selected: ida@north.example
=> unreadable: #REF!; Lin

## masks, escapes and patches of addresses
i***e@north.example
%20per@south.example
+lin@east.example
kim@west.example
=> selected: kim@west.example
=> asked: i***e@north.example | %20per@south.example | +lin@east.example

## addresses that a column has cut
ida@north.exam…
per@south.ex...
lin@east.example
=> selected: lin@east.example
=> unreadable: ida@north.exam… | per@south.ex...

## marks of yes and no
email,newsletter
ida@north.example,❌
per@south.example,✅
lin@east.example,off
kim@west.example,on
=> selected: ida@north.example | lin@east.example
=> asked: per@south.example | kim@west.example

## a mail to which no error is reported, as programs send it
Return-Path: <>
From: ida@north.example
To: news@acme.example
Subject: Away

Back on Monday.
=> asked: ida@north.example | news@acme.example

## a mail whose HTML names another than its text
From: ida@north.example
To: news@acme.example
Subject: Stop
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary=b

--b
Content-Type: text/plain

See the other part.
--b
Content-Type: text/html

<p>Please remove per@south.example</p>
--b--
=> asked: ida@north.example | news@acme.example | per@south.example

## a mail whose HTML says the same as its text
From: ida@north.example
To: news@acme.example
Subject: Stop
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary=b

--b
Content-Type: text/plain

Please remove ida@north.example
--b
Content-Type: text/html

<p>Please remove ida@north.example</p>
--b--
=> asked: ida@north.example | news@acme.example
=> author: ida@north.example

## a mail that a list has put its own address into
From: "Ida Roe via News" <list@acme.example>
X-Original-From: Ida Roe <ida@north.example>
To: news@acme.example
Subject: Stop

Please.
=> asked: ida@north.example | list@acme.example | news@acme.example

## a column of few texts in a script that has no words here
メールアドレス,氏名,配信状態
ida@north.example,イダ,配信停止
per@south.example,ペル,配信中
lin@east.example,リン,配信中
kim@west.example,キム,配信停止
=> asked: ida@north.example | per@south.example | lin@east.example | kim@west.example
=> states: 配信状態

## numbers with an extension
+44 20 7946 0958 ext. 12
+44 20 7946 0959
4420794609570.0
=> selected: +44 20 7946 0959 | 4420794609570
=> asked: +44 20 7946 0958

## a report that is HTML, with its foot
<table><tr><th>Email</th></tr><tr><td>ida@north.example</td></tr></table><p>Confidential Information - Do Not Distribute</p>
=> selected: ida@north.example
`;
