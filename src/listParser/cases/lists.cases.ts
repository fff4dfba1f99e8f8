export const LISTS = String.raw`
# Lists

## bars
ida.roe@north.example | per.holm@south.example
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

## bullets and numbers of Word
·	ida@north.example
o	per@south.example
3)	lin@east.example
=> selected: ida@north.example | per@south.example | lin@east.example

## recipients as Outlook copies them
Roe, Ida <ida@north.example>; 'per@south.example' <per@south.example>; Wu Lin (East) <lin@east.example>
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

## numbers that a spreadsheet has shortened
4,42E+11
4.42079E+11
=> unreadable: 4,42E+11 | 4.42079E+11

## headings in other languages
Correo electrónico
ida@north.example
per@south.example
=> selected: ida@north.example | per@south.example

## an address broken twice by a hard wrap in quotes
> ida.long-
> name@north.example
=> asked: ida.long-name@north.example | name@north.example
`;
