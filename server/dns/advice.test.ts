import type { Answer } from 'dns-packet';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Finding } from '#contract/dnsCheck.ts';
import type { AdviceCode } from './adviceFindings.ts';
import type { AskerOptions } from './asker.ts';
import { checkDomain, checkWholeDomain } from './checkDomain.ts';
import { RCODES } from './nameServer.ts';
import { addZone, NS1, NS2, RESOLVER, startTestDns, type TestDns } from './testDns.ts';
import { walkTargets } from './treeWalk.ts';

let dns: TestDns;
beforeAll(async () => {
  dns = await startTestDns();
  addZone(dns, 'provider.test', [
    txt('spf.provider.test', 'v=spf1 ip4:192.0.2.0/24 -all'),
    txt('reports.provider.test', 'nothing'),
    txt('*.test._report._dmarc.open.provider.test', 'v=DMARC1;'),
    txt('_dmarc.hosted.provider.test', 'v=DMARC1; p=reject'),
  ]);
});
afterAll(() => dns[Symbol.asyncDispose]());
beforeEach(() => {
  for (const address of [NS1, NS2, RESOLVER]) dns.misbehave[address] = () => undefined;
  dns.asked.length = 0;
});

const txt = (name: string, ...data: string[]): Answer => ({ type: 'TXT', name, data });
const mx = (name: string, exchange: string): Answer => ({ type: 'MX', name, data: { preference: 10, exchange } });
const cname = (name: string, data: string): Answer => ({ type: 'CNAME', name, data });

let count = 0;
type Zone = (at: (name: string) => string) => Answer[];
type Sending = { from?: string; mailFrom?: string | null; records?: [type: string, name: string, value: string][] };
const DKIM: [string, string, string] = ['CNAME', 'k1._domainkey', 'k1.dkim.provider.test'];

/** Publishes a zone of its own, sends from `from` in it (the zone itself), and gives each advice. `@` is the zone. */
async function advise(
  zone: Zone,
  { from = '@', mailFrom = 'bounce', records = [DKIM] }: Sending = {},
  options: Partial<AskerOptions> = {},
): Promise<Partial<Record<string, Finding>>> {
  const apex = `a${++count}.test`;
  const at = (name: string) => (name === '@' ? apex : name.endsWith('.test') ? name : `${name}.${apex}`);
  addZone(dns, apex, zone(at));
  const { advice } = await checkWholeDomain(dns.asker(options), {
    name: at(from),
    mail_from_domain: mailFrom === null ? null : at(mailFrom),
    dns: records.map(([type, name, value]) => ({ type, name, value, is_valid: null })),
  });
  return Object.fromEntries(advice.map(({ about, finding }) => [about, finding]));
}

const REGISTRY: Zone = (at) => [txt(at('_dmarc'), 'v=DMARC1; p=reject; psd=y')];
const HOST: Zone = (at) => [{ type: 'A', name: at('mail'), data: '192.0.2.1' }];
const SPF = 'v=spf1 include:spf.provider.test ~all';
const WRONG_SPF = `v=spf1 ${'exists:%{i}.a.test '.repeat(11)}~all`;

// Each row: what it is about, the code, what is published, and how mail is sent.
test.each<[string, AdviceCode, Zone, Sending?]>([
  ['mail_from_mx', 'MX_PUBLISHED', (at) => [mx(at('bounce'), 'feedback.provider.test')]],
  ['mail_from_mx', 'MX_PUBLISHED', (at) => [cname(at('bounce'), at('b')), mx(at('b'), 'mx.provider.test')]],
  ['mail_from_mx', 'MX_MISSING', (at) => [txt(at('bounce'), SPF)]],
  ['mail_from_mx', 'SEVERAL_MX', (at) => [mx(at('bounce'), 'a.provider.test'), mx(at('bounce'), 'b.provider.test')]],
  ['mail_from_mx', 'NULL_MX', (at) => [mx(at('bounce'), '.')]],
  ['mail_from_spf', 'SPF_PUBLISHED', (at) => [txt(at('bounce'), SPF), txt(at('bounce'), 'other')]],
  ['mail_from_spf', 'SPF_MISSING', (at) => [txt(at('bounce'), 'other')]],
  ['mail_from_spf', 'SPF_UNREADABLE', (at) => [txt(at('bounce'), ` ${SPF}`)]],
  ['mail_from_spf', 'SEVERAL_SPF', (at) => [txt(at('bounce'), SPF), txt(at('bounce'), 'v=spf1 a -all')]],
  ['mail_from_spf', 'SPF_ALLOWS_ALL', (at) => [txt(at('bounce'), 'v=spf1 +all')]],
  ['mail_from_spf', 'SPF_WITHOUT_ALL', (at) => [txt(at('bounce'), 'v=spf1 ip4:192.0.2.1')]],
  ['mail_from_spf', 'SPF_TOO_MANY_LOOKUPS', (at) => [txt(at('bounce'), WRONG_SPF)]],
  ['mail_from_spf', 'SPF_VOID_LOOKUPS', (at) => [txt(at('bounce'), 'v=spf1 a:x.a.test a:y.a.test a:z.a.test -all')]],
  ['mail_from_spf', 'SPF_LOOP', (at) => [txt(at('bounce'), `v=spf1 include:${at('bounce')} -all`)]],
  ['mail_from_spf', 'SPF_SYNTAX', (at) => [txt(at('bounce'), 'v=spf1 ip4:999.1.1.1 ~all')]],
  ['mail_from_spf', 'SPF_INCLUDE_BROKEN', (at) => [txt(at('bounce'), 'v=spf1 include:gone.nowhere.test ~all')]],
  ['mail_from_spf', 'SPF_INCLUDE_BROKEN', (at) => [txt(at('bounce'), `v=spf1 redirect=${at('@')}`)]],
  [
    'mail_from_spf',
    'SPF_PUBLISHED',
    (at) => [txt(at('bounce'), 'v=spf1 include:%{i}.provider.test redirect=spf.provider.test')],
  ],
  ['mail_from_spf', 'NOT_ASKED', (at) => [txt(at('bounce'), 'v=spf1 include:spf.silent.invalid ~all')]],

  ['dmarc', 'DMARC_APPLIES', (at) => [txt(at('_dmarc'), 'v=DMARC1; p=none')]],
  ['dmarc', 'DMARC_APPLIES', (at) => [cname(at('_dmarc'), '_dmarc.hosted.provider.test')]],
  ['dmarc', 'DMARC_APPLIES', (at) => [txt(at('_dmarc'), 'v=DMARC1; rua=mailto:a@open.provider.test')]],
  ['dmarc', 'DMARC_APPLIES', (at) => [txt(at('_dmarc'), `v=DMARC1; p=none; rua=mailto:a@${at('reports')}; x=1`)]],
  [
    'dmarc',
    'DMARC_APPLIES',
    (at) => [txt(at('_dmarc'), 'v=DMARC1'), txt(at('_dmarc.mail'), `v=DMARC1; rua=mailto:a@${at('reports')}`)],
    { from: 'mail' },
  ],
  ['dmarc', 'DMARC_ABSENT', () => []],
  ['dmarc', 'DMARC_AT_DOMAIN', (at) => [txt(at('@'), 'v=DMARC1; p=none')]],
  ['dmarc', 'SEVERAL_DMARC', (at) => ['none', 'reject'].map((p) => txt(at('_dmarc'), `v=DMARC1; p=${p}`))],
  ['dmarc', 'DMARC_SYNTAX', (at) => [txt(at('_dmarc'), 'v=DMARC1; p=rejct')]],
  ['dmarc', 'DMARC_SYNTAX', (at) => [txt(at('_dmarc'), 'v=dmarc1; p=none')]],
  ['dmarc', 'DMARC_SYNTAX', (at) => [txt(at('_dmarc'), 'v=DMARC1; p=none; p=reject')]],
  ['dmarc', 'DMARC_REMOVED_TAGS', (at) => [txt(at('_dmarc'), 'v=DMARC1; p=reject; pct=20; ri=60')]],
  ['dmarc', 'DMARC_REPORTS_REFUSED', (at) => [txt(at('_dmarc'), 'v=DMARC1; rua=mailto:a@reports.provider.test')]],

  ['alignment', 'ALIGNED', (at) => [txt(at('_dmarc'), 'v=DMARC1')]],
  ['alignment', 'ALIGNED_BY_DKIM', (at) => [txt(at('_dmarc'), 'v=DMARC1')], { mailFrom: null }],
  ['alignment', 'ALIGNED_BY_DKIM', (at) => [txt(at('_dmarc'), 'v=DMARC1')], { mailFrom: 'bounce.provider.test' }],
  ['alignment', 'ALIGNED_BY_DKIM', (at) => [txt(at('_dmarc'), 'v=DMARC1; aspf=s')]],
  ['alignment', 'ALIGNED_BY_SPF', (at) => [txt(at('_dmarc'), 'v=DMARC1')], { records: [] }],
  [
    'alignment',
    'ALIGNED_BY_SPF',
    (at) => [txt(at('_dmarc'), 'v=DMARC1; adkim=s')],
    { records: [['CNAME', 'k1._domainkey.sub', 'k1.dkim.provider.test']] },
  ],
  ['alignment', 'NOT_ALIGNED', (at) => [txt(at('_dmarc'), 'v=DMARC1; aspf=s')], { records: [] }],
])('%s: %s, as it is published', async (about, code, zone, sending) => {
  if (code === 'NOT_ASKED')
    dns.misbehave[RESOLVER] = ({ name }) => (name.endsWith('invalid') ? { flags: 2 } : undefined);
  const { [about]: finding } = await advise(zone, sending);
  expect(finding).toMatchObject({ code, expected: null, until: null });
  expect(['ok', 'warn', 'unknown']).toContain(finding?.result);
});

test('a record to type is whole, and keeps what its owner decided', async () => {
  const fixOf = async (about: string, record: string, at = '_dmarc') =>
    (await advise((name) => [txt(name(at), record)]))[about]?.fix;
  expect(await fixOf('dmarc', 'x')).toMatchObject({ type: 'TXT', host: '_dmarc', value: 'v=DMARC1; p=none' });
  expect(await fixOf('dmarc', 'v=DMARC1, p=reject, rua=mailto:a@b.test,mailto:c@d.test')).toMatchObject({
    value: 'v=DMARC1; p=reject; rua=mailto:a@b.test,mailto:c@d.test',
  });
  expect(await fixOf('dmarc', 'v=DMARC1; sp=none; p=quarantine; pct=50')).toMatchObject({
    value: 'v=DMARC1; p=quarantine; sp=none',
  });
  expect(await fixOf('alignment', 'v=DMARC1; p=reject; aspf=s')).toMatchObject({
    host: '_dmarc',
    value: 'v=DMARC1; p=reject',
  });
  expect(await fixOf('mail_from_spf', 'v=spf1 a:spf.provider.test +all', 'bounce')).toMatchObject({
    host: 'bounce',
    value: 'v=spf1 a:spf.provider.test ~all',
  });
  expect(await fixOf('mail_from_spf', `${SPF} include:gone.nowhere.test ip4:1.2.3`, 'bounce')).toMatchObject({
    todo: 'Publish this record in its place. It leaves out ip4:1.2.3, include:gone.nowhere.test, which receivers cannot use.',
    value: SPF,
  });
  const { mail_from_spf: broken } = await advise((at) => [txt(at('bounce'), 'v=spf1 include:gone.nowhere.test -all')]);
  expect(broken).toMatchObject({ dig: expect.stringMatching(/ gone\.nowhere\.test TXT$/) });
  expect(broken?.evidence.at(-1)?.answer).toBe('NXDOMAIN');
  const { mail_from_spf: several } = await advise((at) => [
    txt(at('bounce'), 'v=spf1 a:spf.provider.test -all'),
    txt(at('bounce'), 'v=spf1 redirect=spf.provider.test'),
  ]);
  expect(several?.fix?.value).toBe('v=spf1 a:spf.provider.test include:spf.provider.test -all');
  const { dmarc } = await advise((at) => [txt(at('_dmarc'), 'v=DMARC1; rua=mailto:a@reports.provider.test')]);
  expect(dmarc?.fix).toMatchObject({
    host: `a${count}.test._report._dmarc`,
    name: `a${count}.test._report._dmarc.reports.provider.test`,
    value: 'v=DMARC1',
  });
});

async function policy(record: string, sending: Sending = {}, more: Zone = () => []): Promise<string | undefined> {
  const { dmarc } = await advise((at) => [txt(at('_dmarc'), record), ...more(at)], sending);
  return dmarc?.diagnosis;
}

test('which policy counts: its own, that for subdomains, that for names without mail, one step weaker in a test', async () => {
  const all = 'v=DMARC1; p=reject; sp=quarantine; np=none';
  const from = { from: 'mail', mailFrom: null };
  expect(await policy(all)).toContain('refuse mail that fails (p=reject)');
  expect(await policy(all, from, HOST)).toContain('treat mail that fails as suspicious (sp=quarantine)');
  expect(await policy(all, from)).toContain('leave mail that fails alone (np=none)');
  expect(await policy('v=DMARC1; p=reject', from)).toContain('(p=reject)');
  expect(await policy('v=DMARC1; p=reject; t=y')).toContain(
    'treat mail that fails as suspicious (p=reject, one step weaker because of t=y)',
  );
  expect(await policy('v=DMARC1')).toContain('leave mail that fails alone (it names no policy)');
});

test('a registry with psd=y makes an organisation of each domain below it, and lends it its policy', async () => {
  const lent = await advise(REGISTRY, { from: 'a.shop', mailFrom: 'bounce.shop' });
  expect(lent.dmarc?.diagnosis).toContain(`The DMARC record at _dmarc.a${count}.test counts for mail from a.shop`);
  expect(lent.alignment).toMatchObject({
    code: 'ALIGNED',
    diagnosis: expect.stringContaining(`shop.a${count}.test is`),
  });
  const strange = await advise(REGISTRY, { from: 'shop', mailFrom: 'bounce.other' });
  expect(strange.alignment).toMatchObject({
    code: 'ALIGNED_BY_DKIM',
    diagnosis: expect.stringContaining(`belongs to other.a${count}.test, and not to shop.a${count}.test`),
  });
  expect(dns.asked.some((line) => line.includes(' _dmarc.test '))).toBe(false);
});

test('a domain that says psd=n is an organisation of its own', async () => {
  const { alignment } = await advise(
    (at) => [txt(at('_dmarc'), 'v=DMARC1; p=none'), txt(at('_dmarc.mail'), 'v=DMARC1; p=none; psd=n')],
    { from: 'mail', mailFrom: 'bounce' },
  );
  expect(alignment?.code).toBe('ALIGNED_BY_DKIM');
});

test('where the walk gets no answer, only what is known without it is said', async () => {
  dns.misbehave[RESOLVER] = ({ name }) => (name === '_dmarc.test' ? { flags: RCODES.SERVFAIL } : undefined);
  const inherited = await advise((at) => [txt(at('_dmarc'), 'v=DMARC1; p=none')], { from: 'mail' });
  expect([inherited.dmarc?.code, inherited.alignment?.code]).toEqual(['NOT_ASKED', 'NOT_ASKED']);
  const reports = await advise((at) => [txt(at('_dmarc'), 'v=DMARC1; rua=mailto:a@reports.provider.test')]);
  expect([reports.dmarc?.code, reports.alignment?.code]).toEqual(['DMARC_APPLIES', 'NOT_ASKED']);
  expect(reports.dmarc?.diagnosis).toContain('whether reports.provider.test accepts reports could not be asked');
});

test('receivers look at eight names at most, and so does the check', async () => {
  expect(walkTargets('a.b.c.d.e.f.g.h.i.j.mail.example.com')).toEqual([
    'a.b.c.d.e.f.g.h.i.j.mail.example.com',
    'g.h.i.j.mail.example.com',
    'h.i.j.mail.example.com',
    'i.j.mail.example.com',
    'j.mail.example.com',
    'mail.example.com',
    'example.com',
    'com',
  ]);
  expect(walkTargets('example.com')).toEqual(['example.com', 'com']);
  const { dmarc } = await advise((at) => [txt(at('_dmarc.g'), 'v=DMARC1; p=none')], { from: 'a.b.c.d.e.f.g' });
  expect(dmarc?.evidence).toHaveLength(8);
  expect(dmarc?.code).toBe('DMARC_APPLIES');
});

test('what is listed is checked as a record and not repeated as advice, but its policy is', async () => {
  const zone: Zone = (at) => [mx(at('bounce'), 'mx.provider.test'), txt(at('bounce'), SPF)];
  const records: Sending['records'] = [
    ['MX', 'bounce', '10 mx.provider.test'],
    ['TXT', 'bounce', SPF],
    ['TXT', '_dmarc', 'v=DMARC1; p=none'],
  ];
  expect(await advise(zone, { records })).toEqual({});
  const published: Zone = (at) => [...zone(at), txt(at('_dmarc'), 'v=DMARC1; p=reject')];
  expect(Object.keys(await advise(published, { records })).toSorted()).toEqual(['alignment', 'dmarc']);
});

test('advice comes after the records, and takes 20 questions at most', async () => {
  const name = `a${++count}.test`;
  const hosts = Array.from({ length: 10 }, (_, index) => `h${index}.${name}`);
  addZone(dns, name, [
    txt(`bounce.${name}`, `v=spf1 ${hosts.map((host) => `a:${host}`).join(' ')} ~all`),
    ...hosts.map((host): Answer => ({ type: 'A', name: host, data: '192.0.2.1' })),
  ]);
  const domain = {
    name: `a.b.c.d.e.f.g.h.${name}`,
    mail_from_domain: `bounce.${name}`,
    dns: [{ type: 'CNAME', name: 'k1._domainkey', value: 'k1.dkim.provider.test', is_valid: null }],
  };
  const lines: string[] = [];
  let asked = 0;
  for await (const line of checkDomain(dns.asker(), domain)) {
    lines.push(line.kind === 'record' ? 'record' : line.finding.code);
    if (line.kind === 'record') asked = dns.asked.length;
  }
  expect([lines.at(0), ...lines.slice(1, -1).toSorted(), lines.at(-1)]).toEqual([
    'record',
    'DMARC_ABSENT',
    'MX_MISSING',
    'NOT_ASKED',
  ]);
  const forAdvice = dns.asked.slice(asked);
  expect(forAdvice.length).toBe(20);
  expect(new Set(dns.asked).size).toBe(new Set(dns.asked.slice(0, asked)).size + 20);
});

test('advice on a domain of the usual kind takes six questions', async () => {
  const name = `a${++count}.test`;
  addZone(dns, name, [
    mx(`bounce.${name}`, 'mx.provider.test'),
    txt(`bounce.${name}`, SPF),
    txt(`_dmarc.${name}`, 'v=DMARC1; p=none'),
  ]);
  const records = [{ type: 'CNAME', name: 'k1._domainkey', value: 'k1.dkim.provider.test', is_valid: null }];
  let asked = 0;
  const domain = { name, mail_from_domain: `bounce.${name}`, dns: records };
  for await (const { kind } of checkDomain(dns.asker(), domain)) if (kind === 'record') asked = dns.asked.length;
  expect(
    dns.asked
      .slice(asked)
      .map((line) => line.slice(line.indexOf(' ') + 1))
      .toSorted(),
  ).toEqual([
    `_dmarc.${name} TXT`,
    `_dmarc.bounce.${name} TXT`,
    '_dmarc.test TXT',
    `bounce.${name} MX`,
    `bounce.${name} TXT`,
    'spf.provider.test TXT',
  ]);
});

test('questions that are used up make advice unknown, not missing', async () => {
  const found = await advise(() => [], {}, { limits: { questionsPerDomain: 8 } });
  const codes = ['dmarc', 'alignment', 'mail_from_mx', 'mail_from_spf'].map((about) => found[about]?.code);
  expect(codes.every((code) => code === 'NOT_ASKED')).toBe(true);
  expect(found.mail_from_spf?.diagnosis).toContain('too many questions');
});

test('servers in charge are asked, so that no resolver remembers that there was nothing', async () => {
  await advise((at) => [txt(at('_dmarc'), 'v=DMARC1')], { from: 'mail', mailFrom: 'bounce' });
  const byResolver = dns.asked.filter((line) => line.startsWith(RESOLVER) && /bounce|_dmarc\.(mail|a\d)/.test(line));
  expect(byResolver).toEqual([]);
  dns.misbehave[NS1] = dns.misbehave[NS2] = () => ({ flags: RCODES.REFUSED });
  const { dmarc } = await advise((at) => [txt(at('_dmarc'), 'v=DMARC1')]);
  expect(dmarc).toMatchObject({ code: 'DMARC_APPLIES', dig: expect.stringContaining(`@${RESOLVER}`) });
});
