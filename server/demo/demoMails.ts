import type { Contact } from '#contract/contact.ts';
import type { ImportedEvent } from '../contacts/events/checkEvent.ts';
import type { DemoUnsubscribe } from './demoUnsubscribes.ts';
import { type Random, seededRandom } from './seededRandom.ts';

const SEED = 20_260_404;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Campaigns that went to everybody, and how many days ago. */
const CAMPAIGNS = [
  ['newsletter-118', 2],
  ['black-friday', 9],
  ['newsletter-117', 16],
  ['autumn-2026', 30],
  ['newsletter-116', 44],
  ['win-back', 72],
] as const;

type DatedEvent = ImportedEvent & { created_at: number };

/** What ordinary contacts received and did: up to some dozens of events each, the last of them today. Some have none. */
export function demoMails(
  contacts: readonly Contact[],
  unsubscribes: ReadonlyMap<string, DemoUnsubscribe>,
  now: number,
): ImportedEvent[] {
  const random = seededRandom(SEED);
  return contacts.flatMap((contact) => {
    if (random.chance(0.04)) return [];
    const unsubscribe = unsubscribes.get(contact.uuid);
    const from = Date.parse(contact.created_at);
    const to = unsubscribe?.at ?? now;
    const events = [
      ...CAMPAIGNS.flatMap(([campaign, days]) => mail(random, campaign, now - days * DAY)),
      ...mail(random, 'welcome-3', from + HOUR),
      ...visits(random, to),
    ].filter(({ created_at }) => created_at >= from && created_at < to);
    if (unsubscribe !== undefined && unsubscribe.event !== null) {
      const attributes = { campaign: random.pick(CAMPAIGNS)[0], reason: unsubscribe.reason };
      events.push({ contact: '', event_name: unsubscribe.event, attributes, created_at: to - 2000 });
    }
    return events.map((event) => ({ ...event, contact: contact.uuid, uuid: random.uuid() }));
  });
}

/** A mail and what became of it. */
function mail(random: Random, campaign: string, sent: number): DatedEvent[] {
  const event = (event_name: string, after: number, more: object = {}): DatedEvent => {
    return { contact: '', event_name, attributes: { campaign, ...more }, created_at: Math.floor(sent + after) };
  };
  const arrived = random.below(40 * MINUTE);
  if (random.chance(0.03)) return [event('email_bounced', arrived, { code: '4.2.2', diagnostic: 'Mailbox is full.' })];
  const events = [event('email_delivered', arrived)];
  if (random.chance(0.55)) return events;
  const opened = arrived + random.next() ** 3 * 2 * DAY;
  events.push(event('email_opened', opened, { client: random.pick(['Apple Mail', 'Gmail', 'Outlook']) }));
  if (random.chance(0.3)) {
    const link = `https://www.example.com/offer/${random.below(40)}`;
    events.push(event('email_clicked', opened + random.below(5 * MINUTE), { link }));
  }
  return events;
}

/** Visits before `to`, the more often the later. */
function visits(random: Random, to: number): DatedEvent[] {
  return Array.from({ length: Math.floor(random.next() ** 3 * 24) }, () => {
    const created_at = Math.floor(to - random.next() ** 4 * 200 * DAY) - 1;
    return random.chance(0.3)
      ? { contact: '', event_name: 'login', attributes: { method: random.pick(['password', 'passkey']) }, created_at }
      : {
          contact: '',
          event_name: 'page_viewed',
          attributes: { url: `https://www.example.com/${random.pick(['pricing', 'blog', 'docs'])}` },
          created_at,
        };
  });
}
