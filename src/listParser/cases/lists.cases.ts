export const LISTS = String.raw`
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
`;
