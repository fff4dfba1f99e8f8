import { type Answer, AUTHORITATIVE_ANSWER } from 'dns-packet';
import { beforeAll, expect, test } from 'vitest';
import type { Code } from './catalogue/catalogue.ts';
import { RCODES } from './nameServer.ts';
import { addZone, NS1, NS2, RESOLVER } from '../testing/testDns.ts';
import {
  address,
  adviseInZone,
  cname,
  lastZone,
  mx as mxOf,
  type SendingSetup,
  SPF,
  txt,
  type BuildZone,
  startTestProvider,
} from '../testing/testZone.ts';

// Advice about what is not listed and matters to the mail of a domain.

const dns = startTestProvider();
beforeAll(() =>
  addZone(dns, 'reports.test', [
    ...['refuses', 'takes'].map((host) => address(`${host}.reports.test`, '192.0.2.25')),
    txt('refuses.reports.test', 'nothing'),
    txt('*.test._report._dmarc.takes.reports.test', 'v=DMARC1;'),
    txt('_dmarc.hosted.reports.test', 'v=DMARC1; p=reject'),
  ]),
);

const advise = (zone: BuildZone, sending?: SendingSetup) => adviseInZone(dns, zone, sending);
const mx = (name: string, exchange: string) => mxOf(name, 10, exchange);

const REGISTRY: BuildZone = (at) => [txt(at('_dmarc'), 'v=DMARC1; p=reject; psd=y')];
const HOST: BuildZone = (at) => [address(at('mail'), '192.0.2.1')];
const NONE = 'v=DMARC1; p=none';

/** Both are authoritative, and the zone names only the first one. */
const ONLY_FIRST: BuildZone = (at) => {
  const zone = at('@');
  dns.misbehave[NS1] = ({ name, type }) =>
    name === zone && type === 'NS'
      ? { flags: AUTHORITATIVE_ANSWER, answers: [{ type: 'NS', name, ttl: 60, data: 'ns1.host.test' }] }
      : undefined;
  return [];
};
const LAME_SECOND: BuildZone = (at) => {
  const zone = at('@');
  dns.misbehave[NS2] = ({ name }) => (name.endsWith(zone) ? { flags: RCODES.REFUSED } : undefined);
  return [];
};

/** There is no IPv6 here. */
const UNREACHED: BuildZone = (at) => {
  const host: Answer = { type: 'AAAA', name: at('ns6'), data: '2001:67c:2e8::53' };
  const apex: Answer = { type: 'NS', name: at('@'), data: at('ns6') };
  dns.zones['registry']?.['test']?.records.push(apex, host);
  return [apex, host];
};

// Each row: its subject, the code, what is published, and how mail is sent.
test.each<[string, Code, BuildZone, SendingSetup?]>([
  ['mail_from_mx', 'MX_PUBLISHED', (at) => [mx(at('bounce'), 'feedback.provider.test')]],
  ['mail_from_mx', 'MX_PUBLISHED', (at) => [cname(at('bounce'), at('b')), mx(at('b'), 'feedback.provider.test')]],
  ['mail_from_mx', 'MX_TARGET_WITHOUT_ADDRESS', (at) => [mx(at('bounce'), 'gone.provider.test')]],
  ['mail_from_mx', 'MX_TARGET_PRIVATE', (at) => [mx(at('bounce'), at('in')), address(at('in'), '10.0.0.1')]],
  [
    'mail_from_mx',
    'MX_PUBLISHED',
    (at) => [mx(at('bounce'), at('in')), address(at('in'), '10.0.0.1'), address(at('in'), '192.0.2.1')],
  ],
  ['mail_from_mx', 'MX_MISSING', (at) => [txt(at('bounce'), SPF)]],
  ['mail_from_mx', 'SEVERAL_MX', (at) => [mx(at('bounce'), 'a.provider.test'), mx(at('bounce'), 'b.provider.test')]],
  ['mail_from_mx', 'NULL_MX', (at) => [mx(at('bounce'), '.')]],
  ['mail_from_spf', 'SPF_PUBLISHED', (at) => [txt(at('bounce'), SPF), txt(at('bounce'), 'other')]],
  ['mail_from_spf', 'SPF_MISSING', (at) => [txt(at('bounce'), 'other')]],
  ['mail_from_spf', 'SEVERAL_SPF', (at) => [txt(at('bounce'), SPF), txt(at('bounce'), 'v=spf1 a -all')]],
  ['mail_from_spf', 'SPF_INCLUDE_BROKEN', (at) => [txt(at('bounce'), 'v=spf1 include:gone.nowhere.test ~all')]],
  [
    'mail_from_spf',
    'SPF_PUBLISHED',
    (at) => [txt(at('bounce'), 'v=spf1 include:%{i}.provider.test redirect=spf.provider.test')],
  ],
  ['mail_from_spf', 'SPF_NOT_ASKED', (at) => [txt(at('bounce'), 'v=spf1 include:spf.silent.invalid ~all')]],

  ['dmarc', 'DMARC_APPLIES', (at) => [txt(at('_dmarc'), NONE)]],
  ['dmarc', 'DMARC_APPLIES', (at) => [cname(at('_dmarc'), '_dmarc.hosted.reports.test')]],
  ['dmarc', 'DMARC_APPLIES', (at) => [txt(at('_dmarc'), `${NONE}; rua=mailto:a@takes.reports.test`)]],
  [
    'dmarc',
    'DMARC_APPLIES',
    (at) => [address(at('reports'), '192.0.2.1'), txt(at('_dmarc'), `${NONE}; rua=mailto:a@${at('reports')}; x=1`)],
  ],
  [
    'dmarc',
    'DMARC_APPLIES',
    (at) => [
      address(at('reports'), '192.0.2.1'),
      txt(at('_dmarc'), NONE),
      txt(at('_dmarc.mail'), `${NONE}; rua=mailto:a@${at('reports')}`),
    ],
    { from: 'mail' },
  ],
  ['dmarc', 'DMARC_ABSENT', () => []],
  ['dmarc', 'DMARC_AT_DOMAIN', (at) => [txt(at('@'), NONE)]],
  ['dmarc', 'SEVERAL_DMARC', (at) => ['none', 'reject'].map((p) => txt(at('_dmarc'), `v=DMARC1; p=${p}`))],
  ['dmarc', 'DMARC_REPORTS_REFUSED', (at) => [txt(at('_dmarc'), `${NONE}; rua=mailto:a@refuses.reports.test`)]],
  ['dmarc', 'DMARC_REPORTS_LOST', (at) => [txt(at('_dmarc'), `${NONE}; rua=mailto:a@${at('nowhere')}`)]],

  ['alignment', 'ALIGNED', (at) => [txt(at('_dmarc'), NONE)]],
  ['alignment', 'ALIGNED_BY_DKIM', (at) => [txt(at('_dmarc'), NONE)], { mailFrom: null }],
  ['alignment', 'ALIGNED_BY_DKIM', (at) => [txt(at('_dmarc'), `${NONE}; aspf=s`)]],
  ['alignment', 'ALIGNED_BY_SPF', (at) => [txt(at('_dmarc'), NONE)], { records: [] }],

  ['delegation', 'DELEGATION_RIGHT', () => []],
  ['delegation', 'DELEGATION_DIFFERS', ONLY_FIRST],
  ['delegation', 'DELEGATION_LAME', LAME_SECOND],
])('%s: %s, as it is published', async (about, code, zone, sending) => {
  if (code === 'SPF_NOT_ASKED')
    dns.misbehave[RESOLVER] = ({ name }) => (name.endsWith('invalid') ? { flags: RCODES.SERVFAIL } : undefined);
  const { [about]: finding } = await advise(zone, sending);
  expect(finding).toMatchObject({ code, expected: null, until: null });
  expect(['ok', 'warn', 'unknown']).toContain(finding?.result);
});

test('a name server that this machine cannot reach is not said to answer', async () => {
  const { delegation } = await advise(UNREACHED);
  const [zone, ns6] = [delegation?.zone, `ns6.${delegation?.zone}`];
  expect(delegation).toMatchObject({ result: 'ok', code: 'DELEGATION_RIGHT', turn: null });
  expect(delegation?.diagnosis).toBe(
    `The registrar and ${zone} itself name the same name servers: ns1.host.test, ns2.host.test, ${ns6}. It is not known whether ${ns6} answers.`,
  );
  expect(delegation?.evidence.map(({ server, answer }) => [server, answer])).toContainEqual([ns6, 'no route']);
});

test('a record to type is whole, and keeps what its owner decided', async () => {
  const absent = await advise((at) => [txt(at('_dmarc'), 'x')]);
  expect(absent.dmarc?.fix).toMatchObject({ type: 'TXT', host: '_dmarc', value: 'v=DMARC1; p=none' });
  const strict = await advise((at) => [txt(at('_dmarc'), 'v=DMARC1; p=reject; aspf=s')]);
  expect(strict.alignment?.fix).toMatchObject({ host: '_dmarc', value: 'v=DMARC1; p=reject; aspf=r' });
  const broken = await advise((at) => [txt(at('bounce'), 'v=spf1 include:gone.nowhere.test -all')]);
  expect(broken.mail_from_spf).toMatchObject({ dig: expect.stringMatching(/ gone\.nowhere\.test TXT$/) });
  expect(broken.mail_from_spf?.evidence.at(-1)?.answer).toBe('NXDOMAIN');
  const { dmarc } = await advise((at) => [txt(at('_dmarc'), `${NONE}; rua=mailto:a@refuses.reports.test`)]);
  expect(dmarc).toMatchObject({ turn: 'report_receiver' });
  expect(dmarc?.fix).toMatchObject({
    host: `${lastZone()}._report._dmarc.refuses`,
    name: `${lastZone()}._report._dmarc.refuses.reports.test`,
    value: 'v=DMARC1',
  });
});

async function policy(
  record: string,
  sending: SendingSetup = {},
  more: BuildZone = () => [],
): Promise<string | undefined> {
  const { dmarc } = await advise((at) => [txt(at('_dmarc'), record), ...more(at)], sending);
  return dmarc?.diagnosis;
}

test('which policy counts: its own, that for subdomains, that for names without mail, one step weaker in a test', async () => {
  const all = 'v=DMARC1; p=reject; sp=quarantine; np=reject';
  const from = { from: 'mail', mailFrom: null };
  expect(await policy(all)).toContain('refuse mail that fails (p=reject)');
  expect(await policy(all, from, HOST)).toContain('treat mail that fails as suspicious (sp=quarantine)');
  expect(await policy(all, from)).toContain('refuse mail that fails (np=reject)');
  expect(await policy('v=DMARC1; p=reject', from)).toContain('(p=reject)');
  expect(await policy('v=DMARC1; p=reject; t=y')).toContain(
    'treat mail that fails as suspicious (p=reject, one step weaker because of t=y)',
  );
  expect(await policy('v=DMARC1')).toContain('Some receivers read that as p=none, and others ignore the record.');
});

test('a registry with psd=y makes an organisation of each domain below it, and lends it its policy', async () => {
  const lent = await advise(REGISTRY, { from: 'a.shop', mailFrom: 'bounce.shop' });
  expect(lent.dmarc?.diagnosis).toContain(`The DMARC record at _dmarc.${lastZone()} counts for mail from a.shop`);
  expect(lent.alignment).toMatchObject({
    code: 'ALIGNED',
    diagnosis: expect.stringContaining(`shop.${lastZone()} is`),
  });
  const strange = await advise(REGISTRY, { from: 'shop', mailFrom: 'bounce.other' });
  expect(strange.alignment).toMatchObject({
    code: 'ALIGNED_BY_DKIM',
    diagnosis: expect.stringContaining(`belongs to other.${lastZone()}, and not to shop.${lastZone()}`),
  });
  expect(dns.queries.some((line) => line.includes(' _dmarc.test '))).toBe(false);
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
  const reports = await advise((at) => [txt(at('_dmarc'), `${NONE}; rua=mailto:a@refuses.reports.test`)]);
  expect([reports.dmarc?.code, reports.alignment?.code]).toEqual(['DMARC_APPLIES', 'NOT_ASKED']);
  expect(reports.dmarc?.diagnosis).toContain('Whether refuses.reports.test gets its reports could not be asked.');
});
