import type { IdentityField } from '../contact/parseIdentity.ts';

/** What people call the columns that identify somebody. */
const IDENTITY_WORDS: Readonly<Record<'email' | 'phone' | 'uuid', RegExp>> = {
  email: /e-?mail|\bmail\b|correo|courriel|posta/i,
  phone: /phone|mobile|\bcell\b|\btel\b|telefon|téléphone|teléfono|handy/i,
  uuid: /uuid|guid|contact[ _-]?id/i,
};
/** What people call the columns that name somebody of their own company, or somebody besides the contact. */
const OTHERS =
  /\b(?:owner|agent|manager|assign\w*|rep|sales|seller|representative|created|updated|changed|modified|added|author|editor|by|support|sender|from|approv\w*|supervisor|referr\w*|parent|emergency|internal)(?![a-z])|betreuer|bearbeiter|ansprechpartner|verantwortlich/i;
const SECOND = /second|altern|backup|\bother|billing|invoice|\bcc\b|\bold\b|previous|[2-9]$/i;
const HEADING =
  /^(?:(?:contact|customer|recipient|subscriber|user|member|person)s?[ _-]?)?(?:e-?mails?|mail|(?:e-?mail[ _-]?)?address(?:es)?|phones?(?:[ _-]?numbers?)?|mobile|uuids?|ids?|identity|identifier)$|^(?:contacts?|customers?|recipients?|subscribers?)$/i;

/** Whether a text alone is what one writes above a column of identities. */
export function isHeadingWord(text: string, identityField: IdentityField): boolean {
  const word = text.trim().replaceAll(/^["'*]+|["'*:]+$/g, '');
  return HEADING.test(word) || isName(word, identityField);
}

const isName = (heading: string, identityField: IdentityField) =>
  Boolean(identityField) && heading.trim().toLowerCase() === identityField?.toLowerCase();

/** How much a heading speaks for or against its column, as a factor; 1 where it says nothing. */
export function headingFactor(heading: string, kind: string): number {
  const fits = kind in IDENTITY_WORDS && IDENTITY_WORDS[kind as keyof typeof IDENTITY_WORDS].test(heading);
  return (fits ? 1.5 : 1) * (OTHERS.test(heading) ? 0.2 : 1) * (SECOND.test(heading) ? 0.6 : 1);
}

/** Whether a heading is the name of the identity that the workspace defines itself. */
export const isIdentityName = isName;
