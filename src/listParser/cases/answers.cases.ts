export const ANSWERS = String.raw`
# Columns of yes and no, whose headings don't say who is to be unsubscribed

## a cancellation, in German
E-Mail;Kündigung
ida@north.example;ja
per@south.example;nein
=> asked: ida@north.example | per@south.example
=> question: Kündigung
=> why: Choose who is meant first

## a withdrawal, in other letter case and with a full stop
E-Mail;Austritt
ida@north.example;JA
per@south.example;Nein.
=> asked: ida@north.example | per@south.example
=> question: Austritt

## one letter each
Email,Stop mail
ida@north.example,y
per@south.example,n
=> asked: ida@north.example | per@south.example
=> question: Stop mail

## who approved it
Email,Approved
ida@north.example,yes
per@south.example,no
=> asked: ida@north.example | per@south.example
=> question: Approved

## a heading that is known still decides
Email,Opt-out
ida@north.example,true
per@south.example,false
=> selected: ida@north.example
=> asked: per@south.example
=> states: Opt-out

## numbers
Email,Ende
ida@north.example,1
per@south.example,0
=> asked: ida@north.example | per@south.example
=> question: Ende

## a cross and blanks, with an empty line
Email;Weg
ida@north.example;x
per@south.example;

=> asked: ida@north.example | per@south.example
=> question: Weg

## another mark and blanks
Email;Weg
ida@north.example;*
per@south.example;
=> asked: ida@north.example | per@south.example
=> question: Weg

## no and blanks
Email;Weg
ida@north.example;nein
per@south.example;
=> asked: ida@north.example | per@south.example
=> question: Weg

## yes, no and a remark
Email;Kündigung
ida@north.example;ja
per@south.example;nein
lin@east.example;ruft zurück
=> asked: ida@north.example | per@south.example | lin@east.example
=> question: Kündigung

## a row that says to keep its contact, among yes and no
Email;Kündigung
ida@north.example;ja
per@south.example;nein
lin@east.example;bitte behalten
=> asked: ida@north.example | per@south.example | lin@east.example
=> question: Kündigung

## two such columns
Email;Kündigung;VIP
ida@north.example;ja;nein
per@south.example;nein;nein
lin@east.example;nein;ja
=> asked: ida@north.example | per@south.example | lin@east.example
=> question: Kündigung | VIP

## without headings
ida@north.example;ja
per@south.example;nein
=> asked: ida@north.example | per@south.example
=> question: Column 2

## Ukrainian and Bulgarian
E-mail;Вихід
ida@north.example;так
per@south.example;ні
=> asked: ida@north.example | per@south.example
=> question: Вихід

## Korean
E-mail;탈퇴
ida@north.example;예
per@south.example;아니오
=> asked: ida@north.example | per@south.example
=> question: 탈퇴

## the same contact twice, with another answer
Email;Kündigung
ida@north.example;ja
ida@north.example;nein
=> asked: ida@north.example | ida@north.example
=> question: Kündigung

## next to a column that decides, only what may be about it
Email,Unsubscribed,SMS consent,Approved
ida@north.example,yes,yes,no
per@south.example,yes,no,yes
lin@east.example,no,no,yes
=> asked: ida@north.example | per@south.example | lin@east.example
=> states: Unsubscribed
=> question: Approved

## alone, another channel is asked about
Email,SMS
ida@north.example,yes
per@south.example,no
=> asked: ida@north.example | per@south.example
=> question: SMS

## a heading with a word that isn't known: Ne veut plus la newsletter
Email;Ne veut plus la newsletter
ida@north.example;oui
per@south.example;non
=> asked: ida@north.example | per@south.example
=> question: Ne veut plus la newsletter

## a heading with a word that isn't known: Ei halua uutiskirjettä
Email;Ei halua uutiskirjettä
ida@north.example;kyllä
per@south.example;ei
=> asked: ida@north.example | per@south.example
=> question: Ei halua uutiskirjettä

## a heading with a word that isn't known: Rimuovere dalla newsletter
Email;Rimuovere dalla newsletter
ida@north.example;sì
per@south.example;no
=> asked: ida@north.example | per@south.example
=> question: Rimuovere dalla newsletter

## a heading with a word that isn't known: Tar inte emot nyhetsbrev
Email;Tar inte emot nyhetsbrev
ida@north.example;ja
per@south.example;nej
=> asked: ida@north.example | per@south.example
=> question: Tar inte emot nyhetsbrev

## a heading with a word that isn't known: Newsletter Stopp
Email;Newsletter Stopp
ida@north.example;ja
per@south.example;nein
=> asked: ida@north.example | per@south.example
=> question: Newsletter Stopp

## a heading with a word that isn't known: Objects to newsletter
Email;Objects to newsletter
ida@north.example;yes
per@south.example;no
=> asked: ida@north.example | per@south.example
=> question: Objects to newsletter

## a heading with a word that isn't known: Newsletter terminated
Email;Newsletter terminated
ida@north.example;yes
per@south.example;no
=> asked: ida@north.example | per@south.example
=> question: Newsletter terminated

## a heading with a word that isn't known: Werbesperre aufgehoben
Email;Werbesperre aufgehoben
ida@north.example;ja
per@south.example;nein
=> asked: ida@north.example | per@south.example
=> question: Werbesperre aufgehoben

## a heading with a word that isn't known: Abmeldung widerrufen
Email;Abmeldung widerrufen
ida@north.example;yes
per@south.example;no
=> asked: ida@north.example | per@south.example
=> question: Abmeldung widerrufen

## a heading with a word that isn't known: Newsletter: kündigen
Email;Newsletter: kündigen
ida@north.example;x
per@south.example;
=> asked: ida@north.example | per@south.example
=> question: Newsletter: kündigen

## all say no
E-Mail;Kündigung
ida@north.example;nein
per@south.example;nein
=> asked: ida@north.example | per@south.example
=> question: Kündigung

## all say false, as programs do in any list
Email,VIP
ida@north.example,false
per@south.example,false
=> selected: ida@north.example | per@south.example

## all say yes
Email,VIP
ida@north.example,true
per@south.example,true
=> selected: ida@north.example | per@south.example

## counts
Email,Kids
ida@north.example,1
per@south.example,0
lin@east.example,3
=> selected: ida@north.example | per@south.example | lin@east.example

## sizes
Email,Size
ida@north.example,S
per@south.example,N
lin@east.example,M
=> selected: ida@north.example | per@south.example | lin@east.example

## an undecided column comes first
E-Mail privat;E-Mail Firma;Kündigung
ida@north.example;per@south.example;ja
lin@east.example;ann@west.example;nein
=> asked: ida@north.example | lin@east.example
=> question: Kündigung
=> why: Choose the column first
`;
