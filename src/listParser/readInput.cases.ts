/**
 * Inputs as people paste them, in blocks: `## name`, the input, then what must be selected, asked about (shown unselected) and unreadable,
 * parted by ` | `. Further lines: `why` is in each reason, `states` are the columns of state, `author` is the known sender, `field` is the
 * identity field of the workspace (`-`: none), `file` the name of the file that it is. `{U+200F}` stands for that character.
 */
export const CASES = String.raw`
# Lists

## one address
ida.roe@north.example
=> selected: ida.roe@north.example

## a line each
ida.roe@north.example
per.holm@south.example
lin.wu@east.example
=> selected: ida.roe@north.example | per.holm@south.example | lin.wu@east.example

## Windows line ends and blank lines
ida.roe@north.example{U+000D}
{U+000D}
per.holm@south.example{U+000D}

=> selected: ida.roe@north.example | per.holm@south.example

## commas
ida.roe@north.example, per.holm@south.example,lin.wu@east.example
=> selected: ida.roe@north.example | per.holm@south.example | lin.wu@east.example

## semicolons
ida.roe@north.example; per.holm@south.example; lin.wu@east.example;
=> selected: ida.roe@north.example | per.holm@south.example | lin.wu@east.example

## bars
ida.roe@north.example | per.holm@south.example
=> selected: ida.roe@north.example | per.holm@south.example

## tabs
ida.roe@north.example	per.holm@south.example
=> selected: ida.roe@north.example | per.holm@south.example

## mailboxes
Ida Roe <ida.roe@north.example>, "Holm, Per" <per.holm@south.example>; <lin.wu@east.example>
=> selected: ida.roe@north.example | per.holm@south.example | lin.wu@east.example

## mail links
mailto:ida.roe@north.example
mailto:per.holm@south.example?subject=stop
=> selected: ida.roe@north.example | per.holm@south.example

## bullets
- ida.roe@north.example
• per.holm@south.example
* lin.wu@east.example
=> selected: ida.roe@north.example | per.holm@south.example | lin.wu@east.example

## numbered lines
1. ida.roe@north.example
2) per.holm@south.example
=> selected: ida.roe@north.example | per.holm@south.example

## quotes
"ida.roe@north.example",
'per.holm@south.example',
=> selected: ida.roe@north.example | per.holm@south.example

## phone numbers
+44 20 7946 0958
+49 30 1234567
=> selected: +44 20 7946 0958 | +49 30 1234567

## UUIDs
7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d
0c8a7c52-90a8-4f8a-8d4b-6f0c3f9d2b11
=> selected: 7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d | 0c8a7c52-90a8-4f8a-8d4b-6f0c3f9d2b11

## IDs of the workspace
C-70001
C-70002
=> selected: C-70001 | C-70002

## words, where the workspace has an ID
anna_k
bobby
=> selected: anna_k | bobby
=> field: login

## words, where it has none
anna
bobby
=> unreadable: anna | bobby
=> field: -

## a heading
Email
ida.roe@north.example
per.holm@south.example
=> selected: ida.roe@north.example | per.holm@south.example

## several kinds
ida.roe@north.example
+44 20 7946 0958
7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d
C-70001
=> selected: ida.roe@north.example | +44 20 7946 0958 | 7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d | C-70001

## one line of several
ida.roe@north.example, per.holm@south.example
lin.wu@east.example
ann@
7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d
=> selected: ida.roe@north.example | per.holm@south.example | lin.wu@east.example | 7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d
=> unreadable: ann@

## the same twice
ida.roe@north.example
IDA.ROE@NORTH.EXAMPLE
=> selected: ida.roe@north.example

## names without an address
To: Ida Roe; Per Holm <per.holm@south.example>; Lin Wu
=> selected: per.holm@south.example
=> unreadable: Ida Roe | Lin Wu

## no value in a line
ida.roe@north.example
n/a
-
per.holm@south.example
=> selected: ida.roe@north.example | per.holm@south.example
=> unreadable: n/a | -

## an address that is none
ida.roe@north.example
per.holm@
@south.example
=> selected: ida.roe@north.example
=> unreadable: per.holm@ | @south.example

## a comma for a dot
ted@north,example
=> asked: ted@north
=> unreadable: example

## a letter of another alphabet
per.holm@south.example
idа.roe@north.example
=> selected: per.holm@south.example
=> asked: idа.roe@north.example
=> why: alphabets

## a whole address in another alphabet
ида@пример.example
=> selected: ида@пример.example

## hashes
5d41402abc4b2a76b9719d911017c592
d41d8cd98f00b204e9800998ecf8427e
=> asked: 5d41402a-bc4b-2a76-b971-9d911017c592 | d41d8cd9-8f00-b204-e980-0998ecf8427e
=> unreadable:
=> why: hash

## two addresses run together
ida.roe@north.exampleper.holm@south.example
=> unreadable: ida.roe@north.exampleper.holm@south.example

# Addresses that a line end may have broken

## behind a dot
ida.roe@north.example, per.
holm@south.example
=> selected: ida.roe@north.example
=> asked: per.holm@south.example | holm@south.example
=> why: line

## behind a tag
so.long+tag
-x@north.example
=> asked: so.long+tag-x@north.example
=> unreadable: -x@north.example
=> why: line

## by quoted-printable
kim.long=
.name@north.example
=> asked: kim.long.name@north.example
=> unreadable: .name@north.example

## behind the sign
ida.roe@
north.example
=> asked: ida.roe@north.example
=> unreadable: north.example

## in its domain
ida.roe@north.
example
per.holm@south.example
=> selected: per.holm@south.example
=> asked: ida.roe@north | ida.roe@north.example

## in angle brackets
Ida <ida.roe@nor
th.example>
=> asked: ida.roe@north.example
=> unreadable: th.example>

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

## a phone in place of an empty cell
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

# Short messages

## a covering note
Hi, please remove these:
ida.roe@north.example
per.holm@south.example
lin.wu@east.example
Kind regards
Beatriz <beatriz@west.example>
=> asked: ida.roe@north.example | per.holm@south.example | lin.wu@east.example | beatriz@west.example
=> unreadable: Hi | please remove these: | Kind regards
=> why: message

## do not
Do NOT unsubscribe ida.roe@north.example
=> asked: ida.roe@north.example
=> unreadable:
=> why: message

## everybody except
Remove everybody except ann@west.example.
=> asked: ann@west.example
=> unreadable:

## a greeting and a signature
Hi
ida.roe@north.example
Thanks
per.holm@south.example
=> asked: ida.roe@north.example | per.holm@south.example
=> unreadable: Hi | Thanks

## a greeting before a comma
Thanks, ida.roe@north.example
=> asked: ida.roe@north.example
=> unreadable: Thanks

## a name before an address
Ida Roe ida.roe@north.example
per.holm@south.example
=> asked: ida.roe@north.example | per.holm@south.example
=> unreadable:

## a chat
Beatriz  10:02 AM
can you take ida.roe@north.example off?
Kim  10:03 AM
done
=> asked: ida.roe@north.example
=> unreadable:

## a mail whose subject names another
From: Ann <ann@west.example>
Subject: Unsubscribe per.holm@south.example
Date: Mon, 2 Nov 2026 10:00:00 +0000

See subject.
=> asked: ann@west.example | per.holm@south.example
=> unreadable:

## an encoded subject
From: ann@west.example
Subject: =?utf-8?B?VW5zdWJzY3JpYmUgcGVyLmhvbG1Ac291dGguZXhhbXBsZQ==?=
Message-ID: <1@west.example>

See subject.
=> asked: ann@west.example | per.holm@south.example
=> unreadable:

## another address for replies
From: ann@west.example
Reply-To: per.holm@south.example
Subject: stop
Message-ID: <1@west.example>

Stop.
=> asked: ann@west.example | per.holm@south.example
=> unreadable:

## a ticket
{"ticket":{"id":1,"requester":{"email":"ida.roe@north.example"},"assignee":{"email":"ann@west.example"},"description":"Stop per.holm@south.example"}}
=> asked: ida.roe@north.example | ann@west.example | per.holm@south.example
=> unreadable:

# Short reports

## SES complaint
{"notificationType":"Complaint","complaint":{"complainedRecipients":[{"emailAddress":"ida.roe@north.example"}]},"mail":{"source":"news@acme.example","destination":["ida.roe@north.example","per.holm@south.example"]}}
=> selected: ida.roe@north.example

## SES bounce through SNS
{"Type":"Notification","Message":"{\"notificationType\":\"Bounce\",\"bounce\":{\"bounceType\":\"Permanent\",\"bouncedRecipients\":[{\"emailAddress\":\"ida.roe@north.example\"}]},\"mail\":{\"destination\":[\"per.holm@south.example\"]}}"}
=> selected: ida.roe@north.example

## SES transient bounce
{"notificationType":"Bounce","bounce":{"bounceType":"Transient","bouncedRecipients":[{"emailAddress":"ida.roe@north.example"}]}}
=> asked: ida.roe@north.example
=> unreadable:

## DSN
From: mailer-daemon@north.example
To: news@acme.example
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: text/plain

No such user. Ask ann@west.example
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; north.example

Final-Recipient: rfc822; ida.roe@north.example
Action: failed

Final-Recipient: rfc822; per.holm@south.example
Action: delayed
--b--
=> selected: ida.roe@north.example
=> asked: per.holm@south.example

## ARF
From: fbl@isp.example
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary=b

--b
Content-Type: message/feedback-report

Feedback-Type: abuse
Original-Rcpt-To: <ida.roe@north.example>
--b
Content-Type: message/rfc822

From: news@acme.example
To: ida.roe@north.example, per.holm@south.example

News
--b--
=> selected: ida.roe@north.example

## a message of one who names nobody else
From: Ann <ann@west.example>
Subject: Stop
Message-ID: <1@west.example>

Please stop.
=> asked: ann@west.example
=> author: ann@west.example

# Exports of mail providers

## Mailchimp, unsubscribed, without reasons
Email Address,First Name,MEMBER_RATING,OPTIN_TIME,CONFIRM_TIME,UNSUB_TIME,UNSUB_CAMPAIGN_TITLE,UNSUB_REASON,UNSUB_REASON_OTHER
ida@north.example,Ida,2,2024-01-01 10:00:00,2024-01-01 10:01:00,2026-01-01 09:00:00,Spring,,
per@south.example,Per,3,2024-01-02 10:00:00,2024-01-02 10:01:00,2026-01-02 09:00:00,,,
=> selected: ida@north.example | per@south.example
=> states: UNSUB_TIME

## Mailchimp, cleaned
Email Address,First Name,OPTIN_TIME,CLEAN_TIME,CLEAN_CAMPAIGN_TITLE,LEID
ida@north.example,Ida,2024-01-01 10:00:00,2026-01-01 09:00:00,Spring,701234567
=> selected: ida@north.example

## Mailchimp members by API, one of each status
{"members":[{"id":"852aaa9532cb36adfb5e9fef7a4206a9","email_address":"ida@north.example","status":"unsubscribed"},{"id":"62eeb292278cc15f5817cb78f7790b08","email_address":"per@south.example","status":"subscribed"},{"id":"72eeb292278cc15f5817cb78f7790b09","email_address":"lin@east.example","status":"pending"}],"list_id":"8a25ff1d98","total_items":3}
=> selected: ida@north.example
=> asked: per@south.example | lin@east.example
=> states: status

## HubSpot with a lead status and an owner
Record ID,First Name,Email,Contact owner,Lead Status,Marketing contact status,Unsubscribed from all email
101,Ida,ida@north.example,agent@acme.example,Open,Marketing contact,Yes
102,Per,per@south.example,agent@acme.example,Open,Marketing contact,No
103,Lin,lin@east.example,agent@acme.example,New,Non-marketing contact,
=> selected: ida@north.example
=> asked: per@south.example | lin@east.example
=> states: Unsubscribed from all email

## Brevo contacts
CONTACT ID;EMAIL;FIRSTNAME;SMS;DOUBLE_OPT-IN;ADDED_TIME;EMAIL_BLOCKLISTED;SMS_BLOCKLISTED
1;ida@north.example;Ida;4915112345678;Yes;01-02-2025 10:00:00;true;false
2;per@south.example;Per;;No;01-02-2025 10:00:00;true;true
3;lin@east.example;Lin;;Yes;01-02-2025 10:00:00;false;true
=> selected: ida@north.example | per@south.example
=> asked: lin@east.example
=> states: EMAIL_BLOCKLISTED

## Brevo webhook
{"event":"unsubscribed","email":"ida@north.example","id":26224,"date":"2026-10-02 11:00:00","ts":1604933619,"list_id":[3,42]}
=> selected: ida@north.example

## Salesforce report with other channels
"Contact ID","Email","Email Opt Out","Do Not Call","Fax Opt Out","Account Owner"
"0035g00000XYZab","ida@north.example","1","0","0","Agent One"
"0035g00000XYZac","per@south.example","0","1","1","Agent One"
=> selected: ida@north.example
=> asked: per@south.example
=> states: Email Opt Out

## Pardot
Email,First Name,Opted Out,Do Not Email
ida@north.example,Ida,1,0
per@south.example,Per,0,0
lin@east.example,Lin,1,1
=> selected: lin@east.example
=> asked: ida@north.example | per@south.example
=> states: Opted Out | Do Not Email

## Dynamics 365
Full Name,Email,Bulk Email
Ida Roe,ida@north.example,Do Not Allow
Per Holm,per@south.example,Allow
=> selected: ida@north.example
=> asked: per@south.example
=> states: Bulk Email

## Klaviyo, with a text of consent
Email,Klaviyo ID,Email Marketing Consent,Email Marketing Consent Timestamp,SMS Marketing Consent
ida@north.example,01HABCDEF,UNSUBSCRIBED,2026-01-01 10:00:00,SUBSCRIBED
per@south.example,01HABCDEG,SUBSCRIBED,2026-01-01 10:00:00,UNSUBSCRIBED
=> selected: ida@north.example
=> asked: per@south.example
=> states: Email Marketing Consent

## SendGrid events, one of each
[{"email":"ida@north.example","timestamp":1513299569,"event":"unsubscribe"},{"email":"per@south.example","timestamp":1513299569,"event":"delivered"},{"email":"lin@east.example","timestamp":1513299569,"event":"group_resubscribe"},{"email":"ann@west.example","timestamp":1513299569,"event":"spamreport"}]
=> selected: ida@north.example | ann@west.example
=> asked: per@south.example | lin@east.example
=> states: event

## SendGrid global unsubscribes
email,created
ida@north.example,1443651141
per@south.example,1443651154
=> selected: ida@north.example | per@south.example

## SendGrid group, a list of strings within an object
{"recipient_emails":["ida@north.example","per@south.example"]}
=> selected: ida@north.example | per@south.example

## Postmark suppressions
{"Suppressions":[{"EmailAddress":"ida@north.example","SuppressionReason":"ManualSuppression","Origin":"Recipient","CreatedAt":"2026-01-10T08:58:33-05:00"}]}
=> selected: ida@north.example

## Postmark bounces, of which one may pass
{"TotalCount":2,"Bounces":[{"ID":692560173,"Type":"HardBounce","Name":"Hard bounce","MessageID":"2c1b63fe-43f2-4db5-91b0-8bdfa44a9316","Email":"ida@north.example","From":"news@acme.example","Inactive":true,"Subject":"Hi"},{"ID":692560174,"Type":"Transient","Name":"Message delayed","MessageID":"2c1b63fe-43f2-4db5-91b0-8bdfa44a9317","Email":"per@south.example","From":"news@acme.example","Inactive":false,"Subject":"Hi"}]}
=> selected: ida@north.example
=> asked: per@south.example

## Postmark says that somebody is reactivated
{"RecordType":"SubscriptionChange","MessageID":"883953f4-6105-42a2-a16a-77a8eac79483","ChangedAt":"2026-02-01T10:53:34Z","Recipient":"ida@north.example","Origin":"Customer","SuppressSending":false,"SuppressionReason":null}
=> asked: ida@north.example
=> states: SuppressSending

## Mailgun bounces, where a page names a bystander
{"items":[{"address":"ida@north.example","code":"550","error":"No such mailbox ann@west.example","created_at":"Fri, 21 Oct 2026 11:02:55 UTC"}],"paging":{"first":"https://api.example/v3/x/bounces?limit=100","next":"https://api.example/v3/x/bounces?page=next&address=ann@west.example"}}
=> selected: ida@north.example

## Mailgun unsubscribes with a list in each
{"items":[{"address":"ida@north.example","tags":["*"],"created_at":"Fri, 21 Oct 2026 11:02:55 UTC"},{"address":"per@south.example","tags":["news","sale"],"created_at":"Fri, 21 Oct 2026 11:02:55 UTC"}],"paging":{}}
=> selected: ida@north.example | per@south.example

## SparkPost suppression list, with a list of links
{"results":[{"recipient":"ida@north.example","type":"non_transactional","non_transactional":true,"source":"Manually Added","created":"2026-01-01T10:00:00+00:00"}],"links":[{"href":"/v1/suppression-list?cursor=ann@west.example","rel":"next"}],"total_count":1}
=> selected: ida@north.example

## SparkPost CSV
recipient,transactional,non_transactional,description
ida@north.example,false,true,too many mails
=> selected: ida@north.example

## SES account list
{"SuppressedDestinationSummaries":[{"EmailAddress":"ida@north.example","Reason":"COMPLAINT","LastUpdateTime":1700000000.1}],"NextToken":"x"}
=> selected: ida@north.example

## Mandrill rejects, with their sender
[{"email":"ida@north.example","reason":"hard-bounce","created_at":"2026-01-01 15:30:27","expired":false,"sender":{"address":"news@acme.example","sent":42},"subaccount":"main"}]
=> selected: ida@north.example

## ActiveCampaign
Contact ID,Email,First Name,Status,Date Subscribed
7,ida@north.example,Ida,Unsubscribed,2024-01-01
8,per@south.example,Per,Active,2024-01-01
9,lin@east.example,Lin,Unconfirmed,2024-01-01
=> selected: ida@north.example
=> asked: per@south.example | lin@east.example
=> states: Status

## Customer.io
id,email,created_at,unsubscribed
C-70001,ida@north.example,1700000000,true
C-70002,per@south.example,1700000000,
C-70003,lin@east.example,1700000000,false
=> selected: ida@north.example
=> asked: per@south.example | lin@east.example
=> states: unsubscribed

## ConvertKit
first_name,email,status,created_at
Ida,ida@north.example,cancelled,2024-01-01
Per,per@south.example,active,2024-01-01
Lin,lin@east.example,complained,2024-01-01
=> selected: ida@north.example | lin@east.example
=> asked: per@south.example

## Constant Contact
Email address,Email status,Email permission status,Confirmed Opt-out Date,Confirmed Opt-out Reason
ida@north.example,Unsubscribed,Unsubscribed,01/05/2026,
per@south.example,Active,Implied,,
=> selected: ida@north.example
=> asked: per@south.example

## MailerLite
Subscriber,Name,Status,Subscribed
ida@north.example,Ida,Unsubscribed,2024-01-01 10:00
per@south.example,Per,Junk,2024-01-01 10:00
lin@east.example,Lin,Active,2024-01-01 10:00
=> selected: ida@north.example | per@south.example
=> asked: lin@east.example

## Cordial, with dots in its headings
channels.email.address,channels.email.subscribeStatus
ida@north.example,unsubscribed
per@south.example,subscribed
=> asked: ida@north.example | per@south.example

## CleverReach, with times as numbers
email;registered;activated;deactivated;source
ida@north.example;1700000000;1700000100;1760000000;Form
per@south.example;1700000000;1700000100;0;Form
=> selected: ida@north.example
=> asked: per@south.example
=> states: deactivated

## CleverReach in German
E-Mail;Anmeldedatum;Aktivierungsdatum;Abmeldedatum;Quelle
ida@north.example;01.02.2024 10:00;01.02.2024 10:05;03.04.2026 11:00;Formular
per@south.example;01.02.2024 10:00;01.02.2024 10:05;;Formular
=> selected: ida@north.example
=> asked: per@south.example
=> states: Abmeldedatum

## rapidmail in German
E-Mail;Vorname;Status
ida@north.example;Ida;abgemeldet
per@south.example;Per;aktiv
lin@east.example;Lin;unerwünscht
ann@west.example;Ann;gebounct
kim@west.example;Kim;unbestätigt
=> selected: ida@north.example | lin@east.example | ann@west.example
=> asked: per@south.example | kim@west.example

## a column of yes, no and not known
E-Mail;Abgemeldet
ida@north.example;ja
per@south.example;nein
lin@east.example;k.A.
=> selected: ida@north.example
=> asked: per@south.example | lin@east.example

## Emarsys, where 2 is no
Email,Opt-In
ida@north.example,1
per@south.example,2
=> asked: ida@north.example | per@south.example

## BranchUp, where U is undeliverable
Email,OptOut
ida@north.example,T
per@south.example,F
=> selected: ida@north.example
=> asked: per@south.example

## rasa.io
ID,Email,Subscribed,Unsubscribe Reason
1,ida@north.example,0,Unsubscribed
2,per@south.example,1,
=> selected: ida@north.example
=> asked: per@south.example

## promio, where an ID of the customer comes too
"ts";"mail";"custID";"id";"sourceType"
"2026-07-07 05:33:13";"ida@north.example";"C-70001";"8006";"17"
=> selected: ida@north.example

## dates in words
Email,Unsubscribed on
ida@north.example,"Jan 5, 2026"
per@south.example,
=> selected: ida@north.example
=> asked: per@south.example

## Spanish
Correo electrónico;Estado
ida@north.example;Dado de baja
per@south.example;Suscrito
=> selected: ida@north.example
=> asked: per@south.example

## French with yes and no
Adresse e-mail;Désabonné
ida@north.example;oui
per@south.example;non
=> selected: ida@north.example
=> asked: per@south.example

## Polish and Dutch headings
Adres e-mail;Wypisany
ida@north.example;tak
per@south.example;nie
=> selected: ida@north.example
=> asked: per@south.example

## a state without headings
ida@north.example,unsubscribed
per@south.example,subscribed
=> selected: ida@north.example
=> asked: per@south.example

## one row and a state, without headings
per@south.example,subscribed
=> asked: per@south.example

## what to do with each
Email,Action
ida@north.example,remove
per@south.example,keep
=> selected: ida@north.example
=> asked: per@south.example

## what to do with each, without headings
Remove,ida@north.example
Keep,per@south.example
Do not remove,lin@east.example
=> selected: ida@north.example
=> asked: per@south.example | lin@east.example

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

## a column of hashes beside the addresses
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
=> selected: ida@north.example | per@south.example

## JSON whose only address is of somebody else
[{"id":"C-70001","owner":{"email":"agent@acme.example"}}]
=> asked: agent@acme.example

## JSON by name of a list, one of them to keep
{"remove":["ida@north.example"],"keep":["per@south.example"]}
=> asked: ida@north.example | per@south.example

## one list, which is of those who stay
{"keep":["ida@north.example","per@south.example"]}
=> asked: ida@north.example | per@south.example

# Lists

## hashes of the usual lengths
5d41402abc4b2a76b9719d911017c592
aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d
5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8
=> asked: 5d41402a-bc4b-2a76-b971-9d911017c592 | aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d | 5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8
=> why: hash

## direction marks and invisible signs
{U+200F}ida@north.example{U+200E}
{U+FEFF}per@south.example{U+200B}
{U+2066}lin@{U+00AD}east.example{U+2069}
=> selected: ida@north.example | per@south.example | lin@east.example

## an override of the direction, which prints other letters
ida{U+202E}nil@north.example
=> asked: idanil@north.example

## Greek and Latin letters in a word, and a Cyrillic domain under a Latin name
idα@north.example
per@южный.example
lin@eаst.example
=> selected: per@южный.example
=> asked: idα@north.example | lin@eаst.example

## full-width letters
ｉｄａ＠north.example
=> selected: ida@north.example

## no-break blanks, and blanks at both ends
{U+00A0}ida@north.example{U+00A0}
  per@south.example  
=> selected: ida@north.example | per@south.example

## bullets and numbers of Word
·	ida@north.example
o	per@south.example
3)	lin@east.example
=> selected: ida@north.example | per@south.example | lin@east.example

## recipients as Outlook copies them
Roe, Ida <ida@north.example>; 'per@south.example' <per@south.example>; Wu Lin (East) <lin@east.example>
=> selected: ida@north.example | per@south.example | lin@east.example

## recipients as Gmail copies them
"Ida Roe" <ida@north.example>, Per Holm <per@south.example>,
lin@east.example
=> selected: ida@north.example | per@south.example | lin@east.example

## Exchange addresses that are none
Ida Roe; /o=Corp/ou=Exchange/cn=Recipients/cn=per; <lin@east.example>
=> selected: lin@east.example
=> unreadable: Ida Roe | /o=Corp/ou=Exchange/cn=Recipients/cn=per

## a plus, a quote and an apostrophe in the name
ida+news@north.example
"per holm"@south.example
lin.o'wu@east.example
=> selected: ida+news@north.example | "per holm"@south.example | lin.o'wu@east.example

## blanks between addresses
ida@north.example per@south.example
=> asked: ida@north.example | per@south.example

## an address without a dot, one with two, one with an IP
ida@localhost
per@south..example
lin@[192.0.2.1]
=> selected: lin@[192.0.2.1]
=> asked: ida@localhost
=> unreadable: per@south..example

## spelt so that no robot reads it
ida (at) north (dot) example
per[at]south[dot]example
=> selected: ida@north.example | per@south.example

## links to contacts in the console
https://sendroom.example/761/contacts/7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d
https://sendroom.example/761/contacts/ida%40north.example?tab=log
=> selected: 7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d | ida@north.example

## numbers with a label
Tel.: +44 20 7946 0958
WhatsApp: +49 30 1234567
=> asked: +44 20 7946 0958 | +49 30 1234567

## numbers that a spreadsheet has shortened
4,42E+11
4.42079E+11
=> unreadable: 4,42E+11 | 4.42079E+11

## headings in other languages
Correo electrónico
ida@north.example
per@south.example
=> selected: ida@north.example | per@south.example

## a list of those who stay
Keep these:
ida@north.example
per@south.example
=> asked: ida@north.example | per@south.example
=> unreadable: Keep these:

## two lists below each other
Unsubscribe
ida@north.example
Keep
per@south.example
=> asked: ida@north.example | per@south.example
=> unreadable: Unsubscribe | Keep

## words behind an address
ida@north.example
per@south.example - not this one
=> asked: ida@north.example | per@south.example

## a sign of a struck line
ida@north.example
~~per@south.example~~
x lin@east.example
=> asked: ida@north.example | per@south.example | lin@east.example

## an escaped line end
ida@north.example\nper@south.example
=> unreadable: ida@north.example\nper@south.example

## an address broken twice by a hard wrap in quotes
> ida.long-
> name@north.example
=> asked: ida.long-name@north.example | name@north.example

## a sentence after a full stop is no end of a domain
ida@north.example.
per@south.example.
=> selected: ida@north.example | per@south.example

# Messages

## German: not this one
Bitte NICHT abmelden: ida@north.example
=> asked: ida@north.example

## French: all but one
Désinscrire tout le monde sauf ida@north.example, merci
=> asked: ida@north.example

## Spanish: no
No dar de baja a ida@north.example ni a per@south.example
=> asked: ida@north.example | per@south.example

## only a negation before a list
Except:
ida@north.example, per@south.example
=> asked: ida@north.example | per@south.example
=> unreadable: Except:

## a table in a covering note
Hi Ann,
please unsubscribe
Ida Roe, ida@north.example
Per Holm, per@south.example
Thanks
Beatriz
beatriz@acme.example
=> asked: ida@north.example | per@south.example | beatriz@acme.example

## Slack
Beatriz Lund  10:02
@kim can you drop ida@north.example from the list?
not per@south.example though
:+1: 2
=> asked: ida@north.example | per@south.example

## Teams
[02/11/2026 10:02] Lund, Beatriz
ida@north.example
[02/11/2026 10:03] Moe, Kim
done. per@south.example as well?
=> asked: ida@north.example | per@south.example

## WhatsApp
[02.11.26, 10:02:11] Ida Roe: ida@north.example
[02.11.26, 10:02:30] +44 20 7946 0958: stop
=> asked: ida@north.example | +44 20 7946 0958

## WhatsApp of Android, where each line has two cells
02/11/2026, 10:02 - Ida Roe: please remove me, ida@north.example
02/11/2026, 10:03 - Per Holm: me too, per@south.example
=> asked: ida@north.example | per@south.example

## a form by mail
Name: Ida Roe
Email: ida@north.example
Message: keep per@south.example
=> asked: ida@north.example | per@south.example

## Outlook, copied, in German
Von: Ida Roe <ida@north.example>
Gesendet: Montag, 2. November 2026 10:00
An: Newsletter <news@acme.example>
Betreff: Abmelden

Bitte abmelden.
=> asked: ida@north.example | news@acme.example

## Outlook, copied
From: Ida Roe <ida@north.example>
Sent: Monday, 2 November 2026 10:00
To: Newsletter <news@acme.example>
Subject: Unsubscribe

Please take me off.
=> asked: ida@north.example | news@acme.example
=> author: ida@north.example

## a reply above what it quotes
From: Ida Roe <ida@north.example>
To: Acme News <news@acme.example>
Subject: Re: Spring
Message-ID: <1@north.example>

Please unsubscribe me.

On Mon, 2 Nov 2026 Acme News <news@acme.example> wrote:
> Hello Ida, write to news@acme.example
=> asked: ida@north.example | news@acme.example
=> author: ida@north.example

## a reply that quotes somebody else
From: Ida Roe <ida@north.example>
To: Acme News <news@acme.example>
Subject: Re: request
Message-ID: <1@north.example>

See below.

> please remove per@south.example
=> asked: ida@north.example | news@acme.example | per@south.example

## a forwarded message
From: Beatriz <beatriz@acme.example>
To: team@acme.example
Subject: Fwd: stop
Date: Mon, 2 Nov 2026 10:00:00 +0000

---------- Forwarded message ---------
From: Ida Roe <ida@north.example>
Subject: stop
Please remove me
=> asked: beatriz@acme.example | team@acme.example | ida@north.example

## an attached message
From: Beatriz <beatriz@acme.example>
To: team@acme.example
Subject: See attached
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

Please see.
--b
Content-Type: message/rfc822

From: Ida Roe <ida@north.example>
To: news@acme.example
Subject: stop

Stop.
--b--
=> asked: beatriz@acme.example | team@acme.example | ida@north.example | news@acme.example

## a list attached to a message is not read, and says so
From: Beatriz <beatriz@acme.example>
To: team@acme.example
Subject: List
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

Attached.
--b
Content-Type: text/csv; name=list.csv
Content-Disposition: attachment; filename=list.csv

email
ida@north.example
--b--
=> asked: beatriz@acme.example | team@acme.example
=> note: Attachments were not read: list.csv

## HTML mail of Apple, with an address in a link alone
From: Ida <ida@north.example>
Subject: stop
Message-ID: <2@north.example>
Content-Type: text/html; charset=utf-8

<html><body>Remove <a href="mailto:per@south.example">my husband</a></body></html>
=> asked: ida@north.example | per@south.example

## quoted-printable mail, soft line end in an address
From: Ida <ida@north.example>
Subject: =?iso-8859-1?Q?Abmeldung_f=FCr_per=40south=2Eexample?=
Message-ID: <3@north.example>
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

Auch lin=40east.ex=
ample
=> asked: ida@north.example | per@south.example | lin@east.example

## a digest of two
From list@acme.example Mon Nov  2 10:00:00 2026
From: ida@north.example
Subject: stop
Message-ID: <4@x.example>

Stop.

From list@acme.example Mon Nov  2 11:00:00 2026
From: per@south.example
Subject: stop
Message-ID: <5@x.example>

Stop.
=> asked: ida@north.example | per@south.example

## a mailbox without an address among the recipients of a mail
From: Beatriz <beatriz@acme.example>
To: Ida Roe; Per Holm <per@south.example>
Subject: out
Message-ID: <6@acme.example>

Both.
=> asked: beatriz@acme.example | per@south.example
=> unreadable: Ida Roe
=> author: beatriz@acme.example

## Zendesk by API
{"tickets":[{"id":35436,"subject":"Stop","description":"Remove per@south.example","requester_id":20978392,"via":{"source":{"from":{"address":"ida@north.example"}}}}],"count":1}
=> asked: per@south.example | ida@north.example

## Freshdesk by API
{"id":7,"subject":"Stop","description_text":"Stop please","requester":{"email":"ida@north.example"},"cc_emails":["per@south.example"],"responder_id":9}
=> asked: ida@north.example | per@south.example

## Jira by API
{"key":"NL-1","fields":{"summary":"Stop ida@north.example","reporter":{"emailAddress":"beatriz@acme.example"}}}
=> asked: ida@north.example | beatriz@acme.example

## Intercom by API
{"type":"conversation","source":{"author":{"type":"user","email":"ida@north.example"},"body":"<p>stop per@south.example</p>"},"contacts":{"contacts":[{"id":"5f0"}]}}
=> asked: ida@north.example | per@south.example

## text of a PDF
Customer list, page 1 of 3
C-70001 Ida Roe ida@north.example 12.05.2024
C-70002 Per Holm per@south.example 13.05.2024
=> asked: ida@north.example | C-70001 | per@south.example | C-70002

## the source of a PDF
%PDF-1.7
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
=> asked:

## a log of a mail server
Nov  2 10:00:00 mx postfix/smtp[123]: 4F1A2: to=<ida@north.example>, relay=mx.north.example[192.0.2.1]:25, status=bounced
Nov  2 10:00:01 mx postfix/smtp[123]: 4F1A3: to=<per@south.example>, relay=mx.south.example[192.0.2.2]:25, status=sent
=> asked: ida@north.example | per@south.example
=> field: -

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
=> selected: ida@north.example
=> asked: per@south.example

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
=> unreadable: "name":"Ida"} | {"ema

## another address as the name of one
"kim@east.example" <ida@north.example>, per@south.example
=> asked: ida@north.example | per@south.example

## trailers of a commit
Reported-by: Ida Roe <ida@north.example>
Signed-off-by: Per Holm <per@south.example>
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

## line ends of a word processor
ida@north.example{U+000B}per@south.example{U+2028}lin@east.example
=> selected: ida@north.example | lin@east.example | per@south.example

## broken before the sign
ida.roe
@north.example
per@south.example
=> selected: per@south.example
=> asked: ida.roe@north.example
=> unreadable: @north.example

## dates are no IDs
2026-10-02
02.10.2026
ida@north.example
=> selected: ida@north.example
=> unreadable: 2026-10-02 | 02.10.2026

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

## a mail whose author is named by another address
From: "per@south.example" <ida@north.example>
To: x@acme.example
Subject: stop

Please.
=> asked: ida@north.example | per@south.example | x@acme.example

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
=> why: some stay

## the foot of a report
"Email","Name"
"ida@north.example","Ida"
"per@south.example","Per"
"lin@east.example","Lin"

"Confidential Information - Do Not Distribute"
=> selected: ida@north.example | per@south.example | lin@east.example
=> unreadable: Confidential Information - Do Not Distribute

## text beside a table of HTML
<p>As of today</p><table><tr><th>Email</th></tr><tr><td>ida@north.example</td></tr></table>
=> selected: ida@north.example
=> note: not the text beside it

## text below a table of HTML, about one who stays
<table><tr><th>Email</th></tr><tr><td>ida@north.example</td></tr></table><p>but keep Ida</p>
=> asked: ida@north.example

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

## numbers in circles before addresses
①ida@north.example
②per@south.example
=> unreadable: ①ida@north.example | ②per@south.example

## signs of a keyboard for Japanese
ｉｄａ＠north.example
=> selected: ida@north.example

## marks of yes and no
email,newsletter
ida@north.example,❌
per@south.example,✅
lin@east.example,off
kim@west.example,on
=> selected: ida@north.example | lin@east.example
=> asked: per@south.example | kim@west.example

## a receipt that a mail was read
From: ida@north.example
To: news@acme.example
Subject: Read: November
MIME-Version: 1.0
Content-Type: multipart/report; report-type=disposition-notification; boundary=b

--b
Content-Type: text/plain

Your message was read.
--b
Content-Type: message/disposition-notification

Final-Recipient: rfc822;ida@north.example
Disposition: manual-action/MDN-sent-manually; displayed
--b--
=> asked: ida@north.example | news@acme.example

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

## headings of whom one may write to
email,ok to contact,can_send
ida@north.example,no,0
per@south.example,yes,1
=> selected: ida@north.example
=> asked: per@south.example

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

# Reports by machines

## SES says that it was no spam
{"notificationType":"Complaint","complaint":{"complaintFeedbackType":"not-spam","complainedRecipients":[{"emailAddress":"ida@north.example"}]},"mail":{"destination":["per@south.example"]}}
=> asked: ida@north.example

## SES delivery
{"eventType":"Delivery","mail":{"source":"news@acme.example","destination":["ida@north.example"]},"delivery":{"recipients":["ida@north.example"]}}
=> asked: news@acme.example | ida@north.example

## SNS records within an event of Lambda
{"Records":[{"EventSource":"aws:sns","Sns":{"Type":"Notification","Message":"{\"notificationType\":\"Complaint\",\"complaint\":{\"complainedRecipients\":[{\"emailAddress\":\"ida@north.example\"}]},\"mail\":{\"destination\":[\"ida@north.example\",\"per@south.example\"]}}"}}]}
=> selected: ida@north.example

## an array of SES notifications
[{"notificationType":"Bounce","bounce":{"bounceType":"Permanent","bouncedRecipients":[{"emailAddress":"ida@north.example","status":"5.1.1"}]},"mail":{"destination":["per@south.example"]}},{"notificationType":"Bounce","bounce":{"bounceType":"Undetermined","bouncedRecipients":[{"emailAddress":"lin@east.example"}]},"mail":{}}]
=> selected: ida@north.example
=> asked: lin@east.example

## Mailgun webhook
{"signature":{"token":"x"},"event-data":{"event":"unsubscribed","recipient":"ida@north.example","message":{"headers":{"from":"news@acme.example"}}}}
=> asked: ida@north.example | news@acme.example

## ARF that does not say by whom, of a mail to two
From: fbl@isp.example
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary=b

--b
Content-Type: text/plain

Complaint
--b
Content-Type: message/feedback-report

Feedback-Type: abuse
User-Agent: x/1
--b
Content-Type: message/rfc822

From: news@acme.example
To: ida@north.example, per@south.example
Subject: News

Hi
--b--
=> asked: ida@north.example | per@south.example

## ARF about fraud
From: fbl@isp.example
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary=b

--b
Content-Type: message/feedback-report

Feedback-Type: fraud
Original-Rcpt-To: ida@north.example
--b--
=> asked: ida@north.example

## a bounce that is no report but a letter
From: MAILER-DAEMON@north.example
To: news@acme.example
Subject: failure notice
Message-ID: <7@north.example>

Hi. This is the qmail-send program at north.example.
<ida@north.example>:
Sorry, no mailbox here by that name.
=> asked: mailer-daemon@north.example | news@acme.example | ida@north.example

## a report of a relay that kept trying
From: mailer-daemon@north.example
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; north.example

Original-Recipient: rfc822;ida@north.example
Final-Recipient: rfc822;ida@north.example
Action: failed
Status: 4.4.7
--b--
=> selected: ida@north.example

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

## a box to tick
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

## consent alone
Email,Consent
ida@north.example,yes
per@south.example,no
=> selected: per@south.example
=> asked: ida@north.example

## consent withdrawn
Email,Consent given,Consent withdrawn
ida@north.example,no,yes
per@south.example,yes,no
=> selected: ida@north.example
=> asked: per@south.example

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

## a word among addresses
Keep; ida@north.example; per@south.example
=> asked: ida@north.example | per@south.example

## a state behind a blank or a tab
ida@north.example subscribed
=> asked: ida@north.example

## a commented line
// ida@north.example
per@south.example
=> asked: ida@north.example | per@south.example

## a question mark
ida@north.example
per@south.example?
=> selected: ida@north.example
=> unreadable: per@south.example?

## signs that may exclude
!ida@north.example
-per@south.example
lin@east.example
=> selected: lin@east.example
=> unreadable: !ida@north.example | -per@south.example

## a title above the headings that says who stays
Keep these people
Email,Name
ida@north.example,Ida
per@south.example,Per
=> asked: ida@north.example | per@south.example

## a title above the headings that says who left
Unsubscribed in November
Email,Name
ida@north.example,Ida
per@south.example,Per
=> selected: ida@north.example | per@south.example

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
=> selected: ida@north.example | lin@east.example
=> asked: per@south.example

## a note in German, without headings
ida@north.example,Berlin
per@south.example,bitte behalten
=> selected: ida@north.example
=> asked: per@south.example

## a word beside the address in its cell
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

## a form with a question
Timestamp,Email Address,Do you want to keep receiving our newsletter?
2026-11-01 10:00,ida@north.example,No
2026-11-01 10:05,per@south.example,Yes
=> selected: ida@north.example
=> asked: per@south.example

## a form that asks the other way round
Zeitstempel;E-Mail-Adresse;Möchten Sie keine Newsletter mehr erhalten?
01.11.2026 10:00;ida@north.example;Ja
01.11.2026 10:05;per@south.example;Nein
=> selected: ida@north.example
=> asked: per@south.example

## checked addresses
Email Address,ZB Status
ida@north.example,invalid
per@south.example,valid
lin@east.example,do_not_mail
=> selected: ida@north.example | lin@east.example
=> asked: per@south.example

## a mail link with a second address
mailto:ida@north.example?subject=stop
mailto:per@south.example?cc=lin@east.example
=> selected: ida@north.example
=> unreadable: mailto:per@south.example?cc=lin@east.example

## a word behind a colon
ida@north.example:
per@south.example:secret
=> selected: ida@north.example
=> unreadable: per@south.example:secret

## a sign that ends a line elsewhere
ida@north.example{U+2028}per@south.example
=> selected: ida@north.example | per@south.example

## a heading of the address for newsletters
Name,Newsletter email
Ida,ida@north.example
Per,per@south.example
=> selected: ida@north.example | per@south.example

## a title that names a newsletter
Newsletter November
Email,Name
ida@north.example,Ida
per@south.example,Per
=> selected: ida@north.example | per@south.example

## one list of JSON, of those who get a newsletter
{"newsletter":["ida@north.example"]}
=> asked: ida@north.example

## a note of last week above a list
Hi team, last week we took kim@west.example off. Now please:
ida@north.example
per@south.example
=> asked: kim@west.example | ida@north.example | per@south.example

## an export in which nobody is unsubscribed
email,unsubscribed_at
ida@north.example,
per@south.example,
=> asked: ida@north.example | per@south.example

## a column of states that has few others
Email,Klasse
ida@north.example,abgemeldet
per@south.example,angemeldet
lin@east.example,?
=> selected: ida@north.example
=> asked: per@south.example | lin@east.example

## Dutch and Polish negations
Niet uitschrijven: ida@north.example
Nie wypisywać per@south.example
=> asked: ida@north.example | per@south.example

## Japanese sentence
ida@north.example を配信停止にしないでください
=> asked: ida@north.example

## Arabic sentence with marks
{U+200F}لا تلغِ اشتراك ida@north.example{U+200F}
=> asked: ida@north.example

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

## postcodes beside addresses
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

## an Outlook mail as text, French
De : Ida Roe <ida@north.example>
Envoyé : lundi 2 novembre 2026 10:00
À : Infolettre <news@acme.example>
Objet : désinscription

Merci de me retirer.
=> asked: ida@north.example | news@acme.example

## emoji and a mailbox
🚫 Ida Roe <ida@north.example>
Per Holm <per@south.example>
=> asked: ida@north.example | per@south.example

# States in other languages, entities

## Czech yes and no
Email;Odběr
ida.roe@north.example;ano
per.holm@south.example;ne
=> selected: per.holm@south.example
=> asked: ida.roe@north.example
=> states: Odběr

## Turkish yes and no, below a heading that is unknown
E-posta;Kabul
ida.roe@north.example;EVET
per.holm@south.example;HAYIR
=> asked: ida.roe@north.example | per.holm@south.example
=> states: Kabul

## Swedish, where all are alike
E-post;Nyhetsbrev
ida.roe@north.example;Ja
per.holm@south.example;Ja
=> asked: ida.roe@north.example | per.holm@south.example

## Czech status in words
E-mail;Stav
ida.roe@north.example;přihlášen
per.holm@south.example;odhlášen
lin.wu@east.example;čeká
=> selected: per.holm@south.example
=> asked: ida.roe@north.example | lin.wu@east.example

## entities for signs
ida.roe&#64;north.example
Per Holm &lt;per.holm@south.example&gt;
lin.wu&commat;east.example; &quot;Roe, Ann&quot; &lt;ann@west.example&gt;
=> selected: ida.roe@north.example | per.holm@south.example | lin.wu@east.example | ann@west.example

## entities in a table
Name;Email
Roe &amp; Co;ida.roe&#64;north.example
=> selected: ida.roe@north.example

## encoded names, whose words cannot be read
=?UTF-8?Q?Roe=2C_Ida?= <ida.roe@north.example>
=?UTF-8?B?a2VlcA==?= <per.holm@south.example>
=> asked: ida.roe@north.example | per.holm@south.example

## a group of mailboxes
Team: Ida Roe <ida.roe@north.example>, per.holm@south.example;
=> asked: ida.roe@north.example | per.holm@south.example

## a file by its name of those who are subscribed
Email,First Name
ida.roe@north.example,Ida
=> asked: ida.roe@north.example
=> why: “subscribed_members_export_1a2b.csv”
=> file: subscribed_members_export_1a2b.csv

## a file by its name of those who cannot be reached
Email,First Name
ida.roe@north.example,Ida
=> selected: ida.roe@north.example
=> file: cleaned_members_export_1a2b.csv

# What a stranger brought

## Mautic do not contact
id;firstname;email;dnc_email;dnc_reason
1;Ida;ida.roe@north.example;0;
2;Per;per.holm@south.example;1;unsubscribed
=> asked: ida.roe@north.example
=> selected: per.holm@south.example

## Spanish opt-in
Correo electrónico;¿Acepta publicidad?
ida.roe@north.example;Sí
per.holm@south.example;No
=> selected: per.holm@south.example
=> asked: ida.roe@north.example

## Hungarian, unknown heading
E-mail;Megkeresés
ida.roe@north.example;igen
per.holm@south.example;nem
=> asked: ida.roe@north.example | per.holm@south.example

## calendar with folded lines
BEGIN:VCALENDAR
BEGIN:VEVENT
ATTENDEE;CN=Ida Roe;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;RSVP=TRUE:mailto:id
 a.roe@north.example
END:VEVENT
END:VCALENDAR
=> asked: ida.roe@north.example

## access log with addresses in queries
192.0.2.1 - - [02/Mar/2026:10:00:00 +0000] "GET /u?email=ida.roe%40north.example HTTP/1.1" 200 1
=> asked: ida.roe@north.example

## HTML select
<select><option value="ida.roe@north.example">Ida</option><option value="per.holm@south.example" selected>Per</option></select>
=> asked: ida.roe@north.example | per.holm@south.example

## XML with addresses in attributes
<?xml version="1.0"?><people><person email="ida.roe@north.example" keep="1"/><person email="per.holm@south.example"/></people>
=> asked: ida.roe@north.example | per.holm@south.example

## file of active customers
ida.roe@north.example
per.holm@south.example
=> asked: ida.roe@north.example | per.holm@south.example
=> file: aktive Kunden.txt

## pending column
Email,Double opt-in
ida.roe@north.example,confirmed
per.holm@south.example,pending
=> asked: ida.roe@north.example | per.holm@south.example

## reason of an unsubscribe, empty for those who stay
Email,Unsubscribe reason
ida.roe@north.example,
per.holm@south.example,too many mails
=> selected: per.holm@south.example
=> asked: ida.roe@north.example

## file of subscribers
ida.roe@north.example
per.holm@south.example
=> asked: ida.roe@north.example | per.holm@south.example
=> file: subscribers.csv

## file of Abonnenten
E-Mail;Name
ida.roe@north.example;Ida
=> asked: ida.roe@north.example
=> file: Abonnenten-2026.csv

## SAP block, J and N
E-Mail;Werbesperre
ida.roe@north.example;J
per.holm@south.example;N
=> selected: ida.roe@north.example
=> asked: per.holm@south.example

## newsletter with J alone
E-Mail;Newsletter
ida.roe@north.example;J
per.holm@south.example;J
=> asked: ida.roe@north.example | per.holm@south.example

## struck entry of HTML
<ul><li><del>ida.roe@north.example</del></li><li>per.holm@south.example</li></ul>
=> selected: per.holm@south.example
=> unreadable: ~~ida.roe@north.example~~

## a mail that asks to be kept
From: Ida Roe <ida.roe@north.example>
To: help@west.example
Date: Mon, 2 Mar 2026 10:00:00 +0100
Subject: Re: your last chance
MIME-Version: 1.0

Please keep me on the list.
=> asked: ida.roe@north.example | help@west.example

## a mail that says not to unsubscribe
From: Ida Roe <ida.roe@north.example>
To: help@west.example
Date: Mon, 2 Mar 2026 10:00:00 +0100
Subject: Re: News
MIME-Version: 1.0

I did not unsubscribe. Why do I get no mails?
=> asked: ida.roe@north.example | help@west.example

## German: nicht abmelden
From: Ida Roe <ida.roe@north.example>
To: help@west.example
Date: Mon, 2 Mar 2026 10:00:00 +0100
Subject: Abmeldung
MIME-Version: 1.0

Bitte melden Sie mich nicht ab, ich möchte nicht abgemeldet werden.
=> asked: ida.roe@north.example | help@west.example

## consent withdrawn with a date
Email,Consent
ida.roe@north.example,given 2026-01-01
per.holm@south.example,withdrawn 2026-01-02
=> asked: ida.roe@north.example | per.holm@south.example

## vCard of a group with a category
BEGIN:VCARD
VERSION:4.0
FN:Ida Roe
EMAIL:ida.roe@north.example
CATEGORIES:keep
END:VCARD
=> asked: ida.roe@north.example

## Greek answers below an English heading
Email,Newsletter
ida.roe@north.example,ναι
per.holm@south.example,όχι
=> asked: ida.roe@north.example | per.holm@south.example

## Japanese answers below an English heading, all alike
Email,Newsletter
ida.roe@north.example,はい
per.holm@south.example,はい
=> asked: ida.roe@north.example | per.holm@south.example

## languages and names that are words for yes and no
Email,Vorname,Language
ida.roe@north.example,Ano,da
per.holm@south.example,Per,de
=> selected: ida.roe@north.example | per.holm@south.example
`;
