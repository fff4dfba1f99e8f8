export const DATES = String.raw`
# Columns in which some rows have a date

## an objection, dated in one of four rows
E-Mail;Widerspruch
ida@north.example;
per@south.example;03.04.2026
lin@east.example;
ann@west.example;
=> asked: ida@north.example | per@south.example | lin@east.example | ann@west.example
=> question: Widerspruch
=> why: Choose who is meant first

## an objection to advertising
E-Mail;Werbewiderspruch am
ida@north.example;-
per@south.example;3.4.26
lin@east.example;k. A.
=> asked: ida@north.example | per@south.example | lin@east.example
=> question: Werbewiderspruch am

## a cancellation, dated in half of the rows
E-Mail;Kündigung
ida@north.example;2026-04-03
per@south.example;
lin@east.example;2026-04-04 10:00
ann@west.example;
=> asked: ida@north.example | per@south.example | lin@east.example | ann@west.example
=> question: Kündigung

## dates, a no and a remark
E-Mail;Kündigung
ida@north.example;03.04.2026
per@south.example;nein
lin@east.example;offen
ann@west.example;04.04.2026
=> asked: ida@north.example | per@south.example | lin@east.example | ann@west.example
=> question: Kündigung

## dates in English words
Email,Objection received
ida@north.example,"Apr 3, 2026"
per@south.example,n/a
=> asked: ida@north.example | per@south.example
=> question: Objection received

## dates in German words
E-Mail;Austritt
ida@north.example;3. April 2026
per@south.example;keine Angabe
=> asked: ida@north.example | per@south.example
=> question: Austritt

## an objection, in French
Adresse e-mail;Opposition reçue le
ida@north.example;03/04/2026
per@south.example;non renseigné
=> asked: ida@north.example | per@south.example
=> question: Opposition reçue le

## a departure, in Spanish
Correo electrónico;Fecha de salida
ida@north.example;03/04/2026
per@south.example;s/d
=> asked: ida@north.example | per@south.example
=> question: Fecha de salida

## a date without more
Email,Date
ida@north.example,2026-04-03
per@south.example,
=> asked: ida@north.example | per@south.example
=> question: Date

## without headings
ida@north.example;2026-04-03
per@south.example;
=> asked: ida@north.example | per@south.example
=> question: Column 2

## all are dated
E-Mail;Widerspruch
ida@north.example;03.04.2026
per@south.example;04.04.2026
=> selected: ida@north.example | per@south.example

## one row, dated
E-Mail;Kündigung
ida@north.example;03.04.2026
=> selected: ida@north.example

## an unsubscribe that was revoked, with all dated
E-Mail;Abmeldung widerrufen am
ida@north.example;03.04.2026
per@south.example;04.04.2026
=> asked: ida@north.example | per@south.example
=> question: Abmeldung widerrufen am

## a block that was lifted, in one row
E-Mail;Sperre aufgehoben
ida@north.example;ja
=> asked: ida@north.example
=> question: Sperre aufgehoben

## known headings of an unsubscribe decide: Opted out on
Email,Opted out on
ida@north.example,2026-04-03
per@south.example,
=> selected: ida@north.example
=> asked: per@south.example
=> states: Opted out on

## known headings of an unsubscribe decide: Datum der Abmeldung
E-Mail;Datum der Abmeldung
ida@north.example;03.04.2026
per@south.example;
=> selected: ida@north.example
=> asked: per@south.example
=> states: Datum der Abmeldung

## known headings of an unsubscribe decide: Date de désinscription
E-mail;Date de désinscription
ida@north.example;03/04/2026
per@south.example;
=> selected: ida@north.example
=> asked: per@south.example
=> states: Date de désinscription

## known headings of an unsubscribe decide: Fecha de baja
Correo;Fecha de baja
ida@north.example;03/04/2026
per@south.example;
=> selected: ida@north.example
=> asked: per@south.example
=> states: Fecha de baja

## the last unsubscribe, with nothing known, and a text
E-Mail;Letzte Abmeldung
ida@north.example;03.04.2026
per@south.example;k. A.
lin@east.example;siehe Akte
=> selected: ida@north.example
=> asked: per@south.example | lin@east.example
=> states: Letzte Abmeldung
=> why: “Letzte Abmeldung” says “

## other dates don't matter: Geburtstag
E-Mail;Geburtstag
ida@north.example;03.04.1986
per@south.example;
=> selected: ida@north.example | per@south.example

## other dates don't matter: Date of birth
Email,Date of birth
ida@north.example,1986-04-03
per@south.example,
=> selected: ida@north.example | per@south.example

## other dates don't matter: Date de naissance
E-mail;Date de naissance
ida@north.example;03/04/1986
per@south.example;
=> selected: ida@north.example | per@south.example

## other dates don't matter: Fecha de nacimiento
Correo;Fecha de nacimiento
ida@north.example;03/04/1986
per@south.example;
=> selected: ida@north.example | per@south.example

## other dates don't matter: several
email;Date Created;LAST_CHANGED;Last Open;Letzte Bestellung;Wiedervorlage
ida@north.example;2026-04-03;;2026-04-03;;03.04.2026
per@south.example;;2026-04-03;;03.04.2026;
=> selected: ida@north.example | per@south.example

## other dates don't matter: when people were active, and customers
Email,Last Active,First Active,Became a Customer Date,Kunde seit
ida@north.example,2026-04-03,,2026-04-03,
per@south.example,,2026-04-03,,2026-04-03
=> selected: ida@north.example | per@south.example

## other dates don't matter: shortened, with an apostrophe, of contacts
E-Mail;geb. am;Geb.-Datum;Letzter Kontakt;Last order placed;Date d’anniversaire;Last contact
ida@north.example;03.04.1986;;03.04.2026;;03/04/1986;
per@south.example;;03.04.1986;;03.04.2026;;03.04.2026
=> selected: ida@north.example | per@south.example

## dates among notes
E-Mail;Bemerkung
ida@north.example;03.04.2026 angerufen
per@south.example;04.04.2026
=> selected: per@south.example
=> asked: ida@north.example
=> why: 03.04.2026 angerufen

## an objection that was withdrawn, in German, with all dated
E-Mail;Widerspruch zurückgezogen am
ida@north.example;03.04.2026
per@south.example;04.04.2026
=> asked: ida@north.example | per@south.example
=> question: Widerspruch zurückgezogen am

## an objection that was withdrawn, in English
Email,Objection withdrawn
ida@north.example,yes
=> asked: ida@north.example
=> question: Objection withdrawn

## an objection that was withdrawn, in French
E-mail;Opposition retirée le
ida@north.example;03/04/2026
=> asked: ida@north.example
=> question: Opposition retirée le

## an objection that was withdrawn, in Spanish
Correo;Oposición anulada el
ida@north.example;03/04/2026
=> asked: ida@north.example
=> question: Oposición anulada el

## forms of dates that programs write
Email;Ausgetreten;Zurückgestellt
ida@north.example;Fri, 21 Oct 2026 11:02:55 UTC;2026-04-03T10:00:00.000Z
per@south.example;;
lin@east.example;Fri Oct 21 2026 11:02:55 GMT+0200;3.4.
=> asked: ida@north.example | per@south.example | lin@east.example
=> question: Ausgetreten | Zurückgestellt

## campaigns that are named after a year don't make the others doubtful
Email,Unsubscribe campaign
ida@north.example,Spring 2026
per@south.example,Summer
=> selected: ida@north.example | per@south.example

## numbers that count
Email,Hard bounces (30 days)
ida@north.example,1
per@south.example,1
=> selected: ida@north.example | per@south.example

## numbers and names are no dates
Email,Mobile,Code,Street,Article
ida@north.example,+44 20 7946 0958,17600000,12 Mayfield,Set 2
per@south.example,,,,
=> selected: ida@north.example | per@south.example

## an event that is known next to the unsubscribe
E-Mail;Abmeldedatum;Anmeldedatum;Geburtstag;SMS-Abmeldung am
ida@north.example;03.04.2026;;03.04.1986;
per@south.example;;01.01.2024;;03.04.2026
=> selected: ida@north.example
=> asked: per@south.example
=> states: Abmeldedatum

## an unknown event next to the unsubscribe
E-Mail;Abmeldedatum;Rücknahme
ida@north.example;03.04.2026;
per@south.example;03.04.2026;04.04.2026
=> asked: ida@north.example | per@south.example
=> states: Abmeldedatum
=> question: Rücknahme

## a confirmation of the opt-in, which may be empty
E-Mail;DOI bestätigt
ida@north.example;
per@south.example;03.04.2026
=> asked: ida@north.example | per@south.example

## a confirmation of the opt-in next to the unsubscribe
E-Mail;Letzte Abmeldung;DOI bestätigt;Bemerkung
ida@north.example;03.04.2026;;
per@south.example;k. A.;01.01.2024;
lin@east.example;03.04.2026;01.01.2024;will weiter Mails
=> selected: ida@north.example
=> asked: per@south.example | lin@east.example

# People who came back

## all signed up again
E-Mail;Wiederanmeldung
ida@north.example;03.04.2026
per@south.example;04.04.2026
=> asked: ida@north.example | per@south.example
=> why: “Wiederanmeldung” says “0

## one signed up again
E-Mail;Wiederanmeldung
ida@north.example;03.04.2026
per@south.example;
lin@east.example;
=> asked: ida@north.example | per@south.example | lin@east.example
=> question: Wiederanmeldung

## one row, with an answer
E-Mail;Wieder angemeldet
ida@north.example;ja
=> asked: ida@north.example
=> why: “Wieder angemeldet” says “ja”

## after the unsubscribe, in German
E-Mail;Abgemeldet am;Wieder angemeldet am
ida@north.example;01.02.2026;
per@south.example;01.02.2026;03.04.2026
lin@east.example;;
=> selected: ida@north.example
=> asked: per@south.example | lin@east.example
=> states: Abgemeldet am | Wieder angemeldet am

## after the unsubscribe, in English
Email,Unsubscribed,Re-subscribed
ida@north.example,2026-02-01,
per@south.example,2026-02-01,2026-04-03
=> selected: ida@north.example
=> asked: per@south.example
=> why: “Re-subscribed” says “2026-04-03”

## after the unsubscribe, in French
E-mail;Désinscrit le;Réinscrit le
ida@north.example;01/02/2026;
per@south.example;01/02/2026;03/04/2026
=> selected: ida@north.example
=> asked: per@south.example

## after the unsubscribe, in Spanish
Correo;Fecha de baja;Reactivado el
ida@north.example;01/02/2026;
per@south.example;01/02/2026;03/04/2026
=> selected: ida@north.example
=> asked: per@south.example

## after the unsubscribe, with yes and no
Email,Unsubscribed,Subscribed again
ida@north.example,yes,no
per@south.example,yes,yes
=> selected: ida@north.example
=> asked: per@south.example

## in one row
E-Mail;Abgemeldet am;Reaktiviert am
ida@north.example;01.02.2026;03.04.2026
=> asked: ida@north.example

## next to a column that is asked about
E-Mail;Widerspruch;Reaktiviert am
ida@north.example;01.02.2026;03.04.2026
per@south.example;01.02.2026;
lin@east.example;;
=> asked: ida@north.example | per@south.example | lin@east.example
=> states: Reaktiviert am
=> question: Widerspruch

## unsubscribed again
E-Mail;Wieder abgemeldet am
ida@north.example;03.04.2026
per@south.example;
=> asked: ida@north.example | per@south.example
=> question: Wieder abgemeldet am

# Notes

## notes about staying, after other words
E-Mail;Abgemeldet am;Bemerkung
ida@north.example;03.04.2026;angerufen im Mai
per@south.example;03.04.2026;Kunde möchte nicht abgemeldet werden
lin@east.example;03.04.2026;nicht erreicht
=> asked: ida@north.example | per@south.example | lin@east.example
=> why: Comment in “Bemerkung”

## notes about staying, in English, French and Spanish
Email,Remarks,Remarques,Observaciones
ida@north.example,She wants to stay,,
per@south.example,,le client souhaite continuer,
lin@east.example,,,quiere seguir
ann@west.example,wrong name,,
=> asked: ida@north.example | per@south.example | lin@east.example | ann@west.example
=> why: Comment in

## a note doesn't decide for the others
Email,Status,Notes
ida@north.example,2,Please keep
per@south.example,1,
=> asked: ida@north.example | per@south.example
`;
