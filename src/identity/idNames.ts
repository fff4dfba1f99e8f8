import { foldText } from './foldText.ts';
import type { IdentityField } from './parse/parseIdentity.ts';

// What people call the ID that a workspace has given a person: "Customer no.", "Kundennummer", "numéro de client".

/** Whom the ID is of, by language: English, German, French, Spanish, Italian, Dutch, Portuguese, Polish. */
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
/** What its number is called, in the same languages. */
const NUMBERS =
  'id identifier no nr num number code key | nummer nr kennung | numero no n identifiant code | numero no n codigo | numero no n codice | nummer nr code | numero no n codigo | numer nr kod identyfikator';
/** Words between the two. */
const LINKS = 'de du do da del della di van | of';

/** The folded words as an expression, the longest first. */
const anyOf = (...lists: string[]): string => {
  const words = new Set(foldText(lists.join(' ')).split(/[\s|]+/));
  return `(?:${[...words].toSorted((one, other) => other.length - one.length).join('|')})`;
};
/** Signs between the words of a name. Few, so that a long row of them takes no longer than its length. */
const GAP = String.raw`[\s_.°-]{0,3}`;

/** An expression for folded texts: a name of the ID of such `people`. */
function nameOf(people: string): string {
  const [person, number] = [anyOf(people), anyOf(NUMBERS)];
  return String.raw`(?:${person}${GAP}${number}[sn]?|${number}${GAP}(?:${anyOf(LINKS)}${GAP})?${person})`;
}

const everybody = Object.values(PEOPLE).join(' ');
/** An expression for folded texts: what stands before a number in a sentence, `customer` alone too. */
export const ID_NAME = String.raw`(?:${nameOf(everybody)}|${anyOf(everybody)}s?|id)`;

const EVERY_NAME = new RegExp(`^${nameOf(everybody)}$`, 'u');
const NAMES = Object.values(PEOPLE).map((people) => ({
  isField: new RegExp(String.raw`(?<!\p{L})${anyOf(people)}(?!\p{L})`, 'u'),
  isName: new RegExp(`^${nameOf(people)}$`, 'u'),
}));

/** Characters of a heading that are compared. */
const HEADING_MAX = 100;

/** A heading as it is compared: folded, the words of `customerId` apart, without signs around it. */
export const foldHeading = (heading: string): string =>
  foldText(heading.slice(0, HEADING_MAX).replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')).replaceAll(
    /^[^\p{L}\p{N}#]+|(?<=[\p{L}\p{N}#])[^\p{L}\p{N}#]+$/gu,
    '',
  );

/** Whether a text is a name of an ID that some workspace gives. */
export const isAnyIdName = (text: string): boolean => EVERY_NAME.test(foldHeading(text));

const toWords = (text: string) => text.replaceAll(/[\s_.-]+/g, ' ');

/** Whether a text means the identity of the workspace: its own name, or what people call such an ID in their languages. */
export function isIdName(text: string, identityField: IdentityField): boolean {
  if (identityField === null) return false;
  const name = foldHeading(text);
  if (identityField === undefined) return EVERY_NAME.test(name);
  const field = foldHeading(identityField);
  return (
    toWords(name) === toWords(field) || NAMES.some(({ isField, isName }) => isField.test(field) && isName.test(name))
  );
}
