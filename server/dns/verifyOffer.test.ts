import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  address,
  BOUNCE_SPF,
  checkInZone,
  cname,
  DKIM,
  type ListedRecord,
  MX,
  POLICY,
  txt,
  type BuildZone,
  createTestProvider,
} from '../testing/testZone.ts';

// An offered record is right where it is put.

const dns = createTestProvider();

/** What SPF records of the domain lead to. */
const INCLUDED: BuildZone = (at) => [
  address(at('@'), '198.51.100.7'),
  txt(at('_spf'), 'v=spf1 ip4:198.51.100.2 -all'),
  txt(at('bad'), 'v=spf1 ip4:1.2.3 -all'),
  txt(at('by'), `v=spf1 include:${at('bad')} -all`),
  txt(at('two'), 'v=spf1 -all'),
  txt(at('two'), 'v=spf1 a -all'),
];

// Each row: the code, the published records, the offered record; `@` is the domain.
test.each<[string, string[], string | null, string?]>([
  ['SPF_WITHOUT_INCLUDE', ['v=spf1 redirect=_spf.@'], 'v=spf1 include:spf.provider.test redirect=_spf.@'],
  [
    'SEVERAL_SPF',
    ['v=spf1 ip4:198.51.100.1 ?all', 'v=spf1 redirect=_spf.@'],
    'v=spf1 ip4:198.51.100.1 include:_spf.@ include:spf.provider.test -all',
    'It has "include:_spf.@" instead of "redirect", which receivers ignore next to "all".',
  ],
  // These senders are in use: the people who run them have to correct them.
  ['SPF_INCLUDE_BROKEN', ['v=spf1 include:spf.provider.test include:by.@ a:@ ~all'], null],
  ['MATCH', ['v=spf1 exists:%{i}._spf.%{d2} include:spf.provider.test. a:@/24//64 ra=post exp=why.%{d} -all'], null],
])('%s: %j', async (code, records, better, todo) => {
  const finding = await checkInZone(
    dns,
    (at) => [...INCLUDED(at), ...records.map((text) => txt(at('bounce'), text.replaceAll('@', at('@'))))],
    BOUNCE_SPF,
  );
  expect([finding.code, finding.fix?.value ?? null]).toEqual([code, better?.replaceAll('@', finding.zone) ?? null]);
  if (todo !== undefined) expect(finding.fix?.todo).toContain(todo.replaceAll('@', finding.zone));
  if (better === null) return;
  const put = await checkInZone(
    dns,
    (at) => [...INCLUDED(at), txt(at('bounce'), better.replaceAll('@', at('@')))],
    BOUNCE_SPF,
  );
  // How strict the end is stays the owner's choice.
  expect(put.code).toBe(better.endsWith('?all') ? 'SPF_NEUTRAL_END' : 'MATCH');
});

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PRIVATE_KEY = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');

// Each row: what is listed, the code. Nothing is published.
test.each<[ListedRecord, string]>([
  [{ ...BOUNCE_SPF, value: 'v=spf1 include:spf.provider.test +all' }, 'SPF_PROVIDER_ALLOWS_ALL'],
  [{ ...BOUNCE_SPF, value: 'v=spf1 include:gone.nowhere.test ~all' }, 'SPF_PROVIDER_BROKEN'],
  [{ ...DKIM, value: `v=DKIM1; p=${PRIVATE_KEY}` }, 'EXPECTED_KEY_UNREADABLE'],
  [{ ...DKIM, value: 'v=DKIM1; p=' }, 'EXPECTED_KEY_UNREADABLE'],
])('what is listed does harm or is of no use, so nobody is told to publish it: %j is %s', async (listed, code) => {
  const finding = await checkInZone(dns, () => [], listed);
  expect(finding).toMatchObject({ result: 'fail', code, turn: 'provider', found: [], fix: null });
});

const HOSTED: BuildZone = (at) => [
  cname(at('_dmarc'), at('policy')),
  txt(at('policy'), 'v=DMARC1; p=rejct; rua=mailto:a@in.provider.test'),
];
const WEBSITE: BuildZone = (at) => [cname(at('bounce'), at('@')), txt(at('@'), 'v=spf1 ip4:198.51.100.9 -all')];

test('what an alias brings to a name does not get lost with it', async () => {
  const dmarc = await checkInZone(dns, HOSTED, POLICY);
  expect(dmarc.fix?.value).toBe('v=DMARC1; p=reject; rua=mailto:a@in.provider.test');
  const spf = await checkInZone(dns, WEBSITE, BOUNCE_SPF);
  expect(spf.fix?.value).toBe('v=spf1 ip4:198.51.100.9 include:spf.provider.test -all');
  const { fix } = await checkInZone(dns, WEBSITE, MX);
  expect(fix?.todo).toMatch(/^If nothing uses d\d+\.test under this name any more, delete the CNAME/);
});

// Each row: what the name inherits, a broken record at the name, the offer.
test.each<[string, string, string | undefined]>([
  ['v=DMARC1; p=none', 'v=DMARC1; p=rejct', 'v=DMARC1; p=reject'],
  ['v=DMARC1; p=none; rua=mailto:a@in.provider.test', 'v=DMARC1; p=rejct', undefined],
  ['v=DMARC1; p=reject', 'v=DMARC1; p=quarantin', undefined],
])('no DMARC record is offered that does less than the inherited: %s, then %s', async (inherited, broken, offer) => {
  const zone: BuildZone = (at) => [txt(at('_dmarc'), inherited), txt(at('_dmarc.bounce'), broken)];
  const finding = await checkInZone(dns, zone, { ...POLICY, name: '_dmarc.bounce' });
  expect([finding.code, finding.fix?.value]).toEqual(['DMARC_SYNTAX', offer]);
});
