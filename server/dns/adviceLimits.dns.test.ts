import { expect, test } from 'vitest';
import { checkDomain } from './checkDomain.ts';
import { RCODES } from './nameServer.ts';
import { NS1, NS2, RESOLVER } from '../testing/testDns.ts';
import {
  address,
  adviseInZone,
  lastZone,
  mx,
  onFault,
  publishZone,
  type SendingSetup,
  SPF,
  txt,
  type BuildZone,
  startTestProvider,
} from '../testing/testZone.ts';

// The cost of advice, and when there is none.

const dns = startTestProvider();

const advise = (...more: [BuildZone, SendingSetup?, Parameters<typeof adviseInZone>[3]?]) => adviseInZone(dns, ...more);
const DKIM = { type: 'CNAME', name: 'k1._domainkey', value: 'k1.dkim.provider.test', is_valid: null };

test('receivers look at eight names at most, and so does the check', async () => {
  const { dmarc } = await advise((at) => [txt(at('_dmarc.g'), 'v=DMARC1; p=none')], { from: 'a.b.c.d.e.f.g' });
  expect(dmarc?.evidence).toHaveLength(8);
  expect(dmarc?.code).toBe('DMARC_APPLIES');
});

const MAIL_FROM: BuildZone = (at) => [mx(at('bounce'), 10, 'feedback.provider.test'), txt(at('bounce'), SPF)];

test('what is listed is checked as a record and not repeated as advice, but its policy is', async () => {
  const records: SendingSetup['records'] = [
    ['MX', 'bounce', '10 feedback.provider.test'],
    ['TXT', 'bounce', SPF],
    ['TXT', '_dmarc', 'v=DMARC1; p=none'],
  ];
  expect(Object.keys(await advise(MAIL_FROM, { records }))).toEqual(['delegation']);
  const published: BuildZone = (at) => [...MAIL_FROM(at), txt(at('_dmarc'), 'v=DMARC1; p=reject')];
  expect(Object.keys(await advise(published, { records })).toSorted()).toEqual(['alignment', 'delegation', 'dmarc']);
});

/** Checks everything of a domain, and returns the queries after the last record. */
async function askedForAdvice(zone: BuildZone, from = '@'): Promise<{ lines: string[]; asked: string[] }> {
  const at = publishZone(dns, zone);
  const domain = { name: at(from), mail_from_domain: at('bounce'), dns: [DKIM] };
  const lines: string[] = [];
  let before = 0;
  for await (const line of checkDomain(dns.dnsClient(), domain, { onError: onFault })) {
    lines.push(line.kind === 'record' ? 'record' : line.finding.code);
    if (line.kind === 'record') before = dns.queries.length;
  }
  return { lines, asked: dns.queries.slice(before) };
}

/** The number of queries for one thing: one over UDP, and one over TCP if there is nothing. */
function mostRepeated(asked: readonly string[]): number {
  return Math.max(
    ...Map.groupBy(asked, (line) => line)
      .values()
      .map(({ length }) => length),
  );
}

test('advice comes after the records, and following an SPF record comes last, with 25 questions at most', async () => {
  const includes = Array.from({ length: 10 }, (_, index) => `i${index}`);
  const { lines, asked } = await askedForAdvice(
    (at) => [
      txt(at('bounce'), `v=spf1 ${includes.map((host) => `include:${at(host)}`).join(' ')} ~all`),
      ...includes.map((host) => txt(at(host), 'v=spf1 mx -all')),
      ...includes.map((host) => mx(at(host), 10, at('mail'))),
      address(at('mail'), '192.0.2.1'),
    ],
    'a.b.c.d.e.f.g.h',
  );
  expect([lines.at(0), ...lines.slice(1, -1).toSorted(), lines.at(-1)]).toEqual([
    'record',
    'DELEGATION_RIGHT',
    'DMARC_ABSENT',
    'MX_MISSING',
    'SPF_TOO_MANY_LOOKUPS',
  ]);
  expect(mostRepeated(asked)).toBeLessThanOrEqual(2);
  expect(asked.length).toBeLessThanOrEqual(20 + 25);
});

test('advice on a domain of the usual kind takes twelve questions', async () => {
  const { asked } = await askedForAdvice((at) => [
    mx(at('bounce'), 10, 'feedback.provider.test'),
    txt(at('bounce'), SPF),
    txt(at('_dmarc'), 'v=DMARC1; p=none'),
  ]);
  const zone = lastZone();
  expect(asked.toSorted()).toEqual(
    [
      // The tree walks of DMARC.
      `ns1 _dmarc.${zone} TXT`,
      `ns1 _dmarc.bounce.${zone} TXT`,
      'resolver _dmarc.test TXT',
      // A negative answer is confirmed over TCP.
      `ns1 _dmarc.bounce.${zone} TXT`,
      'resolver _dmarc.test TXT',
      // MX and SPF of the MAIL FROM name, with what they lead to.
      `ns1 bounce.${zone} MX`,
      'resolver feedback.provider.test A',
      `ns1 bounce.${zone} TXT`,
      'resolver spf.provider.test TXT',
      // The name servers that the zone names, and whether they have it.
      `ns1 ${zone} NS`,
      `ns1 ${zone} SOA`,
      `ns2 ${zone} SOA`,
    ].toSorted(),
  );
});

test('questions that are used up make advice unknown, not missing', async () => {
  const found = await advise(() => [], {}, { limits: { questionsPerDomain: 8 } });
  const codes = ['dmarc', 'alignment', 'mail_from_mx', 'mail_from_spf'].map((about) => found[about]?.code);
  expect(codes.every((code) => code === 'NOT_ASKED')).toBe(true);
  expect(found.mail_from_spf?.diagnosis).toContain('too many questions');
});

test('a name server that was still to answer when the time was over is not said to be at fault', async () => {
  dns.misbehave[NS2] = ({ type }) => (type === 'SOA' ? 'silence' : undefined);
  const { delegation } = await advise(() => [], { records: [] }, { limits: { timeout: 5000, deadline: 1500 } });
  expect(delegation).toMatchObject({ code: 'DELEGATION_RIGHT' });
  expect(delegation?.diagnosis).toContain('It is not known whether ns2.host.test answers.');
});

test('servers in charge are asked, so that no resolver remembers that there was nothing', async () => {
  await advise((at) => [txt(at('_dmarc'), 'v=DMARC1; p=none')], { from: 'mail', mailFrom: 'bounce' });
  const byResolver = dns.queries.filter((line) => line.startsWith(RESOLVER) && /bounce|_dmarc\.(mail|d\d)/.test(line));
  expect(byResolver).toEqual([]);
  dns.misbehave[NS1] = dns.misbehave[NS2] = () => ({ flags: RCODES.REFUSED });
  const { dmarc } = await advise((at) => [txt(at('_dmarc'), 'v=DMARC1; p=none')]);
  expect(dmarc).toMatchObject({ code: 'DMARC_APPLIES', dig: expect.stringContaining(`@${dns.addresses.resolver}`) });
});
