export const MESSAGES = String.raw`
# Short messages

## a covering note
Hi, please remove these:
ida.roe@north.example
per.holm@south.example
lin.wu@east.example
Kind regards
Beatriz <beatriz@west.example>
=> selected: ida.roe@north.example | per.holm@south.example | lin.wu@east.example
=> asked: beatriz@west.example
=> unreadable: Hi, please remove these: | Kind regards
=> why: signature

## a greeting before a comma
Thanks, ida.roe@north.example
=> asked: ida.roe@north.example
=> unreadable: Thanks

## another address for replies
From: ann@west.example
Reply-To: per.holm@south.example
Subject: stop
Message-ID: <1@west.example>

Stop.
=> asked: ann@west.example | per.holm@south.example
=> unreadable:

# Messages

## French: all but one
Désinscrire tout le monde sauf ida@north.example, merci
=> asked: ida@north.example

## a table in a covering note
Hi Ann,
please unsubscribe
Ida Roe, ida@north.example
Per Holm, per@south.example
Thanks
Beatriz
beatriz@acme.example
=> asked: ida@north.example | per@south.example | beatriz@acme.example

## WhatsApp of Android, where each line has two cells
02/11/2026, 10:02 - Ida Roe: please remove me, ida@north.example
02/11/2026, 10:03 - Per Holm: me too, per@south.example
=> asked: ida@north.example | per@south.example

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

## Zendesk by API
{"tickets":[{"id":35436,"subject":"Stop","description":"Remove per@south.example","requester_id":20978392,"via":{"source":{"from":{"address":"ida@north.example"}}}}],"count":1}
=> asked: per@south.example | ida@north.example

## Intercom by API
{"type":"conversation","source":{"author":{"type":"user","email":"ida@north.example"},"body":"<p>stop per@south.example</p>"},"contacts":{"contacts":[{"id":"5f0"}]}}
=> asked: ida@north.example | per@south.example

## text of a PDF
Customer list, page 1 of 3
C-70001 Ida Roe ida@north.example 12.05.2024
C-70002 Per Holm per@south.example 13.05.2024
=> asked: ida@north.example | C-70001 | per@south.example | C-70002

## a log of a mail server
Nov  2 10:00:00 mx postfix/smtp[123]: 4F1A2: to=<ida@north.example>, relay=mx.north.example[192.0.2.1]:25, status=bounced
Nov  2 10:00:01 mx postfix/smtp[123]: 4F1A3: to=<per@south.example>, relay=mx.south.example[192.0.2.2]:25, status=sent
=> asked: ida@north.example | per@south.example
=> field: -
`;
