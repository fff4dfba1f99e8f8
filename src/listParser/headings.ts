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
const HEADING =
  /^(?:(?:contact|customer|recipient|subscriber|user|member|person)s?[ _-]?)?(?:(?:e-?mail[ _-]?)?address(?:es)?|uuids?|ids?|identity|identifier)$|^(?:contacts?|customers?|recipients?|subscribers?)$/;
/** A longer text is a sentence. */
const LENGTH_MAX = 40;
const WORDS_MAX = 4;

export function isHeadingWord(text: string, identityField: IdentityField): boolean {
  const word = foldHeading(text);
  if (word === '' || word.length > LENGTH_MAX || /[\d@,;|\t]/.test(word)) return false;
  if (HEADING.test(word) || isAnyIdName(word) || isIdName(word, identityField)) return true;
  return word.split(' ').length <= WORDS_MAX && (isOfEmailAlone.test(word) || isOfPhoneAlone.test(word));
}

/** Parties of a ticket or a conversation, as part of an expression. */
export const PARTIES = '(?:requester|assignee|reporter|submitter)';

export type HeadingMeaning = {
  isOwnId: boolean;
  /** The contact's main identity of the column's kind, or the custom one. */
  isSure: boolean;
  /** Someone else, such as an agent. */
  isOfOthers: boolean;
  /** No identity, such as a postcode or an amount. */
  isOther: boolean;
  isSecond: boolean;
};

/** `kind`: of most cells; `heading` is empty if the table has none. */
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
  return { isOwnId, isSure: isOwnId || (fits && !isOfOthers && !isSecond), isOfOthers, isOther, isSecond };
}
