export const PROVIDER_EXPORTS = String.raw`
# Exports of mail providers

## Mailchimp, unsubscribed, without reasons
Email Address,First Name,MEMBER_RATING,OPTIN_TIME,CONFIRM_TIME,UNSUB_TIME,UNSUB_CAMPAIGN_TITLE,UNSUB_REASON,UNSUB_REASON_OTHER
ida@north.example,Ida,2,2024-01-01 10:00:00,2024-01-01 10:01:00,2026-01-01 09:00:00,Spring,,
per@south.example,Per,3,2024-01-02 10:00:00,2024-01-02 10:01:00,2026-01-02 09:00:00,,,
=> selected: ida@north.example | per@south.example
=> states: UNSUB_TIME

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

## SendGrid group, a list of strings within an object
{"recipient_emails":["ida@north.example","per@south.example"]}
=> selected: ida@north.example | per@south.example

## Postmark bounces, of which one may pass
{"TotalCount":2,"Bounces":[{"ID":692560173,"Type":"HardBounce","Name":"Hard bounce","MessageID":"2c1b63fe-43f2-4db5-91b0-8bdfa44a9316","Email":"ida@north.example","From":"news@acme.example","Inactive":true,"Subject":"Hi"},{"ID":692560174,"Type":"Transient","Name":"Message delayed","MessageID":"2c1b63fe-43f2-4db5-91b0-8bdfa44a9317","Email":"per@south.example","From":"news@acme.example","Inactive":false,"Subject":"Hi"}]}
=> selected: ida@north.example
=> asked: per@south.example

## Postmark says that somebody is reactivated
{"RecordType":"SubscriptionChange","MessageID":"883953f4-6105-42a2-a16a-77a8eac79483","ChangedAt":"2026-02-01T10:53:34Z","Recipient":"ida@north.example","Origin":"Customer","SuppressSending":false,"SuppressionReason":null}
=> asked: ida@north.example
=> states: SuppressSending

## SparkPost suppression list, with a list of links
{"results":[{"recipient":"ida@north.example","type":"non_transactional","non_transactional":true,"source":"Manually Added","created":"2026-01-01T10:00:00+00:00"}],"links":[{"href":"/v1/suppression-list?cursor=ann@west.example","rel":"next"}],"total_count":1}
=> selected: ida@north.example

## ConvertKit
first_name,email,status,created_at
Ida,ida@north.example,cancelled,2024-01-01
Per,per@south.example,active,2024-01-01
Lin,lin@east.example,complained,2024-01-01
=> selected: ida@north.example | lin@east.example
=> asked: per@south.example

## MailerLite
Subscriber,Name,Status,Subscribed
ida@north.example,Ida,Unsubscribed,2024-01-01 10:00
per@south.example,Per,Junk,2024-01-01 10:00
lin@east.example,Lin,Active,2024-01-01 10:00
=> selected: ida@north.example | per@south.example
=> asked: lin@east.example

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

## BranchUp, where U is undeliverable
Email,OptOut
ida@north.example,T
per@south.example,F
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

## what to do with each, without headings
Remove,ida@north.example
Keep,per@south.example
Do not remove,lin@east.example
=> selected: ida@north.example
=> asked: per@south.example | lin@east.example
`;
