export const PASTES = String.raw`
# What a stranger pastes

## a number in a sentence
do not remove +44 20 7946 0958
=> asked: +44 20 7946 0958

## XML that is no page
<?xml version="1.0"?><contacts><contact><email>ida@north.example</email><name>Per</name><status>active</status></contact><contact><email>per@south.example</email></contact></contacts>
=> asked: ida@north.example | per@south.example

## names alone
Ida Roe
Per Holm
=> unreadable: Ida Roe | Per Holm

## mailboxes and mail links in cells
Name,Email
Ida,Ida Roe <ida@north.example>
Per,mailto:per@south.example
=> selected: ida@north.example | per@south.example

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

## a list of SQL
('ida@north.example','per@south.example');
=> selected: ida@north.example | per@south.example

## a comment that is a name, and one that is none
ida@north.example (Ida Roe)
per@south.example (not this one)
=> asked: ida@north.example | per@south.example

## a name that says to keep
Do Not Remove <ida@north.example>
"Keep" <per@south.example>
=> asked: ida@north.example | per@south.example

## a link of a phone
tel:+442079460958
=> selected: +442079460958

## LinkedIn, with a note above
Notes:
"When exporting your connection data, you may notice that some addresses are missing."

First Name,Last Name,URL,Email Address,Company
Ida,Roe,https://x.example/in/ida,ida@north.example,Acme
Per,Holm,https://x.example/in/per,,Acme
=> asked: ida@north.example
=> unreadable: Per; Holm; https://x.example/in/per; Acme
=> why: The text says “Notes:”

## a heading that says who stays
Emails to keep
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
=> question: Column 2

## a cross without a heading
ida@north.example,x
per@south.example,
=> asked: ida@north.example | per@south.example
=> question: Column 2
`;
