export const ROW_COMMENTS = String.raw`
# What rows say of themselves and of each other

## a comment next to yes
E-Mail;Abgemeldet?;Kommentar
ann@north.example;ja;Irrtum, bitte wieder anmelden
bob@north.example;ja;
chloe@north.example;ja;bitte abmelden
=> asked: ann@north.example
=> selected: bob@north.example | chloe@north.example
=> why: Irrtum, bitte wieder anmelden

## a reason that isn't one
E-Mail;Grund
ann@north.example;Abmeldung per Mail
bob@north.example;will bleiben
chloe@north.example;Spam
=> selected: ann@north.example | chloe@north.example
=> asked: bob@north.example
=> why: will bleiben

## a sentence below any other heading
Email,Was tun
ann@north.example,
bob@north.example,nur die Zweitadresse löschen bitte
=> selected: ann@north.example
=> asked: bob@north.example
=> why: nur die Zweitadresse

## a sentence without headings
ann@north.example,
bob@north.example,only if he agrees
=> selected: ann@north.example
=> asked: bob@north.example

## companies and streets are no comments
Email;Company;Address
ann@north.example;Verein der Freunde des Hauses;Am Rand der Stadt 3
bob@north.example;Acme;
=> selected: ann@north.example | bob@north.example

## the same person with yes and no
E-Mail;Abgemeldet
ann@north.example;ja
bob@north.example;nein
ANN@north.example;nein
bob@north.example;ja
eve@north.example;ja
=> selected: eve@north.example
=> asked: ann@north.example | bob@north.example
=> why: disagree

## the same person with and without a comment
Email,Note
ann@north.example,
ann@north.example,stays with us
=> asked: ann@north.example
=> why: Lines 2 and 3 disagree

## an empty opt-in date is no answer
E-Mail;Opt-in-Datum
ann@north.example;03.11.2026
bob@north.example;
=> asked: ann@north.example | bob@north.example

## an empty consent is no answer
E-Mail;Newsletter
ann@north.example;ja
bob@north.example;
chloe@north.example;nein
=> asked: ann@north.example | bob@north.example
=> selected: chloe@north.example

## bullets aren't the rest of an address
Please remove
- ann@north.example
- bob@north.example
But surely not eve@north.example, she stays.
=> asked: ann@north.example | bob@north.example | eve@north.example

## a signature mark isn't the rest of an address
hello, we spoke about ann@north.example today and bob@north.example
--
Uwe
=> asked: ann@north.example | bob@north.example

`;
