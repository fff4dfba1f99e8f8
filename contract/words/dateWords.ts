import type { Words } from './wordLists.ts';
import { contains, isOfOtherState, isSureHeading, sideOf } from './stateWords.ts';

// Dates in cells, and what a column of them is about.

const MONTHS = String.raw`jan|feb|mar|mrz|apr|abr|avr|may|mai|mei|maj|mag|jun|juin|jul|juil|aug|aou|ago|sep|set|oct|okt|out|ott|nov|dec|dez|dic|ene|fev|gen|giu|lug|sty|lut|kwi|cze|lip|sie|wrz|paz|lis|gru`;
const TIME = String.raw`(?:[t ,]+(?:um |at |a )?\d{1,2}[:.h]\d{2}.*)?`;
const DAY = String.raw`(?:0?[1-9]|[12]\d|3[01])`;
const YEAR = String.raw`(?:19|20)\d\d`;
/** In digits, or with the name of a month. Only forms that nothing else has may be without a year. */
const DATE = new RegExp(
  String.raw`^(?:\p{L}{2,10}[.,] ?|\p{L}{2,3} )?(?:` +
    [
      String.raw`${YEAR}([./-])(?:0?[1-9]|1[0-2])\1${DAY}`,
      String.raw`${DAY}([./-])${DAY}\2(?:(?:19|20)?\d\d)`,
      String.raw`${DAY}\.(?:0?[1-9]|1[0-2])\.`,
      String.raw`${DAY}[.,]?(?:st|nd|rd|th|er)?[ -](?:de )?(?:${MONTHS})\p{L}{0,7}[.,]?[ -](?:de )?(?:${YEAR}|\d\d)`,
      String.raw`${DAY}(?:\.|st|nd|rd|th) ?(?:${MONTHS})\p{L}{0,7}\.?`,
      String.raw`(?:${MONTHS})\p{L}{0,7}\.? ${DAY}(?:st|nd|rd|th|,)? ${YEAR}`,
      String.raw`${YEAR}年\d{1,2}月\d{1,2}日`,
    ].join('|') +
    String.raw`)${TIME}$`,
  'u',
);
/** Whether a folded cell is a date and nothing else. */
export const isDate = (text: string): boolean => text.length <= 40 && DATE.test(text);

/** Words of a heading that say no more than its dates. */
const DATE_WORDS: Words = {
  en: 'when, since, timestamp, last, latest, first, utc',
  de: 'datum, zeitpunkt, zeit, uhrzeit, seit, wann, letzte, letzter, letztes, zuletzt, erste, erstes',
  fr: 'd, depuis, heure, dernier, derniere, premier, premiere',
  es: 'fecha, hora, desde, ultimo, ultima, primer, primera',
  it: 'data, ora, dal, ultimo, ultima, primo, prima, di',
  nl: 'datum, tijd, sinds, op, laatste, eerste, van',
  pt: 'data, hora, desde, ultimo, ultima, primeiro, primeira',
  pl: 'data, czas, od, ostatni, ostatnia, ostatnie, pierwszy',
};
/** What else may be dated. */
const OTHER_EVENTS: Words = {
  en: 'birth, birthday, birthdate, dob, created, create, creation, added, imported, updated, update, modified, changed, opened, open, opens, clicked, click, clicks, sent, seen, visit, visited, login, activity, order, ordered, placed, purchase, purchased, payment, invoice, called, contacted, last contact, follow up, last active, first active, customer, became',
  de: 'geb, kontakt, kontaktiert, geburtstag, geburtsdatum, geburt, geboren, erstellt, angelegt, importiert, hinzugefügt, geändert, änderung, aktualisiert, öffnung, geöffnet, klick, geklickt, gesendet, versendet, besuch, aktivität, bestellung, bestellt, kauf, zahlung, rechnung, anruf, wiedervorlage, kunde, kundin, erstelldatum, änderungsdatum, bestelldatum, kaufdatum, rechnungsdatum',
  fr: 'naissance, anniversaire, cree, creation, ajoute, importe, modifie, modification, ouverture, ouvert, clic, envoi, envoye, visite, connexion, activite, commande, achat, paiement, facture, appel, relance, client',
  es: 'nacimiento, cumpleanos, creado, creacion, anadido, importado, modificado, modificacion, actualizado, apertura, abierto, clic, envio, enviado, visita, acceso, actividad, pedido, compra, pago, factura, llamada, cliente',
  it: 'nascita, compleanno, creato, creazione, aggiunto, importato, modificato, modifica, aggiornato, apertura, aperto, clic, invio, inviato, visita, accesso, attivita, ordine, acquisto, pagamento, fattura, chiamata, cliente',
  nl: 'geboorte, geboortedatum, verjaardag, aangemaakt, toegevoegd, gewijzigd, bijgewerkt, geopend, klik, verzonden, bezoek, activiteit, bestelling, aankoop, betaling, factuur, klant, besteldatum, aanmaakdatum',
  pt: 'nascimento, aniversario, criado, criacao, adicionado, importado, modificado, alterado, atualizado, abertura, aberto, clique, envio, enviado, visita, acesso, atividade, pedido, compra, pagamento, fatura, cliente',
  pl: 'urodzenia, urodziny, utworzono, utworzenia, dodano, dodania, zmieniono, zmiany, zmodyfikowano, otwarcia, otwarcie, klikniecie, wyslano, wizyta, logowania, zamowienia, zamowienie, zakupu, zakup, platnosci, klient',
};
/** Signing up, next to the words of `stateWords.ts`. */
const SIGN_UPS: Words = {
  en: 'subscribe, subscription, sign up, signed up, registered, registration, joined, confirm, confirmation, activated, activation, verified, optin',
  de: 'anmeldung, anmeldedatum, registriert, registrierung, registrierungsdatum, aktiviert, aktivierung, aktivierungsdatum, bestätigung, eintragung',
  fr: 'inscription, abonnement, confirmation, activation',
  es: 'suscripcion, registro, confirmacion, activacion',
  it: 'iscrizione, registrazione, conferma, attivazione',
  nl: 'aanmelding, aanmelddatum, inschrijving, bevestiging',
  pt: 'inscricao, cadastro, confirmacao, ativacao',
  pl: 'zapisu, rejestracji, potwierdzenia, aktywacji',
};
/** Coming back after an unsubscribe. */
const RETURNS: Words = {
  en: 're subscri*, re activat*, re join*, re opt*, re enabl*, re instat*, re confirm*, re sign*, re regist*, re consent*, re added, again, came back, restored, unblock*, unsuppress*',
  de: 'wieder, wiederan*, wiederein*, wiederaufnahme, wiederaufgenommen, wiederabonn*, erneut, reaktiv*, entsperr*, rückkehr*, rückgängig, aufgehoben, aufhebung',
  fr: 're abonn*, re inscri*, re activ*, de nouveau, a nouveau, debloqu*',
  es: 're activ*, re suscri*, re incorpor*, de nuevo, otra vez, desbloque*',
  it: 'riattiv*, re iscri*, riiscri*, di nuovo, nuovamente, sblocc*',
  nl: 'heraangemeld, heraanmeld*, heractiv*, opnieuw, weer, gedeblokkeerd',
  pt: 're ativ*, re inscri*, novamente, de novo, desbloque*',
  pl: 'ponown*, reaktyw*, wznow*, odblok*',
};
/** Taking something back, be it a consent or an objection. */
const REVERSALS: Words = {
  en: 'withdrawn, retracted, revoked, reversed, lifted, undone',
  de: 'zurückgezogen, zurückgenommen, rücknahme, widerrufen, storniert, beendet',
  fr: 'retir*, annul*, leve, levee',
  es: 'retirad*, anulad*, revocad*',
  it: 'ritirat*, annullat*, revocat*',
  nl: 'ingetrokken, herroepen',
  pt: 'retirad*, anulad*, revogad*',
  pl: 'wycofan*, anulowan*, cofniet*',
};
const NOTES: Words = {
  en: 'note*, comment*, remark*',
  de: 'notiz*, kommentar*, *bemerkung*, anmerkung*, hinweis*',
  fr: 'note*, commentaire*, remarque*',
  es: 'nota, notas, comentario*, observacion*',
  it: 'nota, note, commento, commenti, osservazion*',
  nl: 'notitie*, opmerking*',
  pt: 'nota, notas, comentario*, observaco*, observacao',
  pl: 'notatk*, uwag*, komentarz*',
};
const REASONS: Words = {
  en: 'reason*',
  de: '*grund, *gründe',
  fr: 'motif*, raison*',
  es: 'motivo*, razon*',
  it: 'motivo*, ragione',
  nl: 'reden*',
  pt: 'motivo*, razao',
  pl: 'powod*',
};
/** Headings of names, places and what programs write, whose cells are no remarks. */
const NO_REMARKS: Words = {
  en: 'name*, company*, organisation*, organization*, address*, street, city, town, region, country, title, position, department, role, campaign*, subject, source*, url*, link*, tag*, label*, group*, list*, segment*, product*, error*, diagnos*, response, message id, user agent, device, browser, industry, language, type, category, categories, domain, line, text, result, contact',
  de: '*name*, firma, firmen*, unternehmen*, organisation*, adresse*, anschrift, straße, strasse, ort, stadt, land, anrede, titel, abteilung, funktion, *kampagne*, betreff, *quelle*, gruppe*, liste*, *produkt*, *fehler*, branche, sprache, typ, kategorie*',
  fr: 'nom*, prenom*, societe*, entreprise*, adresse*, rue, ville, pays, fonction, service, campagne*, sujet, objet, groupe*, liste*, produit*, erreur*',
  es: 'nombre*, apellido*, empresa*, direccion*, calle, ciudad, pais, cargo, campana*, asunto, grupo*, lista*, producto*, error*',
  it: 'nome*, cognome*, azienda*, societa, indirizzo*, via, citta, paese, ruolo, campagna*, oggetto, gruppo*, elenco*, prodotto*, errore*',
  nl: '*naam*, bedrijf*, organisatie*, adres*, straat, plaats, land, functie, campagne*, onderwerp, groep*, lijst*, *product*, fout*',
  pt: 'nome*, sobrenome*, empresa*, endereco*, rua, cidade, pais, cargo, campanha*, assunto, grupo*, lista*, produto*, erro*',
  pl: 'nazwa*, imie*, nazwisko*, firma*, adres*, ulica, miasto, kraj, stanowisko, kampania*, temat, grupa*, lista*, produkt*',
};

const DATE_WORD = new RegExp(contains(DATE_WORDS).source, 'gu');
const OTHER_EVENT = new RegExp(contains(OTHER_EVENTS).source, 'gu');
const SIGN_UP = new RegExp(contains(SIGN_UPS).source, 'gu');
const isOfReturn = contains(RETURNS);
const isOfReversal = contains(REVERSALS);
const isOfNotes = contains(NOTES);
const isOfReason = contains(REASONS);
const isOfNoRemarks = contains(NO_REMARKS);

/** `isSureHeading` for a column of dates. */
export const isSureDateHeading = (name: string): boolean => isSureHeading(name.replaceAll(DATE_WORD, ' '));
/** Whether the dates are certainly about something else, such as birthdays. */
export const isOfOtherDates = (name: string): boolean => {
  const rest = name.replaceAll(OTHER_EVENT, ' ');
  return rest !== name && sideOf(rest) === null && isSureDateHeading(rest);
};
export const isOfSignUps = (name: string): boolean => {
  const rest = name.replaceAll(SIGN_UP, ' ');
  return (sideOf(name) === 'in' || (rest !== name && sideOf(name) === null)) && isSureDateHeading(rest);
};
/** Whether yes, or a date, may mean either, even if all rows are alike: `Unsubscribe revoked`. */
export const isDoubtfulHeading = (name: string): boolean =>
  (sideOf(name) === 'out' || isOfReversal.test(name)) && !isOfOtherState.test(name);
/** Whether a folded heading is about people who came back; `Unsubscribed again` isn't. */
export const isReturnHeading = (name: string): boolean =>
  isOfReturn.test(name) && sideOf(name) !== 'out' && !isOfOtherState.test(name);
export const isNotesHeading = (name: string): boolean => isOfNotes.test(name);
/** Whether each text of a column is a remark about its row, only its sentences are, or none. */
export function readRemarks(name: string): 'all' | 'sentences' | 'none' {
  if (isNotesHeading(name)) return 'all';
  // The reason of an unsubscribe says no more.
  if (isOfReason.test(name)) return sideOf(name) === 'out' ? 'none' : 'all';
  return isOfNoRemarks.test(name) ? 'none' : 'sentences';
}
