/** What tools call columns that say who wants no mail, in small letters and digits. */
const NAMES = new Set(['subscribed', 'unsubscribe', 'status', 'subscriptionstatus', 'marketingconsent']);
/** Also within longer names, as `Opted out of email: Marketing`. */
const PARTS = ['unsubscribed', 'optout', 'optedout', 'blacklist', 'suppressed'];

/** What a cell of the column `subscribed` may say, in small letters. */
export const SUBSCRIBED_WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  '1': true,
  false: false,
  no: false,
  '0': false,
};

/** Equal for `First Name`, `first-name` and `FIRST_NAME`. */
export const bareLetters = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Whether a column looks as if it unsubscribed somebody. */
export function looksLikeConsent(name: string): boolean {
  const bare = bareLetters(name);
  return NAMES.has(bare) || PARTS.some((part) => bare.includes(part));
}
