export const REPORTS = String.raw`
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
`;
