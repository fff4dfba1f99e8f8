import type { Contact } from '#contract/contact.ts';
import type { Attributes } from '#contract/values/field.ts';
import type { Random } from './seededRandom.ts';

const DAY = 86_400_000;

const FIRST = [
  'Ada',
  'Amina',
  'Anders',
  'Beatriz',
  'Carlos',
  'Chloe',
  'Daniel',
  'Elena',
  'Emeka',
  'Farah',
  'Greta',
  'Hana',
  'Ivan',
  'Jamal',
  'Jonas',
  'Karin',
  'Leila',
  'Luca',
  'Mateo',
  'Mei',
  'Nadia',
  'Noah',
  'Olga',
  'Priya',
  'Rosa',
  'Samir',
  'Tara',
  'Tomas',
  'Yusuf',
  'Zoe',
  'José',
  'Zoë',
  'Jürgen',
  'Søren',
  'Łukasz',
  'Şebnem',
  'Đorđe',
  '美咲',
  'محمد',
  'נועה',
  'Ольга',
] as const;

const LAST = [
  'Abara',
  'Becker',
  'Costa',
  'Diaz',
  'Eriksen',
  'Fischer',
  'Garcia',
  'Haddad',
  'Ito',
  'Jensen',
  'Kowalski',
  'Lindgren',
  'Marino',
  'Novak',
  'Okafor',
  'Patel',
  'Quinn',
  'Rossi',
  'Silva',
  'Tanaka',
  'Unger',
  'Vargas',
  'Weber',
  'Yilmaz',
  'Zhang',
  'Ångström',
  'Çelik',
  'Müller',
  'Nuñez',
  'Dvořák',
  "O'Brien",
  'van der Berg',
  '佐藤',
  'الأحمد',
  'Иванова',
] as const;

const COMPANIES = [
  'Northwind',
  'Globex',
  'Initech',
  'Umbrella Foods',
  'Blue Harbour',
  'Kestrel & Sons',
  'Ørsted Marine',
  'Café Central',
] as const;
const TITLES = ['Engineer', 'Buyer', 'Head of Marketing', 'Support Lead', 'Founder', 'Accountant', 'Designer'] as const;
const MAILBOXES = [
  'gmail.com',
  'outlook.com',
  'yahoo.com',
  'icloud.com',
  'proton.me',
  'example.com',
  'example.org',
  'mail.example.net',
] as const;

/** Texts as people and imports enter them. Every page must show them as plain text. */
const HOSTILE: readonly Attributes[] = [
  { first_name: '<script>alert(1)</script>', last_name: '<img src=x onerror=alert(1)>' },
  { first_name: '=HYPERLINK("https://example.com","Click")', company: '+1+1' },
  { first_name: "Robert'); DROP TABLE contacts;--", last_name: '{{7*7}}' },
  { first_name: '\u202Egnp.exe', note: 'a right-to-left override hides the end of this' },
  {
    first_name: 'A'.repeat(300),
    company: 'A company with a name so long that no column was ever made for it, and then some more',
  },
  { note: 'line one\nline two\ttabbed', website: 'javascript:alert(1)' },
  { profile: { tags: ['vip', null, true], address: { city: 'Zürich', geo: { lat: 47.37, lon: 8.54 } } }, score: 0 },
  { constructor: 'kept as it is', toString: 'kept as well' },
];

/** The console proposes to try these (src/overview/TryThese.tsx): one complained today, one is there twice. */
const PROPOSED: Readonly<Record<number, Attributes>> = {
  12: person('Hana', 'Lindgren', 'Blue Harbour', 'hana.lindgren@example.com'),
  13: person('Mateo', 'Costa', 'Kestrel & Sons', 'mateo.costa@example.com'),
  14: person('Mateo', 'Costa', 'Kestrel & Sons', 'm.costa@gmail.com'),
};
export const COMPLAINED_TODAY = 12;

function person(first_name: string, last_name: string, company: string, email: string): Attributes {
  return { email, first_name, last_name, company };
}

/** Their attributes vary, are missing, are not ASCII, or try to inject code. The first has the most events. */
export function demoContacts(random: Random, count: number, now: number): Contact[] {
  return Array.from({ length: count }, (_, index) => {
    const created = now - Math.floor((1 + random.next() * 900) * DAY);
    const updated = random.chance(0.4) ? created : created + Math.floor(random.next() * (now - created));
    return {
      uuid: random.uuid(),
      subscribed: (index === 0 || random.chance(0.86) || index in PROPOSED) && index !== COMPLAINED_TODAY,
      attributes: { ...attributesOf(random, index), ...PROPOSED[index] },
      created_at: new Date(created).toISOString(),
      updated_at: new Date(updated).toISOString(),
    };
  });
}

function attributesOf(random: Random, index: number): Attributes {
  if (index === 0) {
    return {
      email: 'grace.adeyemi@example.com',
      phone: '+442079460958',
      first_name: 'Grace',
      last_name: 'Adeyemi',
      company: 'Northwind',
      job_title: 'Head of Marketing',
      customer_id: 'C-10001',
      plan: 'scale',
    };
  }
  // An email address that tests the matching rules of the interface.
  if (index === 1) return { email: 'a+b/c d@x.test', first_name: 'Plus', last_name: 'Slash', customer_id: 'C-10002' };
  const first = random.pick(FIRST);
  const last = random.pick(LAST);
  const local = `${plain(first)}.${plain(last)}`.replaceAll(/^\.|\.$/g, '') || 'contact';
  const attributes: Attributes = {};
  if (random.chance(0.94)) attributes.email = `${local}${index}@${random.pick(MAILBOXES)}`;
  if (random.chance(0.35)) attributes.phone = `+4930${String(1_000_000 + index)}`;
  if (random.chance(0.9)) attributes.first_name = first;
  if (random.chance(0.88)) attributes.last_name = last;
  if (random.chance(0.5)) attributes.company = random.pick(COMPANIES);
  if (random.chance(0.3)) attributes.job_title = random.pick(TITLES);
  if (random.chance(0.6)) attributes.customer_id = `C-${10_001 + index}`;
  if (random.chance(0.15)) attributes.plan = random.pick(['free', 'team', 'scale']);
  if (random.chance(0.1)) attributes.lifetime_value = Math.round(random.next() * 500_000) / 100;
  const hostile = HOSTILE[index - 2];
  return hostile === undefined ? attributes : { ...attributes, ...hostile };
}

function plain(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[^\w-]/g, '')
    .toLowerCase();
}
