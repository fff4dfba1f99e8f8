import { foldText } from './foldText.ts';
import { anyWord, type Words } from './wordLists.ts';

// Subscription states in exports, by language (wordLists.ts).

const OUT: Words = {
  en: 'unsub*, opt out, opted out, opting out, group unsubscribe, clean, cleaned, bounce*, hard bounce*, complain*, complaint, spam*, spam report*, spam complaint*, junk, abuse*, suppress*, block*, blacklist*, dropped, excluded, inactive, deactivat*, cancelled, canceled, remove*, delete*, undeliverable, invalid, hard, permanent, withdraw*, revoke*, objected, suspended, denied, refused, declined',
  de: '*abgemeldet*, *abmeld*, abbestell*, ausgetragen, austrag*, gesperrt*, widersprochen, widerruf*, gekündigt, inaktiv, unerwünscht, *sperre, gebounc*, gelöscht, löschen, entfern*',
  fr: 'desabonn*, desinscri*, bloque*, supprim*, inactif',
  es: 'baja, dado de baja, dada de baja, desuscri*, cancelado, cancelada, bloquead*, eliminar, eliminad*, inactivo',
  it: 'disiscri*, cancellat*, bloccat*',
  nl: 'afgemeld*, uitgeschreven, geblokkeerd',
  pt: 'descadastrad*, desinscri*, cancelado, cancelada, bloquead*',
  pl: 'wypisan*, zablokowan*, rezygn*',
  others: 'odhlas*, odjavlj*, avregistrer*, avmeld*, frameld*, leiratk*, dezabon*, peruut*',
};
/** With a negation, which inverts all others. */
const NOT_IN: Words = {
  en: 'do not email*, do not mail*, do not contact, do not allow*, not allowed, not subscribed, no longer subscribed, not active, dnc',
  de: 'nicht zulassen, nicht mehr angemeldet, nicht angemeldet, nicht aktiv, nicht kontaktieren',
  fr: 'ne pas contacter, non inscrit, non abonne',
  es: 'no contactar, no suscrito',
  it: 'non contattare, non iscritto',
  nl: 'niet mailen, niet aangemeld',
  pt: 'nao contatar, nao inscrito',
  pl: 'nie wysylac, nie zapisany',
};
const IN: Words = {
  en: 'subscribed, resubscribe*, group resubscribe, active, opt in, opted in, confirmed, enabled, allow, allowed, given, granted, never subscribed, never opted in, not unsubscribed, not opted out, soft, soft bounce*, temporary, transient, deferred, delayed',
  de: 'angemeldet, aktiv, zulassen, abonniert, eingetragen, bestätigt, zugestimmt, nicht abgemeldet, aktive*, angemeldete*, abonnierte*',
  fr: 'abonne, abonnee, abonnes, inscrit, inscrite, inscrits, actif, active, actifs, non desabonne',
  es: 'suscrito, suscrita, suscritos, activo, activa, activos, alta',
  it: 'iscritto, iscritta, iscritti, attivo, attiva, attivi',
  nl: 'aangemeld, ingeschreven, actief, actieve, geabonneerd',
  pt: 'inscrito, inscrita, inscritos, subscrito, subscrita, ativo, ativa, ativos',
  pl: 'zapisany, zapisana, zapisani, aktywny, aktywna, aktywni',
  others: 'prihlasen*, prijavlj*, prenumer*, pameldt, tilmeldt, feliratk*, abonat, tilannut, abone',
};
/** Events of a subscribed contact. */
const EVENTS: Words = {
  en: 'subscriber, sent, send, processed, delivered, delivery, open, opened, opens, click, clicked, clicks, accepted, reply, replied',
  de: 'gesendet, versendet, zugestellt, geöffnet, geklickt',
  fr: 'envoye, delivre, ouvert, clique',
  es: 'enviado, entregado, abierto, clic',
  it: 'inviato, consegnato, aperto, cliccato',
  nl: 'verzonden, afgeleverd, geopend, geklikt',
  pt: 'enviado, entregue, aberto, clicado',
  pl: 'wyslany, dostarczony, otwarty, klikniety',
};
/** Headings about another channel or topic, a reason or an author. */
const OTHER_STATES: Words = {
  en: 'sms, whatsapp, push, phone, mobile, call, fax, lead, deal, account, order, payment, contract, employment, reason*, title, comment*, note*, url, link*, id, ip, source*, channel, by, count*, score, rate',
  de: 'telefon, anruf, *konto, *bestellung, *zahlung, *vertrag, *grund, *kampagne, kommentar*, notiz*, quelle*, durch, von, anzahl',
  fr: 'appel, compte, commande, raison, motif, campagne, commentaire*, par, nombre',
  es: 'llamada, cuenta, pedido, motivo, razon, campana, comentario*, por, numero',
  it: 'chiamata, conto, ordine, motivo, campagna, commento*, da, numero',
  nl: 'telefoon, rekening, bestelling, reden, campagne, opmerking*, door, aantal',
  pt: 'chamada, conta, pedido, motivo, campanha, comentario*, por, numero',
  pl: 'telefon, konto, zamowienie, powod, kampania, komentarz*, przez, liczba',
};
/** Further headings of subscription columns. */
const GETS_MAIL: Words = {
  en: 'newsletter*, accept*, consent*, permission*, marketing, mailing*, receive*, wants, gdpr, can contact, can email*, can mail*, can send*, may contact, may email*, may mail*, may send*, ok to contact, ok to email*, ok to mail*, contactable, mailable',
  de: '*newsletter*, *einwilligung*, *zustimmung*, *werbung, *mailing*, erhält*, akzeptiert, einverstanden, dsgvo',
  fr: 'newsletter*, infolettre*, consentement*, accepte*, publicite',
  es: 'boletin*, consentimiento*, acepta*, publicidad',
  it: 'newsletter*, consenso*, accetta*, pubblicita',
  nl: 'nieuwsbrief*, toestemming*, akkoord, reclame',
  pt: 'newsletter*, boletim*, consentimento*, aceita*, publicidade',
  pl: 'newsletter*, zgoda*, akceptuj*, reklam*',
  others: 'odber*, novinky, nyhetsbrev*, nyhedsbrev*, uutiskirj*, hirlevel*, bulten*, bulteni, buletin*',
};
const STATUS: Words = {
  en: 'status, state, subscription, event*, type, record type, activity, action*',
  de: '*status, zustand, aktion*',
  fr: 'statut, etat, action',
  es: 'estado, accion',
  it: 'stato, azione',
  nl: 'status, toestand, actie',
  pt: 'estado, situacao, acao',
  pl: 'status, stan, akcja',
  others: 'stav, stanje, durum, tila, allapot, stare',
};

export const contains = (words: Words): RegExp => new RegExp(String.raw`(?<![\p{L}])${anyWord(words)}(?![\p{L}])`, 'u');
const equals = (words: Words): RegExp => new RegExp(`^${anyWord(words)}$`, 'u');

const isOut = contains(OUT);
const isNotIn = contains(NOT_IN);
const isIn = contains(IN);
const isInOrGets = new RegExp(`${isIn.source}|${contains(GETS_MAIL).source}`, 'u');
export const isStatusHeading = contains(STATUS);
/** Certainly a state: unreadable cells are asked about. */
export const isSureStatus =
  /(?:status|statut|subscription|consent|situacao|stav|stanje|durum|tila|allapot|stare)(?!\p{L})/u;
export const saysOut = new RegExp(`${equals(OUT).source}|${equals(NOT_IN).source}`, 'u');
export const saysIn = equals(IN);
export const isOfOtherState = contains(OTHER_STATES);
export const saysEvent = equals(EVENTS);
const STAYS = String.raw`keep|stays?|retain|except|exclude|leave|bleib\p{L}*|behalten|außer|ausser|sauf|garder|excepto|salvo|mantener|conservar|tranne|mantenere|behouden|manter|zachowac`;
const KEEP = String.raw`do not|don.?t|never|${STAYS}|nicht (?=\p{L})|ne pas|niet (?=\p{L})`;
const HAS_STAYS = new RegExp(String.raw`(?<!\p{L})(?:${STAYS})(?![\p{L}@.])`, 'u');
export const saysKeep = new RegExp(String.raw`^(?:(?:please|bitte|merci de|por favor) )?(?:${KEEP})(?![\p{L}@.])`, 'u');
const HAS_KEEP = new RegExp(
  String.raw`(?<!\p{L})(?:${KEEP}|not|nicht|kein|niet|(?:no|non|nao|nie) (?=\p{L}))(?!\p{L})`,
  'u',
);
const NEGATION =
  /(?<!\p{L})(?:no|not|non|never|don.?t|without|kein\p{L}*|nicht|ohne|pas|sans|sin|senza|geen|niet|nie|bez|nao|sem)(?!\p{L})/u;

type Side = 'out' | 'in' | null;

function sideBy(name: string, isInWord: RegExp): Side {
  if (isNotIn.test(name)) return 'out';
  const [side, other] = NEGATION.test(name) ? (['in', 'out'] as const) : (['out', 'in'] as const);
  return isOut.test(name) ? side : isInWord.test(name) ? other : null;
}

/** What a folded heading says: unsubscribed or subscribed. */
export const sideOf = (name: string): Side => sideBy(name, isInOrGets);

/** Further words of headings, which change nothing. */
const FILLERS: Words = {
  en: 'email*, mail*, e, is, has, user, contact, member, date, time, at, on, from, to, for, of, our, the, all, campaign*, hs',
  de: 'vom, zum, für, der, die, das, den, am, per, post',
  fr: 'la, le, les, a, de, du, aux, courriel',
  es: 'el, los, al, del, correo*',
  it: 'il, alla, dalla, posta',
  nl: 'de, het, voor',
  pt: 'o, as, da, do',
  pl: 'na, do, z',
};
const KNOWN = new RegExp(
  [
    ...[NOT_IN, IN, OUT, GETS_MAIL, STATUS, FILLERS].map((words) => contains(words).source),
    HAS_STAYS.source,
    NEGATION.source,
  ].join('|'),
  'gu',
);
const EACH_OUT = new RegExp(isOut.source, 'gu');

/** Whether every word of a folded heading is known, so that its yes and no are, too: of `Newsletter stop` or `Unsubscribe revoked` only a person knows. */
export const isSureHeading = (name: string): boolean =>
  !/\p{L}/u.test(name.replaceAll(KNOWN, ' ')) && (name.match(EACH_OUT) ?? []).length < 2;

/** Whether a folded name, title or heading says to keep them. */
export const saysStay = (name: string): boolean =>
  (sideBy(name, isIn) ?? (HAS_KEEP.test(name) ? 'in' : 'out')) === 'in';
export const keepsThose = (name: string): boolean => saysStay(name) || sideOf(name) === 'in';
const SUBSCRIBERS =
  /(?<!\p{L})(?:subscribers|abonnenten|abonnes|suscriptores|iscritti|abonnees|assinantes|subskrybenci)(?!\p{L})/u;
export const isFileOfKept = (name: string): boolean =>
  keepsThose(name) || (sideOf(name) === null && SUBSCRIBERS.test(name));
/** Whether a folded sentence is about contacts to keep; `Do not distribute` isn't. */
export const tellsWhoStays = (text: string): boolean => sideOf(text) === 'in' || HAS_STAYS.test(text);
export const tellsSomeStay = (sentence: string): boolean => {
  const text = foldText(sentence);
  return saysStay(text) || tellsWhoStays(text);
};
const FOREIGN_ANSWER = /^(?:ano|evet|igen|kylla|da|jah|ne|nej|nei|nem|ei|hay[ıi]r|nu)$/;
/** Yes or no in a language without known headings. */
export const isForeignAnswer = (cell: string): boolean => cell.length < 9 && FOREIGN_ANSWER.test(foldText(cell));
export const isForeignScript = (name: string): boolean => /\p{L}/u.test(name) && !/\p{Script=Latin}/u.test(name);
/** How someone was added; without an answer they may be added too. */
export const isDoubleOptIn = /double|(?<!\p{L})doi(?!\p{L})/u;
const YES =
  'yes true 1 ja oui si sim tak ano evet igen kylla da jah taip j o s x y t on wahr vrai verdadero verdadeiro vero waar prawda + ✓ ✔ ☑ ✅ да так ναι כן نعم はい 是 예 네';
const NO =
  'no false 0 nein non nee nao nie ne nej nei nem ei hayır hayir nu n f off falsch faux falso onwaar nie нет не ні όχι לא لا いいえ 否 아니오 아니요 ✗ ✘ ☐ ❌ ✖';
/** For folded texts. A sign may be an emoji. */
const oneOf = (words: string, further = '') =>
  new RegExp(
    `^(?:(?:${words
      .split(' ')
      .map(foldText)
      .join('|')
      .replaceAll('+', String.raw`\+`)})\ufe0f?${further})$`,
    'u',
  );
export const saysYes = oneOf(YES);
export const saysNo = oneOf(NO, String.raw`|[0\s:.-]+`);
