import { expect, test } from 'vitest';
import { adviseAlignment } from './adviseAlignment.ts';
import { adviseDmarc } from './adviseDmarc.ts';
import type { LookUp } from '../conversation/lookUp.ts';

/**
 * Values by `name TYPE`; null means that the look-up failed. An MX is written as its host, the null MX as an empty one.
 */
type Zone = Readonly<Record<string, string | readonly string[] | null>>;

/** Looks up in `zone`, and records the look-ups. */
function lookUpIn(zone: Zone, asked: string[] = []): LookUp {
  return async (name, type) => {
    asked.push(`${name} ${type}`);
    const found = zone[`${name} ${type}`];
    if (found === null) return { name, type, records: null, isNxdomain: false, reason: 'SERVFAIL' };
    const exists = Object.keys(zone).some((key) => key.split(' ')[0]?.endsWith(name));
    const records = [found ?? []].flat().map((value) => ({ name, type, ttl: 60, value, priority: null }));
    return { name, type, records, isNxdomain: !exists, reason: '' };
  };
}

const OWN = '_dmarc.example.test';
const record = (text: string | readonly string[], more: Zone = {}): Zone => ({ [`${OWN} TXT`]: text, ...more });
/** The same for a record that begins with "v=DMARC1; ". */
const dmarc = (tags: string, more: Zone = {}) => record(`v=DMARC1; ${tags}`, more);
const MX = { 'example.test MX': 'mx.example.test' };
const PERMISSION = 'example.test._report._dmarc.reports.test TXT';
const TO_OTHER = 'p=none; rua=mailto:a@reports.test';
const TO_OWN = 'p=none; rua=mailto:a@example.test';
const ELSEWHERE = { 'reports.test MX': 'mx.reports.test' };
const ALLOWED = { ...ELSEWHERE, [PERMISSION]: 'v=DMARC1' };

const THREE = ['r1', 'r2', 'r3'].map((host) => `${host}.example.test`);
const THREE_MX = Object.fromEntries(THREE.map((name) => [`${name} MX`, 'x.test']));

async function advise(zone: Zone, domain = 'example.test') {
  return adviseDmarc({ domain, lookUp: lookUpIn(zone) });
}

// Each row: what is published, the code, and its facts.
test.each<[Zone, string, object?]>([
  [dmarc('p=none'), 'DMARC_APPLIES', { policy: 'none', tag: 'p', mailsReports: false }],
  [
    dmarc('p=none; rua=https://reports.test/x'),
    'DMARC_REPORTS_NOT_MAILED',
    { tag: 'rua', address: 'https://reports.test/x' },
  ],
  [dmarc('p=reject; rua=mailto:a@example.test', MX), 'DMARC_APPLIES', { mailsReports: true }],
  [dmarc('p=none; rua=mailto:a@r.example.test', { 'r.example.test MX': 'x.test' }), 'DMARC_APPLIES'],
  [dmarc(TO_OWN, { 'example.test AAAA': '2001:db8::1' }), 'DMARC_APPLIES'],
  [dmarc(TO_OTHER, ALLOWED), 'DMARC_APPLIES'],
  [
    dmarc('p=reject; pct=100; rf=afrf; ri=60; rua=mailto:a@example.test!5m', MX),
    'DMARC_APPLIES',
    { harmless: ['"pct="', '"rf="', '"ri="', 'a size after an address'] },
  ],
  [dmarc('p=none; pct=20'), 'DMARC_APPLIES', { harmless: ['"pct="'] }],
  [dmarc('p=reject; pct=0; t=y'), 'DMARC_APPLIES', { isTest: true }],
  [
    dmarc(TO_OTHER, { 'reports.test MX': null, [PERMISSION]: 'v=DMARC1' }),
    'DMARC_APPLIES',
    { unsure: ['reports.test'] },
  ],
  // There are more receivers than are asked.
  [
    dmarc(`p=none; rua=${THREE.map((at) => `mailto:a@${at}`).join()}; ruf=mailto:a@nowhere.test`, THREE_MX),
    'DMARC_APPLIES',
    { unsure: ['nowhere.test'] },
  ],
  [{}, 'DMARC_ABSENT'],
  [{ 'example.test TXT': ['v=spf1 -all', 'v=DMARC1; p=reject'] }, 'DMARC_AT_DOMAIN'],
  [record(['v=DMARC1; p=none', 'v=DMARC1; p=reject']), 'SEVERAL_DMARC', { policies: ['p=none', 'p=reject'] }],
  [record('"v=DMARC1; p=none"'), 'QUOTES_IN_VALUE'],
  [dmarc('p=rejct'), 'DMARC_SYNTAX'],
  [dmarc('p=none; rua=a@b.test'), 'DMARC_TAG_UNREADABLE'],
  [dmarc('p=reject; psd=y'), 'DMARC_PSD'],
  [dmarc('p=reject; pct=0'), 'DMARC_PCT', { pct: 0, policy: 'reject', weaker: 'quarantine' }],
  [dmarc('p=quarantine; pct=30'), 'DMARC_PCT', { pct: 30, policy: 'quarantine', weaker: 'none' }],
  [dmarc('p=none; sp=reject; pct=5'), 'DMARC_PCT', { policy: 'reject' }],
  [dmarc('p=reject; sp=none'), 'DMARC_SUBDOMAINS_OPEN', { policy: 'reject', tag: 'sp' }],
  [dmarc('p=reject; np=none'), 'DMARC_SUBDOMAINS_OPEN', { tag: 'np' }],
  [dmarc('p=reject; sp=none; np=reject'), 'DMARC_SUBDOMAINS_OPEN', { tag: 'sp' }],
  [dmarc(TO_OTHER, ELSEWHERE), 'DMARC_REPORTS_REFUSED', { receiver: 'reports.test' }],
  [dmarc('p=none; ruf=mailto:a@reports.test', { ...ELSEWHERE, [PERMISSION]: 'v=spf1 -all' }), 'DMARC_REPORTS_REFUSED'],
  [
    dmarc(TO_OTHER, { 'reports.test MX': '' }),
    'DMARC_REPORTS_LOST',
    { receiver: 'reports.test', why: 'null_mx', isOwn: false },
  ],
  [dmarc(TO_OTHER), 'DMARC_REPORTS_LOST', { why: 'no_domain' }],
  [dmarc(TO_OWN), 'DMARC_REPORTS_LOST', { why: 'no_mx', isOwn: true }],
  [
    dmarc('p=none; rua=mailto:a@example.test,mailto:b@reports.test', { ...MX, 'reports.test TXT': 'x' }),
    'DMARC_REPORTS_LOST',
    { receiver: 'reports.test', why: 'no_mx' },
  ],
  [{ [`${OWN} TXT`]: null }, 'NOT_ASKED', { name: OWN, reason: 'SERVFAIL' }],
  [dmarc('p=reject', { '_dmarc.test TXT': null }), 'DMARC_APPLIES'],
])('%j: %s', async (zone, code, facts = {}) => {
  expect((await advise(zone)).judgement).toMatchObject({ code, facts });
});

// The offered record passes afterwards, at the name of the advice.
test.each([
  ['v=DMARC1; p=reject; psd=y; sp=quarantine', 'v=DMARC1; p=reject; sp=quarantine'],
  ['v=DMARC1; p=reject; pct=0; adkim=s', 'v=DMARC1; p=reject; pct=0; t=y; adkim=s'],
  ['v=DMARC1; p=reject; pct=30; t=n', 'v=DMARC1; p=reject; pct=30; t=y'],
  ['v=DMARC1; p=reject; np=none', 'v=DMARC1; p=reject; np=reject'],
  ['v=DMARC1; p=reject; sp=quarantine; np=none', 'v=DMARC1; p=reject; sp=quarantine; np=quarantine'],
  ['"v=DMARC1; p=reject; x=1"', 'v=DMARC1; p=reject; x=1'],
])('instead of %s', async (text, offer) => {
  const { judgement, name: at } = await advise(record(text));
  expect([judgement.offer, at]).toEqual([offer, OWN]);
  expect((await advise(record(offer))).judgement.code).toBe('DMARC_APPLIES');
});

test('who receives reports has to allow it, at a name of theirs', async () => {
  const { judgement, name: at } = await advise(dmarc(TO_OTHER, ELSEWHERE));
  expect([judgement.offer, at]).toEqual(['v=DMARC1', 'example.test._report._dmarc.reports.test']);
});

// The policy for mail.example.test, which has no record of its own.
test.each<[string, Zone, string, string | null]>([
  ['v=DMARC1; p=none; sp=quarantine; np=none', { 'mail.example.test A': '192.0.2.1' }, 'quarantine', 'sp'],
  ['v=DMARC1; p=none; sp=quarantine; np=reject', {}, 'reject', 'np'],
  ['v=DMARC1; p=none; sp=quarantine; np=reject', { 'mail.example.test MX': null }, 'quarantine', 'sp'],
  ['v=DMARC1; p=reject', {}, 'reject', 'p'],
])('a name below %s', async (text, more, policy, tag) => {
  const { judgement, name: at } = await advise(record(text, more), 'mail.example.test');
  expect(judgement).toMatchObject({ code: 'DMARC_APPLIES', facts: { policy, tag } });
  expect(at).toBe(OWN);
});

test('a registry lends its policy, and is not told how to write it', async () => {
  const zone = { '_dmarc.test TXT': 'v=DMARC1; p=reject; sp=none; psd=y; pct=10; rua=mailto:a@gone.invalid' };
  const { judgement, name: at } = await advise(zone);
  expect(judgement).toMatchObject({ code: 'DMARC_APPLIES', facts: { policy: 'none', tag: 'sp' } });
  expect(at).toBe('_dmarc.test');
});

test('a broken record of its own is told before the one that is inherited', async () => {
  const zone = { '_dmarc.mail.example.test TXT': 'v=dmarc1; p=reject', [`${OWN} TXT`]: 'v=DMARC1; p=none' };
  const { judgement, name: at } = await advise(zone, 'mail.example.test');
  expect([judgement.code, at]).toEqual(['DMARC_SYNTAX', '_dmarc.mail.example.test']);
});

test('what is asked: two names for a domain, one more for a mailbox of its own, two for another', async () => {
  const asked: string[] = [];
  const text = 'v=DMARC1; p=none; rua=mailto:a@example.test,mailto:b@reports.test';
  await adviseDmarc({ domain: 'example.test', lookUp: lookUpIn(record(text, { ...MX, ...ALLOWED }), asked) });
  expect(asked).toEqual([`${OWN} TXT`, '_dmarc.test TXT', 'example.test MX', 'reports.test MX', PERMISSION]);
});

// Each row: the record of the domain, the MAIL FROM name, who signs, the code, and what is offered.
test.each<[string, string | null, string[], string, string | null | undefined]>([
  ['v=DMARC1; p=none', 'bounce.example.test', ['example.test'], 'ALIGNED', undefined],
  ['v=DMARC1; p=none; aspf=s', 'bounce.example.test', ['example.test'], 'ALIGNED_BY_DKIM', 'v=DMARC1; p=none; aspf=r'],
  ['v=DMARC1; p=none', null, ['example.test'], 'ALIGNED_BY_DKIM', null],
  ['v=DMARC1; p=none', 'bounce.provider.test', ['example.test'], 'ALIGNED_BY_DKIM', null],
  ['v=DMARC1; p=none', 'bounce.example.test', [], 'DKIM_NOT_LISTED', null],
  [
    'v=DMARC1; p=none; adkim=s',
    'bounce.example.test',
    ['sub.example.test'],
    'ALIGNED_BY_SPF',
    'v=DMARC1; p=none; adkim=r',
  ],
  [
    'v=DMARC1; p=none; aspf=s; adkim=s',
    'bounce.example.test',
    ['sub.example.test'],
    'NOT_ALIGNED',
    'v=DMARC1; p=none; aspf=r; adkim=r',
  ],
  ['v=DMARC1; adkim=s; aspf=r', 'bounce.example.test', ['sub.example.test', 'example.test'], 'ALIGNED', undefined],
  [
    'v=DMARC1; p=reject; aspf=s; rua=mailto:a@b.test',
    'bounce.example.test',
    [],
    'DKIM_NOT_LISTED',
    'v=DMARC1; p=reject; aspf=r; rua=mailto:a@b.test',
  ],
])('%s, MAIL FROM %s, signed by %j: %s', async (text, mailFrom, signers, code, offer) => {
  const question = { domain: 'example.test', mailFrom, signers, lookUp: lookUpIn(record(text)) };
  const advised = await adviseAlignment(question);
  expect([advised?.judgement.code, advised?.judgement.offer, advised?.name]).toEqual([code, offer, OWN]);
});

test('with neither a DKIM record nor a MAIL FROM name there is nothing to align', async () => {
  const question = { domain: 'example.test', mailFrom: null, signers: [] };
  expect(await adviseAlignment({ ...question, lookUp: lookUpIn(record('v=DMARC1; p=none')) })).toBeNull();
});

test('without a DMARC record nothing has to be aligned, and without an answer nobody knows', async () => {
  const question = { domain: 'example.test', mailFrom: 'b.other.test', signers: [] };
  expect(await adviseAlignment({ ...question, lookUp: lookUpIn({}) })).toBeNull();
  const zone = dmarc('p=none', { '_dmarc.b.other.test TXT': null });
  const advised = await adviseAlignment({ ...question, lookUp: lookUpIn(zone) });
  expect([advised?.judgement.code, advised?.name]).toEqual(['NOT_ASKED', '_dmarc.b.other.test']);
});
