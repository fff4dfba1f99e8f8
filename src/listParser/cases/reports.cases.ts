export const REPORTS = String.raw`
# Short reports

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

# Reports by machines

## SES says that it was no spam
{"notificationType":"Complaint","complaint":{"complaintFeedbackType":"not-spam","complainedRecipients":[{"emailAddress":"ida@north.example"}]},"mail":{"destination":["per@south.example"]}}
=> asked: ida@north.example

## SNS records within an event of Lambda
{"Records":[{"EventSource":"aws:sns","Sns":{"Type":"Notification","Message":"{\"notificationType\":\"Complaint\",\"complaint\":{\"complainedRecipients\":[{\"emailAddress\":\"ida@north.example\"}]},\"mail\":{\"destination\":[\"ida@north.example\",\"per@south.example\"]}}"}}]}
=> selected: ida@north.example

## an array of SES notifications
[{"notificationType":"Bounce","bounce":{"bounceType":"Permanent","bouncedRecipients":[{"emailAddress":"ida@north.example","status":"5.1.1"}]},"mail":{"destination":["per@south.example"]}},{"notificationType":"Bounce","bounce":{"bounceType":"Undetermined","bouncedRecipients":[{"emailAddress":"lin@east.example"}]},"mail":{}}]
=> selected: ida@north.example
=> asked: lin@east.example

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
`;
