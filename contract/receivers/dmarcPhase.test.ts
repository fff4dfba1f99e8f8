import { expect, test } from 'vitest';
import { judgeDmarcPhase } from './dmarcPhase.ts';

const NOW = Date.parse('2026-06-30T12:00:00Z');
const daysAgo = (days: number) => NOW - days * 86_400_000;
const input = {
  isInherited: false,
  alignedSince: daysAgo(60),
  recordSince: daysAgo(60),
  reportsAddress: 'reports@example.com',
  now: NOW,
};

/** From none to reject (RFC 9989): what is published, its phase, the next one, and the record for that. */
test.each([
  [[], 'absent', 'monitoring', 'v=DMARC1; p=none; rua=mailto:reports@example.com'],
  [['v=dmarc1; p=reject'], 'absent', 'monitoring', 'v=DMARC1; p=none; rua=mailto:reports@example.com'],
  [['v=spf1 -all'], 'absent', 'monitoring', 'v=DMARC1; p=none; rua=mailto:reports@example.com'],
  [['v=DMARC1; p=none'], 'none', 'monitoring', 'v=DMARC1; p=none; rua=mailto:reports@example.com'],
  [['v=DMARC1;p=none;fo=1'], 'none', 'monitoring', 'v=DMARC1; p=none; fo=1; rua=mailto:reports@example.com'],
  // Older receivers know pct and not t: both leave mail alone.
  [
    ['v=DMARC1; p=none; rua=mailto:a@example.com; adkim=s'],
    'monitoring',
    'testing',
    'v=DMARC1; p=quarantine; pct=0; t=y; rua=mailto:a@example.com; adkim=s',
  ],
  [
    ['v=DMARC1; rua=mailto:a@example.com'],
    'monitoring',
    'testing',
    'v=DMARC1; p=quarantine; pct=0; t=y; rua=mailto:a@example.com',
  ],
  [
    ['v=DMARC1; p=none; t=y; rua=mailto:a@example.com'],
    'monitoring',
    'testing',
    'v=DMARC1; p=quarantine; pct=0; t=y; rua=mailto:a@example.com',
  ],
  [['v=DMARC1; p=quarantine; pct=0; t=y; sp=none'], 'testing', 'quarantine', 'v=DMARC1; p=quarantine; sp=none'],
  [['v=DMARC1; p=quarantine; pct=25'], 'testing', 'quarantine', 'v=DMARC1; p=quarantine'],
  [['v=DMARC1; p=quarantine; x-note=ours'], 'quarantine', 'reject', 'v=DMARC1; p=reject; x-note=ours'],
  [['v=DMARC1; p=quarantine; pct=100'], 'quarantine', 'reject', 'v=DMARC1; p=reject'],
  [['v=DMARC1; P=Reject; T=Y'], 'testing', 'reject', 'v=DMARC1; p=reject'],
])('%j is %s; next is %s', (texts, phase, next, record) => {
  const judged = judgeDmarcPhase({ ...input, texts });
  expect([judged.phase, judged.next?.phase, judged.next?.record]).toEqual([phase, next, record]);
});

test.each([
  [['v=DMARC1; p=reject'], 'reject'],
  [['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'unreadable'],
  [['v=DMARC1; p=none; p=reject'], 'unreadable'],
  [['v=DMARC1; p=rejct'], 'unreadable'],
  [['v=DMARC1; p'], 'unreadable'],
  [null, 'unknown'],
])('%j is %s, and there is no next step', (texts, phase) => {
  expect(judgeDmarcPhase({ ...input, texts })).toEqual({ phase, isInherited: false, next: null });
});

test('an inherited record has the policy for subdomains, and is changed at its own domain', () => {
  const texts = ['v=DMARC1; p=reject; sp=quarantine'];
  expect(judgeDmarcPhase({ ...input, texts, isInherited: true })).toEqual({
    phase: 'quarantine',
    isInherited: true,
    next: null,
  });
});

const conditions = (texts: string[], more: Partial<typeof input> | { alignedSince: null; reportsAddress: null }) => {
  const { next } = judgeDmarcPhase({ ...input, ...more, texts });
  return [next?.isReady, ...(next?.conditions ?? []).map(({ id, state, at }) => `${id} ${state} ${at ?? '-'}`)];
};
const day = (iso: string) => Date.parse(iso);

test('test mode waits for 14 days of alignment and of the record', () => {
  const texts = ['v=DMARC1; p=none; rua=mailto:a@example.com'];
  expect(conditions(texts, {})).toEqual([true, 'aligned met -', 'settled met -', 'reports_read ask -']);
  expect(conditions(texts, { alignedSince: daysAgo(10), recordSince: daysAgo(13) })).toEqual([
    false,
    `aligned waiting ${day('2026-07-04T12:00:00Z')}`,
    `settled waiting ${day('2026-07-01T12:00:00Z')}`,
    'reports_read ask -',
  ]);
  expect(conditions(texts, { alignedSince: null, reportsAddress: null })).toEqual([
    false,
    'aligned unmet -',
    'settled met -',
    'reports_read ask -',
  ]);
});

test('rejection waits for 30 days, and asks about people', () => {
  const texts = ['v=DMARC1; p=quarantine; rua=mailto:a@example.com'];
  expect(conditions(texts, { alignedSince: daysAgo(29) })).toEqual([
    false,
    `aligned waiting ${day('2026-07-01T12:00:00Z')}`,
    'settled met -',
    'reports_read ask -',
    'people ask -',
  ]);
});

test('enforcement without reports first asks for an address', () => {
  expect(conditions(['v=DMARC1; p=quarantine'], {})[1]).toBe('reports_sent unmet -');
  expect(conditions([], { alignedSince: null, reportsAddress: null })).toEqual([false, 'reports_address unmet -']);
  for (const reportsAddress of [null, 'a@example.com; p=reject', 'a@example.com,b@example.com']) {
    expect(judgeDmarcPhase({ ...input, reportsAddress, texts: [] }).next?.record).toBe(null);
  }
});
