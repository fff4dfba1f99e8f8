import { anyWord, type Words } from '../contact/phoneWords.ts';

// What exports write about whether a contact gets mail, by language (src/contact/phoneWords.ts).

const OUT: Words = {
  en: 'unsub*, opt out, opted out, optout, optedout, opting out, cleaned, bounce*, complain*, spam*, suppress*, block*, blacklist*, dropped, do not email, do not mail, do not contact, not subscribed, no longer subscribed',
  de: '*abgemeldet*, *abmeld*, abbestell*, ausgetragen, austrag*, gesperrt*, widersprochen, widerruf*, gekündigt, inaktiv',
  fr: 'desabonn*, desinscri*, bloque*',
  es: 'baja, dado de baja, desuscri*, cancelado, cancelada, bloquead*',
  it: 'disiscri*, cancellat*, bloccat*',
  nl: 'afgemeld*, uitgeschreven, geblokkeerd',
  pt: 'descadastrad*, desinscri*, cancelado, cancelada, bloquead*',
  pl: 'wypisan*, zablokowan*, rezygn*',
};
const IN: Words = {
  en: 'subscribed, subscriber, active, opt in, opted in, optin, confirmed, enabled, delivered, open, opened, click, clicked, never subscribed, never opted in, not unsubscribed, not opted out',
  de: 'angemeldet, aktiv, abonniert, eingetragen, bestätigt, zugestimmt, nicht abgemeldet',
  fr: 'abonne, abonnee, inscrit, inscrite, actif, active, non desabonne',
  es: 'suscrito, suscrita, activo, activa, alta',
  it: 'iscritto, iscritta, attivo, attiva',
  nl: 'aangemeld, ingeschreven, actief, geabonneerd',
  pt: 'inscrito, inscrita, subscrito, subscrita, ativo, ativa',
  pl: 'zapisany, zapisana, aktywny, aktywna',
};
/** Headings of a column that says who gets mail, beside those above. */
const GETS_MAIL: Words = {
  en: 'newsletter*, accepts*, email consent, marketing consent, email marketing, marketing permission, email permission',
  de: '*newsletter*, *einwilligung*, *zustimmung*',
  fr: 'newsletter*, infolettre*, consentement*',
  es: 'boletin*, consentimiento*',
  it: 'newsletter*, consenso*',
  nl: 'nieuwsbrief*, toestemming*',
  pt: 'newsletter*, boletim*, consentimento*',
  pl: 'newsletter*, zgoda*',
};
const STATUS: Words = {
  en: 'status, state, subscription, event, type, consent',
  de: '*status, zustand',
  fr: 'statut, etat',
  es: 'estado',
  it: 'stato',
  nl: 'status, toestand',
  pt: 'estado, situacao',
  pl: 'status, stan',
};

const contains = (words: Words): RegExp => new RegExp(String.raw`(?<![\p{L}])${anyWord(words)}(?![\p{L}])`, 'u');
const equals = (words: Words): RegExp => new RegExp(`^${anyWord(words)}$`, 'u');

export const isOutHeading = contains(OUT);
export const isInHeading = new RegExp(`${contains(IN).source}|${contains(GETS_MAIL).source}`, 'u');
export const isStatusHeading = contains(STATUS);
export const saysOut = equals(OUT);
export const saysIn = equals(IN);
export const saysYes = /^(?:yes|true|1|ja|oui|si|sim|tak|x|y|t|wahr|vrai|verdadero|✓)$/u;
export const saysNo = /^(?:no|false|0|nein|non|nee|nao|nie|n|f|falsch|faux|falso|-)$/u;
