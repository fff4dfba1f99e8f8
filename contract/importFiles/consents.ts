/** What tools call columns that say who wants no mail, in small letters and digits. */
const NAMES = new Set(['subscribed', 'unsubscribe', 'status', 'subscriptionstatus', 'marketingconsent']);
/** Also within longer names, as `Opted out of email: Marketing`. */
const PARTS = ['unsubscribed', 'optout', 'optedout', 'blacklist', 'suppressed'];

/** Equal for `First Name`, `first-name` and `FIRST_NAME`. */
export const bareLetters = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Whether a column looks as if it unsubscribed somebody. */
export function looksLikeConsent(name: string): boolean {
  const bare = bareLetters(name);
  return NAMES.has(bare) || PARTS.some((part) => bare.includes(part));
}
