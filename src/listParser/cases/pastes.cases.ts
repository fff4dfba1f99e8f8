export const PASTES = String.raw`
# What a stranger pastes

## a number in a sentence
do not remove +44 20 7946 0958
=> asked: +44 20 7946 0958

## a UUID in a sentence
keep 7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d
=> asked: 7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d

## XML that is no page
<?xml version="1.0"?><contacts><contact><email>ida@north.example</email><name>Per</name><status>active</status></contact><contact><email>per@south.example</email></contact></contacts>
=> asked: ida@north.example | per@south.example

## names alone
Ida Roe
Per Holm
=> unreadable: Ida Roe | Per Holm

## a byte order mark before a heading
{U+FEFF}Email;Name
ida@north.example;Ida
=> selected: ida@north.example

## mailboxes and mail links in cells
Name,Email
Ida,Ida Roe <ida@north.example>
Per,mailto:per@south.example
=> selected: ida@north.example | per@south.example

## commas behind each address
ida@north.example,,
per@south.example,,
=> selected: ida@north.example | per@south.example

## a checkbox column
Unsubscribe?;E-Mail
x;ida@north.example
;per@south.example
=> selected: ida@north.example
=> asked: per@south.example

## WAHR and FALSCH of a German spreadsheet
E-Mail;Newsletter
ida@north.example;FALSCH
per@south.example;WAHR
=> selected: ida@north.example
=> asked: per@south.example

## signs for yes and no
Email,Subscribed
ida@north.example,✗
per@south.example,✓
=> selected: ida@north.example
=> asked: per@south.example

## permissions of three kinds
Email,Permission
ida@north.example,Opt-Out
per@south.example,Opt-In
lin@east.example,Double-Opt-In
=> selected: ida@north.example
=> asked: per@south.example | lin@east.example

## NULL and a zero date
email,unsubscribed_at
ida@north.example,2026-01-01 10:00:00
per@south.example,NULL
lin@east.example,0000-00-00 00:00:00
=> selected: ida@north.example
=> asked: per@south.example | lin@east.example

## what psql prints
       email       | name | subscribed
-------------------+------+------------
 ida@north.example | Ida  | t
 per@south.example | Per  | f
 lin@east.example  | Lin  | t
(3 rows)
=> selected: per@south.example
=> asked: ida@north.example | lin@east.example
=> unreadable: (3 rows)

## Markdown
| Email | Status |
|---|---|
| ida@north.example | unsubscribed |
| per@south.example | active |
=> selected: ida@north.example
=> asked: per@south.example

## YAML
- email: ida@north.example
  status: subscribed
- email: per@south.example
  status: unsubscribed
=> asked: ida@north.example | per@south.example

## a list of Python
['ida@north.example', 'per@south.example']
=> selected: ida@north.example | per@south.example

## a list of SQL
('ida@north.example','per@south.example');
=> selected: ida@north.example | per@south.example

## SQL with values
INSERT INTO contacts (email, subscribed) VALUES ('ida@north.example', 1), ('per@south.example', 0);
=> asked: ida@north.example | per@south.example

## a link to unsubscribe
https://x.example/unsubscribe?email=ida%40north.example
=> unreadable: https://x.example/unsubscribe?email=ida%40north.example

## a comment that is a name, and one that is none
ida@north.example (Ida Roe)
per@south.example (not this one)
=> asked: ida@north.example | per@south.example

## a name that says to keep
Do Not Remove <ida@north.example>
"Keep" <per@south.example>
=> asked: ida@north.example | per@south.example

## pronouns in a name
Ida Roe (She/Her) <ida@north.example>
=> selected: ida@north.example

## crosses and check marks
❌ ida@north.example
✅ per@south.example
=> asked: ida@north.example | per@south.example

## boxes of Markdown
- [x] ida@north.example
- [ ] per@south.example
=> asked: ida@north.example | per@south.example

## a slash between
ida@north.example / per@south.example
=> asked: ida@north.example | per@south.example

## and between
ida@north.example and per@south.example
=> asked: ida@north.example | per@south.example

## a link of a phone
tel:+442079460958
=> selected: +442079460958

## mails as a table
Subject,Body,From: (Address),To: (Address)
Stop,Please stop,ida@north.example,news@acme.example
Stop,Me too,per@south.example,news@acme.example
=> asked: news@acme.example

## LinkedIn, with a note above
Notes:
"When exporting your connection data, you may notice that some addresses are missing."

First Name,Last Name,URL,Email Address,Company
Ida,Roe,https://x.example/in/ida,ida@north.example,Acme
Per,Holm,https://x.example/in/per,,Acme
=> selected: ida@north.example
=> unreadable: Per; Holm; https://x.example/in/per; Acme

## an invitation
BEGIN:VCALENDAR
ORGANIZER;CN=Beatriz:mailto:beatriz@acme.example
ATTENDEE;CN=Ida:mailto:ida@north.example
END:VCALENDAR
=> asked: beatriz@acme.example | ida@north.example

## a name above each address
Ida Roe
ida@north.example

Per Holm
per@south.example
=> asked: ida@north.example | per@south.example

## lines of JSON, cut off
{"email":"ida@north.example"}
{"email":"per@sou
=> unreadable: {"email":"ida@north.example"} | {"email":"per@sou

## a heading that says who stays
Emails to keep
ida@north.example
=> asked: ida@north.example

## a heading of subscribers
Subscribed emails
ida@north.example
=> asked: ida@north.example

## a heading of those who left
Unsubscribed emails
ida@north.example
=> selected: ida@north.example

## a column of those who stay
Email to keep,Name
ida@north.example,Ida
=> asked: ida@north.example

## greetings with commas in both lines
Hi Ann, ida@north.example
Bye Ann, per@south.example
=> asked: ida@north.example | per@south.example

## a title and a comma in a name
Dr. Ida Roe, PhD <ida@north.example>
=> asked: ida@north.example

## a signature below a list
ida@north.example
per@south.example
-- 
Beatriz Lund
Tel. +44 20 7946 0958
=> asked: ida@north.example | per@south.example | +44 20 7946 0958

## Italian and Portuguese: do not
Non disiscrivere ida@north.example
Não remover per@south.example
=> asked: ida@north.example | per@south.example

## a thread of Outlook below a reply
From: Ida Roe <ida@north.example>
To: news@acme.example
Subject: RE: Spring
Message-ID: <9@north.example>

Unsubscribe please

________________________________
From: Acme News <news@acme.example>
Sent: Monday
To: Ida Roe <ida@north.example>
Subject: Spring
=> asked: ida@north.example | news@acme.example
=> author: ida@north.example

## an absence
From: Ida Roe <ida@north.example>
To: news@acme.example
Subject: Automatic reply: Spring
Auto-Submitted: auto-replied
Message-ID: <10@north.example>

I am away.
=> asked: ida@north.example | news@acme.example

## yes and no without a heading
ida@north.example;no
per@south.example;yes
=> asked: ida@north.example | per@south.example

## a cross without a heading
ida@north.example,x
per@south.example,
=> asked: ida@north.example | per@south.example

## another yes and no
Email,VIP
ida@north.example,yes
per@south.example,no
=> selected: ida@north.example | per@south.example
`;
