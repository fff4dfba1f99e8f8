export const LANGUAGES = String.raw`
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
=> question: Kabul

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
=> question: Megkeresés

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
=> selected: per.holm@south.example
=> asked: ida.roe@north.example

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
