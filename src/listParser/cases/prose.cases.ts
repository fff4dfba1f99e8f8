export const PROSE = String.raw`
# What isn't read in a sentence

## misspelt addresses and local numbers
Please unsubscribe bert@own,example and carla @own.example, or call 0171 5550123 / 020 7946 0123
=> asked:
=> unreadable: bert@own,example (in “Please unsubscribe bert@own,example and carla @own.example, or call 0171 5550123 / 020 7946 0123”) | carla @own.example (in “Please unsubscribe bert@own,example and carla @own.example, or call 0171 5550123 / 020 7946 0123”) | 0171 5550123 (in “Please unsubscribe bert@own,example and carla @own.example, or call 0171 5550123 / 020 7946 0123”) | 020 7946 0123 (in “Please unsubscribe bert@own,example and carla @own.example, or call 0171 5550123 / 020 7946 0123”)

## next to an address that is read
Please remove ida@north.example and per @ south.example today
=> asked: ida@north.example
=> unreadable: per @ south.example (in “Please remove ida@north.example and per @ south.example today”)

## without an end, a start, a dot or a letter
please remove kim@ now
and @west.example too
and lin@east please
and per @south.example thanks
=> asked:
=> unreadable: kim@ (in “please remove kim@ now”) | and @west.example (in “and @west.example too”) | lin@east (in “and lin@east please”) | per @south.example (in “and per @south.example thanks”)

## the same twice is shown once
please remove lin@east soon
I said lin@east, and ida@north.example
=> asked: ida@north.example
=> unreadable: lin@east (in “please remove lin@east soon”)

## numbers as phones are written
please take (415) 555-0132 off
and 06 12 34 56 78 too
or 555-0123 in town
or phone 7946 0123 first
ring 030/1234567 then
=> asked:
=> unreadable: (415) 555-0132 (in “please take (415) 555-0132 off”) | 06 12 34 56 78 (in “and 06 12 34 56 78 too”) | 555-0123 (in “or 555-0123 in town”) | 7946 0123 (in “or phone 7946 0123 first”) | 030/1234567 (in “ring 030/1234567 then”)

## next to a date
on 01.02.2026 0171 5550123 asked for it
=> asked:
=> unreadable: 0171 5550123 (in “on 01.02.2026 0171 5550123 asked for it”)

## numbers of other things
Hello, on 12.05.2026 at 10:30 and from 01.02.2026 to 03.02.2026 we paid 1.234.567,00 EUR
and €12.345.678 or 12 345 678 EUR for order 12345678 and 87654321, #0171 5550123
invoice INV-2026-0017 to DE89 3704 0044 0532 0130 00, VAT DE123456789, Order no. 0123456789
https://x.example/@ida.roe/1234567 from 192.168.10.20, version 10.15.7.1234, 0.12345678
Fax 030 1234567, ida@north.example
=> asked: ida@north.example
=> unreadable:
=> field: -

## a signature
Please remove ida@north.example from your list
--
Ann West, Acme GmbH, Street 12, 10115 Berlin
HRB 123456, USt-ID: DE 123 456 789, VAT DE123456789, IBAN DE89 3704 0044 0532 0130 00
Mon-Fri 09:00-17:00, est. 1998-2026
=> asked: ida@north.example
=> unreadable:
=> field: -

## a number in what a reply quotes is not its author's
From: Ida Roe <ida@north.example>
To: Acme News <news@acme.example>
Subject: Re: Spring
Message-ID: <1@north.example>

Please unsubscribe me.

On Mon, 2 Nov 2026 Acme News <news@acme.example> wrote:
> Call us: 030 1234567
=> asked: ida@north.example | news@acme.example
=> unreadable: 030 1234567 (in “> Call us: 030 1234567”)
=> author: ida@north.example

# Lists with a line of text

## a line of thanks leaves the list a list
a1@north.example
a2@north.example
a3@north.example
Thanks.
a4@north.example
a5@north.example
Best, Ann
=> selected: a1@north.example | a2@north.example | a3@north.example | a4@north.example | a5@north.example
=> unreadable: Thanks. | Best, Ann

## a sentence with an address is asked about
Hello, please unsubscribe these:
a1@north.example
a2@north.example; a3@north.example
+44 20 7946 0958
a5@north.example
and perhaps ida@north.example, who wrote twice
=> asked: a1@north.example | a2@north.example | a3@north.example | +44 20 7946 0958 | a5@north.example | ida@north.example
=> unreadable: Hello, please unsubscribe these:

## what stands below the last line of text may sign it
a1@north.example
a2@north.example
a3@north.example
a4@north.example
Kind regards, Ann
ann@west.example
=> selected: a1@north.example | a2@north.example | a3@north.example | a4@north.example
=> asked: ann@west.example
=> unreadable: Kind regards, Ann
=> why: signature

## a line that says that some stay
a1@north.example
a2@north.example
a3@north.example
a4@north.example
But keep the next one
a5@north.example
=> asked: a1@north.example | a2@north.example | a3@north.example | a4@north.example | a5@north.example
=> unreadable: But keep the next one

## a heading between
Remove
a1@north.example
a2@north.example
a3@north.example
a4@north.example
Ponechat:
a5@north.example
a6@north.example
=> asked: a1@north.example | a2@north.example | a3@north.example | a4@north.example | a5@north.example | a6@north.example
=> unreadable: Remove | Ponechat:
=> why: The text says “Ponechat:”

## a misspelt address within a list with text
a1@north.example
a2@north.example
a3@north.example
please also bert@own,example and 0171 5550123
=> asked: a1@north.example | a2@north.example | a3@north.example
=> unreadable: bert@own,example (in “please also bert@own,example and 0171 5550123”) | 0171 5550123 (in “please also bert@own,example and 0171 5550123”)
=> why: The text says

## more text than addresses is a message
Hello Ann,
thanks for the call.
a1@north.example
a2@north.example
a3@north.example
Talk soon
=> asked: a1@north.example | a2@north.example | a3@north.example
=> unreadable: Hello Ann, | thanks for the call. | Talk soon
=> why: The text says “thanks for the call.”, “Talk soon”
`;
