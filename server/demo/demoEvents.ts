import type { Attributes } from '#contract/values/field.ts';
import type { Event } from '#contract/event.ts';
import type { Random } from './seededRandom.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const KINDS: readonly [name: string, weight: number, attributes: (random: Random) => Attributes][] = [
  ['email_delivered', 30, (random) => ({ campaign: campaign(random), message_id: random.uuid() })],
  [
    'email_opened',
    22,
    (random) => ({ campaign: campaign(random), client: random.pick(['Apple Mail', 'Gmail', 'Outlook']) }),
  ],
  [
    'page_viewed',
    18,
    (random) => ({
      url: `https://www.example.com/${random.pick(['pricing', 'blog', 'docs', 'jobs'])}?ref=${random.below(90)}`,
      seconds: random.below(400),
    }),
  ],
  [
    'email_clicked',
    9,
    (random) => ({ campaign: campaign(random), link: `https://www.example.com/offer/${random.below(40)}` }),
  ],
  [
    'login',
    8,
    (random) => ({ method: random.pick(['password', 'passkey', 'sso']), ip: `203.0.113.${random.below(255)}` }),
  ],
  [
    'search_performed',
    5,
    (random) => ({
      query: random.pick(['invoice', 'größe 42', '100% wool', 'a_b\\c', 'returns']),
      results: random.below(200),
    }),
  ],
  ['product_viewed', 4, (random) => ({ sku: `SKU-${1000 + random.below(400)}`, price: random.below(20_000) / 100 })],
  ['cart_updated', 3, cart],
  ['order_placed', 2, (random) => ({ ...cart(random), order: `O-${100_000 + random.below(99_999)}`, paid: true })],
  [
    'order_shipped',
    2,
    (random) => ({ order: `O-${100_000 + random.below(99_999)}`, carrier: random.pick(['DHL', 'UPS', 'Post']) }),
  ],
  ['invoice_sent', 1, (random) => ({ number: `2026-${random.below(9999)}`, due_in_days: 14 })],
  [
    'payment_failed',
    0.4,
    (random) => ({ reason: random.pick(['card_declined', 'expired_card']), attempt: 1 + random.below(3) }),
  ],
  ['refund_issued', 0.3, (random) => ({ amount: random.below(9000) / 100, note: null })],
  ['support_ticket_opened', 0.5, () => ({ subject: 'Re: Re: <b>my order</b> & the "other" one', priority: 'high' })],
  ['support_ticket_closed', 0.5, (random) => ({ after_hours: random.below(90) })],
  [
    'email_bounced',
    0.4,
    (random) => ({
      code: '4.2.2',
      campaign: campaign(random),
      diagnostic: "smtp; 452 4.2.2 The recipient's inbox is out of storage space.",
    }),
  ],
  ['email_complained', 0.1, (random) => ({ campaign: campaign(random), feedback: 'abuse' })],
  [
    'preferences_changed',
    0.3,
    () => ({ before: { weekly: true, product: true }, after: { weekly: false, product: true } }),
  ],
  ['webinar_joined', 0.3, (random) => ({ title: 'Getting delivered: SPF, DKIM, DMARC', minutes: random.below(60) })],
  [
    'survey_answered',
    0.3,
    (random) => ({ nps: random.below(11), comment: random.pick(['', 'Très bien', '非常好', 'x'.repeat(600)]) }),
  ],
  ['Trial Started', 0.1, () => ({ plan: 'scale', days: 14 })],
  ['100%_discount\\applied', 0.1, (random) => ({ code: `FREE${random.below(99)}`, stackable: false })],
  ['データ同期', 0.1, () => ({ 状態: '完了' })],
  ['profile_imported', 0.05, () => ({ raw: { a: { b: { c: { d: { e: { f: ['deep', { g: null }] } } } } } } })],
];

const WEIGHT = KINDS.reduce((sum, [, weight]) => sum + weight, 0);

/** Events with quiet nights and weekends, bursts after campaigns, and gaps of some weeks. The last was a moment before `now`. */
export function demoEvents(random: Random, count: number, now: number): Event[] {
  const span = Math.min(730, Math.max(30, count / 10)) * DAY;
  const silence = { from: now - span * 0.62, to: now - span * 0.55 };
  const events: Event[] = [];
  while (events.length < count) {
    const time = Math.floor(now - random.next() * span);
    if (time > silence.from && time < silence.to) continue;
    const date = new Date(time);
    const hour = date.getUTCHours();
    const likely = (hour >= 7 && hour < 22 ? 1 : 0.12) * ([0, 6].includes(date.getUTCDay()) ? 0.45 : 1);
    if (!random.chance(likely)) continue;
    // After a campaign several events happen within minutes, some in the same millisecond.
    const burst = random.chance(0.03) ? 2 + random.below(12) : 1;
    for (let index = 0; index < burst && events.length < count; index++) {
      const [event_name, , attributes] = kind(random);
      const at = Math.min(now, random.chance(0.2) ? time : time + index * random.below(90_000));
      events.push({
        uuid: random.uuid(),
        event_name,
        attributes: attributes(random),
        created_at: new Date(at).toISOString(),
      });
    }
  }
  const [last] = events;
  if (last !== undefined) last.created_at = new Date(now - 4 * MINUTE).toISOString();
  return events;
}

function kind(random: Random): (typeof KINDS)[number] {
  let left = random.next() * WEIGHT;
  return KINDS.find(([, weight]) => (left -= weight) < 0) ?? random.pick(KINDS);
}

const campaign = (random: Random) =>
  random.pick(['autumn-2026', 'welcome-3', 'newsletter-118', 'win-back', 'black-friday']);

function cart(random: Random): Attributes {
  const items = Array.from({ length: 1 + random.below(4) }, () => ({
    sku: `SKU-${1000 + random.below(400)}`,
    quantity: 1 + random.below(3),
  }));
  return { currency: random.pick(['EUR', 'GBP', 'USD']), total: random.below(40_000) / 100, items };
}
