import { foldHeading, isAnyIdName, isIdName } from '../identity/idNames.ts';
import type { IdentityField } from '../identity/parse/parseIdentity.ts';
import {
  isOfEmail,
  isOfEmailAlone,
  isOfPhoneAlone,
  isOfOtherNumbers,
  isOfOtherPeople,
  isOfPhone,
  isOfSecond,
} from './headingWords.ts';
import type { IdentityKind } from './identityKind.ts';

const UUID = /uuid|guid|contact[ _-]?id/;
/** What stands alone above a list, or with a word of whom it is. */
const HEADING =
  /^(?:(?:contact|customer|recipient|subscriber|user|member|person)s?[ _-]?)?(?:(?:e-?mail[ _-]?)?address(?:es)?|uuids?|ids?|identity|identifier)$|^(?:contacts?|customers?|recipients?|subscribers?)$/;
/** Characters, and words of a heading that is a name and no sentence. */
const LENGTH_MAX = 40;
const WORDS_MAX = 4;

/** Whether a text alone is what one writes above a column of identities. */
export function isHeadingWord(text: string, identityField: IdentityField): boolean {
  const word = foldHeading(text);
  if (word === '' || word.length > LENGTH_MAX || /[\d@,;|\t]/.test(word)) return false;
  if (HEADING.test(word) || isAnyIdName(word) || isIdName(word, identityField)) return true;
  return word.split(' ').length <= WORDS_MAX && (isOfEmailAlone.test(word) || isOfPhoneAlone.test(word));
}

/** Those who take part in a ticket or a conversation. A part of an expression. */
export const PARTIES = '(?:requester|assignee|reporter|submitter)';

/** What a heading says about its column. */
export type HeadingMeaning = {
  /** It is the identity that the workspace defines itself. */
  isOwnId: boolean;
  /** It names the first identity of the contact, of the kind that the column holds, or the workspace's own. */
  isSure: boolean;
  /** It names somebody else than the contact, such as an agent. */
  isOfOthers: boolean;
  /** It names something that is no identity of anybody, such as a postcode or an amount. */
  isOther: boolean;
  /** It names another identity of the contact than the first. */
  isSecond: boolean;
};

/** `kind`: what most cells of the column are; `heading` is empty where the table has none. */
export function readHeading(heading: string, kind: IdentityKind | null, identityField: IdentityField): HeadingMeaning {
  const name = foldHeading(heading);
  const isNumber = kind === 'number' || kind === 'word';
  const isOwnId = isIdName(heading, identityField);
  const isOther = isNumber && !isOwnId && isOfOtherNumbers.test(name);
  const fits =
    (kind === 'email' && isOfEmail.test(name)) ||
    ((kind === 'phone' || kind === 'number') && isOfPhone.test(name)) ||
    (kind === 'uuid' && UUID.test(name));
  const isSecond = isOfSecond.test(name) || /(?<!\d)[2-9](?!\d)/.test(name);
  const isOfOthers = isOfOtherPeople.test(name);
  return {
    isOwnId,
    isSure: isOwnId || (fits && !isOfOthers && !isSecond),
    isOfOthers,
    isOther,
    isSecond,
  };
}
