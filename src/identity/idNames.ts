import { foldText } from './foldText.ts';
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
export const ID_NAME = String.raw`(?:${nameOf(everybody)}|${anyOf(everybody)}s?|id)`;

const EVERY_NAME = new RegExp(`^${nameOf(everybody)}$`, 'u');
const NAMES = Object.values(PEOPLE).map((people) => ({
  isField: new RegExp(String.raw`(?<!\p{L})${anyOf(people)}(?!\p{L})`, 'u'),
  isName: new RegExp(`^${nameOf(people)}$`, 'u'),
}));

/** In characters. */
const HEADING_MAX = 100;

/** Folded, the words of `customerId` apart, without surrounding punctuation. */
export const foldHeading = (heading: string): string =>
  foldText(heading.slice(0, HEADING_MAX).replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')).replaceAll(
    /^[^\p{L}\p{N}#]+|(?<=[\p{L}\p{N}#])[^\p{L}\p{N}#]+$/gu,
    '',
  );

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
