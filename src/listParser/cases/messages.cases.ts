export const MESSAGES = String.raw`
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
`;
