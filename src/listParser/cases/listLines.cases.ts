export const LIST_LINES = String.raw`
# Lines of text around a list

## a line above a list: Wszyscy oprócz ostatniego:
Wszyscy oprócz ostatniego:
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
=> asked: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: Wszyscy oprócz ostatniego:
=> why: Wszyscy oprócz ostatniego:

## a line above a list: Please remove everyone but the last one
Please remove everyone but the last one
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
=> asked: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: Please remove everyone but the last one
=> why: Please remove everyone but the last one

## a line above a list: Whitelist
Whitelist
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
=> asked: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: Whitelist
=> why: Whitelist

## a line above a list: Neue Abonnenten November
Neue Abonnenten November
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
=> asked: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: Neue Abonnenten November
=> why: Neue Abonnenten November

## a line above a list: À conserver
À conserver
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
=> asked: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: À conserver
=> why: À conserver

## a line above a list: Unsubscribe list (first four only)
Unsubscribe list (first four only)
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
=> asked: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: Unsubscribe list (first four only)
=> why: Unsubscribe list (first four only)

## a line above a list: Abmelden bis auf Bob:
Abmelden bis auf Bob:
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
=> asked: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: Abmelden bis auf Bob:
=> why: Abmelden bis auf Bob:

## a line above a list: Invitation list for Thursday dinner
Invitation list for Thursday dinner
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
=> asked: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: Invitation list for Thursday dinner
=> why: Invitation list for Thursday dinner

## a line above a list: Do not unsubscribe
Do not unsubscribe
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
=> asked: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: Do not unsubscribe
=> why: Do not unsubscribe

## a line above a list: Dopisz do listy:
Dopisz do listy:
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
=> asked: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: Dopisz do listy:
=> why: Dopisz do listy:

## a line above a list: VIP-Kunden, nie abmelden:
VIP-Kunden, nie abmelden:
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
=> asked: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: VIP-Kunden, nie abmelden:
=> why: VIP-Kunden, nie abmelden:

## a line above a list: Ohne die letzte Adresse abmelden
Ohne die letzte Adresse abmelden
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
=> asked: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: Ohne die letzte Adresse abmelden
=> why: Ohne die letzte Adresse abmelden

## a line below a list: Bitte nur die ersten drei!
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
Bitte nur die ersten drei!
=> asked: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: Bitte nur die ersten drei!
=> why: Bitte nur die ersten drei!

## a line below a list: Bob lassen wir aber drin.
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
Bob lassen wir aber drin.
=> asked: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: Bob lassen wir aber drin.
=> why: Bob lassen wir aber drin.

## a line below a list: The last two are staff, leave them alone
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
The last two are staff, leave them alone
=> asked: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: The last two are staff, leave them alone
=> why: The last two are staff, leave them alone

## a known line above a list: Bitte abmelden:
Bitte abmelden:
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
=> selected: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: Bitte abmelden:

## a known line above a list: Please unsubscribe these:
Please unsubscribe these:
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
=> selected: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: Please unsubscribe these:

## a known line above a list: Hi team, please remove:
Hi team, please remove:
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
=> selected: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: Hi team, please remove:

## a known line above a list: Abmeldungen November 2026
Abmeldungen November 2026
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
=> selected: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: Abmeldungen November 2026

## a known line above a list: Merci de désabonner :
Merci de désabonner :
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
=> selected: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: Merci de désabonner :

## a known line above a list: Proszę wypisać:
Proszę wypisać:
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
=> selected: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: Proszę wypisać:

## a known line above a list: Unsubscribes
Unsubscribes
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
=> selected: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: Unsubscribes

## a known line, thanks and a name
Hallo zusammen,
bitte diese Adressen abmelden:
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
Danke, Uwe
=> selected: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: Hallo zusammen, | bitte diese Adressen abmelden: | Danke, Uwe

## a name on its own below thanks
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
Thanks
Uwe Kollege
uwe@west.example
=> selected: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> asked: uwe@west.example
=> unreadable: Thanks | Uwe Kollege
=> why: signature

## a heading below thanks
Thanks
Whitelist
ann@north.example
bob@north.example
chloe@north.example
dan@north.example
eve@north.example
fay@north.example
=> asked: ann@north.example | bob@north.example | chloe@north.example | dan@north.example | eve@north.example | fay@north.example
=> unreadable: Thanks | Whitelist
`;
