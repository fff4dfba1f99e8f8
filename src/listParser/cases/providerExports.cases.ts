export const PROVIDER_EXPORTS = String.raw`
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
=> asked: ida@north.example
=> why: too many mails

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
`;
