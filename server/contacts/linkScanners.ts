import { mailboxProvider } from './identities/mailboxProvider.ts';

// Unsubscribes that were perhaps nobody's will: a scanner that follows links unsubscribes people of one organisation together.

const DAY = 86_400_000;
/** How long they are shown as groups. */
export const BURST_MS = 7 * DAY;
/** Between one unsubscribe of a group and the next. */
export const GAP_MS = 10_000;

/** The domain of an address that isn't a mailbox provider's; empty for any other. */
export function organisationOf(address: string): string {
  const domain = /@([^@\s]+)$/.exec(address)?.[1] ?? '';
  return mailboxProvider(address) === '' ? domain : '';
}

/** Of contacts whose unsubscribe may be a scanner's. */
export const SCANNED: { origins: readonly string[]; reasons: readonly string[] } = {
  origins: ['recipient', 'program'],
  reasons: ['', 'request'],
};
