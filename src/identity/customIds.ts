import { foldHeading, foldText } from '#contract/words/foldText.ts';
import type { IdentityField } from './parse/parseIdentity.ts';

// Names of customer IDs: "Customer no.", "Kundennummer", "numéro de client".

/** English, German, French, Spanish, Italian, Dutch, Portuguese, Polish. */
const PEOPLE = {
  customer:
    'customer cust client | kunde kunden kd | client | cliente | cliente | klant klanten | cliente | klient klienta',
  member:
    'member | mitglied mitglieds | membre adherent | miembro socio | membro socio | lid lidmaatschap | membro socio | czlonka członka',
  user: 'user | nutzer benutzer | utilisateur | usuario | utente | gebruiker gebruikers | usuario utilizador | uzytkownika użytkownika',
  account: 'account | konto | compte | cuenta | account conto | account rekening | conta | konta',
  subscriber:
    'subscriber | abonnent abonnenten | abonne | suscriptor | abbonato | abonnee | assinante | subskrybenta abonenta',
} as const;
const NUMBERS =
  'id identifier no nr num number code key | nummer nr kennung | numero no n identifiant code | numero no n codigo | numero no n codice | nummer nr code | numero no n codigo | numer nr kod identyfikator';
const LINKS = 'de du do da del della di van | of';

const anyOf = (...lists: string[]): string => {
  const words = new Set(foldText(lists.join(' ')).split(/[\s|]+/));
  return `(?:${[...words].toSorted((one, other) => other.length - one.length).join('|')})`;
};
/** Bounded, so that it takes linear time. */
const GAP = String.raw`[\s_.°-]{0,3}`;

/** For folded texts. */
function nameOf(people: string): string {
  const [person, number] = [anyOf(people), anyOf(NUMBERS)];
  return String.raw`(?:${person}${GAP}${number}[sn]?|${number}${GAP}(?:${anyOf(LINKS)}${GAP})?${person})`;
}

const everybody = Object.values(PEOPLE).join(' ');
/** Before a number in a folded sentence; `customer` alone too. */
const ID_NAME = String.raw`(?:${nameOf(everybody)}|${anyOf(everybody)}s?|id)`;

const EVERY_NAME = new RegExp(`^${nameOf(everybody)}$`, 'u');
const NAMES = Object.values(PEOPLE).map((people) => ({
  isField: new RegExp(String.raw`(?<!\p{L})${anyOf(people)}(?!\p{L})`, 'u'),
  isName: new RegExp(`^${nameOf(people)}$`, 'u'),
}));

export const isAnyIdName = (text: string): boolean => EVERY_NAME.test(foldHeading(text));

const toWords = (text: string) => text.replaceAll(/[\s_.-]+/g, ' ');

/** Whether a text means the workspace's custom identity: its name, or a common name in these languages. */
export function isIdName(text: string, identityField: IdentityField): boolean {
  if (identityField === null) return false;
  const name = foldHeading(text);
  if (identityField === undefined) return EVERY_NAME.test(name);
  const field = foldHeading(identityField);
  return (
    toWords(name) === toWords(field) || NAMES.some(({ isField, isName }) => isField.test(field) && isName.test(name))
  );
}

// Custom identities, such as customer numbers, in a sentence. Only their form identifies them.

/** A word of Latin letters and at least three digits, perhaps with hyphens: `C-11554`, `AB_1234_X`. */
const ID = /^(?=.*\p{Script=Latin})(?=(?:\D*\d){3})[\p{Script=Latin}\d]+(?:[-_\u2010-\u2015][\p{Script=Latin}\d]+)*$/u;
const LONGEST_ID = 40;
const IDS_MAX = 20;
/** Dates, quantities and prices. */
const OTHERS = [
  /^\d{4}-?\d\d-?\d\d(?:T.*)?$/,
  /^(?:\d{1,2}[-.]?)?(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]*[-.]?(?:\d{1,2}[-.]?)?\d{2,4}$/i,
  /^\d+[a-z]{1,3}$/,
  /^(?:eur|euro|usd|us|gbp|chf|jpy|dkk|sek|nok|pln|czk|inr|cad|aud)-?\d+$|^\d+-?(?:eur|euros?|usd|dollars?|gbp|chf|jpy|dkk|sek|nok|pln|czk|inr|cad|aud)$/i,
  /^(?:ext|tel|phone|fax|mobile)\d+$/i,
];
const BETWEEN = /[\s,;|/()<>[\]{}"'“”„‘’«»:!?#=*&]+/u;
const URLS = /https?:\/\/\S+|<[^<>]*>/gi;
/** A word with a digit, for folded texts. */
const VALUE = String.raw`(?=[\p{L}_\u2010-\u2015-]{0,20}\d)([\p{L}\d][\p{L}\d_\u2010-\u2015-]{0,39})(?![\p{L}\d_])`;
/** `Customer ID: 11554`, `customer 11554`: after a name, digits alone are an ID. For folded texts. */
const NAMED = new RegExp(
  String.raw`(?<![\p{L}\d_-])${ID_NAME}(?![\p{L}\d_-])[\s.:;#=°]{0,4}(?:(?:is|ist|lautet|est|es|e|jest)[\s.:]{1,2})?${VALUE}`,
  'gu',
);
/** `customers 4711, 4712 and 4713`. */
const FURTHER = new RegExp(
  String.raw`\s?(?:[,;/&+]|(?<=\s)(?:and|or|und|oder|sowie|et|ou|y|o|e|en|of|i|lub)(?=\s))\s?${VALUE}`,
  'yu',
);
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}_\u2010-\u2015-]*/gu;
const NAME_BEFORE = new RegExp(String.raw`^${ID_NAME}(?![\p{L}\d_-])[\s.:#=°]{0,4}(?=\S+$)`, 'u');

export const isCustomId = (word: string): boolean =>
  word.length <= LONGEST_ID && ID.test(word) && !OTHERS.some((other) => other.test(word));

/** `areNamed`: only those after a name of an ID. */
export function findCustomIds(text: string, areNamed: boolean): string[] {
  const plain = text.replaceAll(URLS, ' ');
  if (areNamed) return [...new Set(findNamedIds(plain))].slice(0, IDS_MAX);
  const words = plain.split(BETWEEN).map((word) => word.replace(/(?<![.…-])[.…-]+$/, ''));
  return [...new Set([...findNamedIds(plain), ...words.filter(isCustomId)])].slice(0, IDS_MAX);
}

/** In the case in which they are written. */
function findNamedIds(text: string): string[] {
  if (!/\d/.test(text)) return [];
  const folded = foldText(text);
  const found: string[] = [];
  for (const match of folded.matchAll(NAMED)) {
    found.push(match[1] ?? '');
    FURTHER.lastIndex = match.index + match[0].length;
    for (let next = FURTHER.exec(folded); next !== null; next = FURTHER.exec(folded)) found.push(next[1] ?? '');
  }
  const ids = new Set(found.map(trimDashes).filter(isNamedId));
  if (ids.size === 0) return [];
  const written = new Map((text.match(WORD) ?? []).map(trimDashes).map((word) => [foldText(word), word]));
  return [...ids].map((id) => written.get(id) ?? id);
}

const trimDashes = (word: string) => word.replace(/(?<![_\u2010-\u2015-])[_\u2010-\u2015-]+$/, '');

/** After a name: three digits, or letters with two. */
const isNamedId = (word: string): boolean =>
  /^\d[\d-]+\d$/.test(word) ||
  (/\p{Script=Latin}/u.test(word) && /\d\D*\d/.test(word) && !OTHERS.some((other) => other.test(word)));

/** `customer no. C-11554` is C-11554. */
export function stripIdName(text: string): string {
  if (!/\d/.test(text) || !/[\s.:#=°]/.test(text)) return text;
  const folded = foldText(text);
  const id = folded.replace(NAME_BEFORE, '');
  const written = text.trimEnd().slice(-id.length);
  return id !== folded && foldText(written) === id ? written : text;
}
