import type { Contact } from '#contract/contact.ts';
import type { Role } from '#contract/role.ts';
import type { Unsubscription } from '#contract/suppressions/suppression.ts';
import { COMPLAINED_TODAY } from './demoContacts.ts';
import { type Random, seededRandom } from './seededRandom.ts';

const SEED = 20_260_403;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** `text`: the reason in an event. `isListed`: of the list of one ticket. */
export type DemoUnsubscribe = {
  at: number;
  isListed?: true;
  token: UnsubscribingToken;
  said: Unsubscription;
  text: string;
  event: string | null;
};

/** The role of each token: the least that does its work. */
export const UNSUBSCRIBING_TOKENS = {
  'unsubscribe link': 'support',
  'spam complaints': 'support',
  'support desk': 'support',
  'crm-sync': 'editor',
} as const satisfies Readonly<Record<string, Role>>;
export const TICKET = 'T-4711';
/** Contacts of the list of one ticket, and when it was. */
const LISTED = 5;
const LISTED_AGO = 6 * DAY;

type UnsubscribingToken = keyof typeof UNSUBSCRIBING_TOKENS;

type Cause = Omit<DemoUnsubscribe, 'at' | 'isListed'>;
const COMPLAINT: Cause = {
  token: 'spam complaints',
  said: { reason: 'complaint', origin: 'recipient' },
  text: 'Marked a mail as spam.',
  event: 'email_complained',
};
/** The more frequent ones more than once. */
const CAUSES: readonly Cause[] = [
  ...['Too many mails.', 'No longer relevant.', 'Never signed up.', 'Too many mails.', 'No reason given.'].map(
    (text): Cause => ({
      token: 'unsubscribe link',
      said: { reason: 'request', origin: 'recipient' },
      text,
      event: 'unsubscribe_clicked',
    }),
  ),
  COMPLAINT,
  { token: 'support desk', said: { reason: 'request', origin: 'support' }, text: 'Asked on the phone.', event: null },
  {
    token: 'support desk',
    said: { reason: 'request', ticket: TICKET, origin: 'support' },
    text: 'Asked in a ticket.',
    event: null,
  },
  { token: 'crm-sync', said: { reason: 'other' }, text: 'The account was closed.', event: null },
];

/** Many after one campaign. A few contacts have none: they were imported unsubscribed. */
export function demoUnsubscribes(contacts: readonly Contact[], now: number): ReadonlyMap<string, DemoUnsubscribe> {
  const random = seededRandom(SEED);
  const unsubscribes = new Map<string, DemoUnsubscribe>();
  for (const [index, { uuid, subscribed, created_at }] of contacts.entries()) {
    if (subscribed) continue;
    const isToday = index === COMPLAINED_TODAY;
    if (!isToday && random.chance(0.06)) continue;
    const at = isToday ? now - 38 * 60_000 : timeOf(random, Date.parse(created_at), now);
    unsubscribes.set(uuid, { ...(isToday ? COMPLAINT : random.pick(CAUSES)), at });
  }
  const listed = now - LISTED_AGO;
  const asked = [...unsubscribes].filter(([, { said, at }]) => said.ticket === TICKET && at < listed);
  for (const [index, [uuid, one]] of asked.slice(0, LISTED).entries())
    unsubscribes.set(uuid, { ...one, isListed: true, at: listed + index * 700 });
  return unsubscribes;
}

/** A time after `earliest`, seldom at night: half in the last month, and many after one campaign. */
function timeOf(random: Random, earliest: number, now: number): number {
  const campaign = now - 9 * DAY;
  if (earliest < campaign && random.chance(0.1)) return campaign + random.below(12 * HOUR);
  const from = random.chance(0.5) ? Math.max(earliest, now - 30 * DAY) : earliest;
  for (;;) {
    const time = now - 1 - random.below(now - from);
    const hour = new Date(time).getUTCHours();
    if ((hour >= 6 && hour < 22) || random.chance(0.1)) return time;
  }
}
