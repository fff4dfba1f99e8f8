import { AUTHORITATIVE_ANSWER } from 'dns-packet';
import { expect, test } from 'vitest';
import { addZone, NS1, NS2, RCODES, type TestDns } from '../../testing/testDns.ts';
import {
  adviseInZone,
  BOUNCE_SPF,
  type BuildZone,
  checkInZone,
  checkRecords,
  cname,
  createTestProvider,
  K1,
  lastZone,
  type ListedRecord,
  MX,
  mx,
  RIGHT_ZONE,
  SPF,
  txt,
  WEAK_KEY,
} from '../../testing/testZone.ts';

const dns = createTestProvider();
const ELEVEN = Array.from({ length: 11 }, (_, index) => `include:i${index}.shared.test`);
addZone(dns, 'shared.test', [
  txt('syntax.shared.test', 'v=spf1 foo -all'),
  txt('outer.shared.test', 'v=spf1 include:syntax.shared.test -all'),
  txt('all.shared.test', 'v=spf1 +all'),
  txt('deep.shared.test', `v=spf1 ${ELEVEN.join(' ')} -all`),
  ...ELEVEN.map((term) => txt(term.slice('include:'.length), 'v=spf1 ip4:192.0.2.9 -all')),
  txt('weak.shared.test', WEAK_KEY),
]);

type Fault = TestDns['misbehave'][string];
const ofKey =
  (fault: ReturnType<Fault>): Fault =>
  ({ name }) =>
    name.startsWith('k1._domainkey.d') ? fault : undefined;

/** The record for bounces with these terms before the listed one. */
const spf =
  (terms: string): BuildZone =>
  (at) => [txt(at('bounce'), SPF.replace('v=spf1', `v=spf1 ${terms}`))];
const WEAK: ListedRecord = { ...K1, value: 'weak.shared.test' };
const KEYLESS: ListedRecord = { ...K1, value: 'gone.shared.test' };
const HOSTLESS: ListedRecord = { ...MX, value: '10 gone.shared.test' };

// Each row: what is published and listed, and what domains with the same fault have in common.
test.each<[string, BuildZone, ListedRecord, string | null, Record<string, Fault>?]>([
  ['nothing is wrong', RIGHT_ZONE, K1, null],
  ['the owner lacks the record', () => [], K1, null],
  ['the owner has another value', (at) => [cname(at(K1.name), 'x.shared.test')], K1, null],
  ['the owner’s SPF is malformed', spf('foo'), BOUNCE_SPF, null],
  ['an include is missing', spf('include:gone.shared.test'), BOUNCE_SPF, 'include:gone.shared.test'],
  ['an include is broken', spf('include:syntax.shared.test'), BOUNCE_SPF, 'include:syntax.shared.test'],
  ['an include of an include is', spf('include:outer.shared.test'), BOUNCE_SPF, 'include:syntax.shared.test'],
  ['an include is too deep', spf('include:deep.shared.test'), BOUNCE_SPF, 'include:deep.shared.test'],
  ['the owner has too many', spf(ELEVEN.join(' ')), BOUNCE_SPF, null],
  ['an include allows everybody', spf('include:all.shared.test'), BOUNCE_SPF, 'include:all.shared.test'],
  ['the owner allows everybody', spf('+all'), BOUNCE_SPF, null],
  [
    'the listed include is broken',
    (at) => [txt(at('bounce'), 'v=spf1 include:outer.shared.test ~all')],
    { ...BOUNCE_SPF, value: 'v=spf1 include:outer.shared.test ~all' },
    'include:syntax.shared.test',
  ],
  ['the target has no key', (at) => [cname(at(K1.name), KEYLESS.value)], KEYLESS, 'target:gone.shared.test'],
  ['the key at the target is weak', (at) => [cname(at(K1.name), WEAK.value)], WEAK, 'target:weak.shared.test'],
  [
    'the mail server has no address',
    (at) => [mx(at('bounce'), 10, 'gone.shared.test')],
    HOSTLESS,
    'target:gone.shared.test',
  ],
  ['a name server is silent', RIGHT_ZONE, K1, 'ns:ns2.host.test', { [NS2]: ofKey('silence') }],
  [
    'a name server lacks the record',
    RIGHT_ZONE,
    K1,
    'ns:ns2.host.test',
    { [NS2]: ofKey({ flags: AUTHORITATIVE_ANSWER | RCODES.NXDOMAIN }) },
  ],
])('%s', async (_, zone, listed, cause, faults = {}) => {
  Object.assign(dns.misbehave, faults);
  expect((await checkInZone(dns, zone, listed)).cause).toBe(cause);
});

test('the delegation has a cause of its own', async () => {
  const lame = await adviseInZone(dns, (at) => [{ type: 'NS', name: at('@'), data: 'ns3.host.test' }]);
  expect(lame['delegation']).toMatchObject({ code: 'DELEGATION_LAME', cause: 'ns:ns3.host.test' });
  dns.misbehave[NS1] = ({ name, type }) =>
    type !== 'NS' || !/^d\d+\.test$/.test(name)
      ? undefined
      : { flags: AUTHORITATIVE_ANSWER, answers: [{ type, name, data: 'ns1.host.test' }] };
  const differing = await adviseInZone(dns, () => []);
  expect(differing['delegation']).toMatchObject({ code: 'DELEGATION_DIFFERS', cause: `registrar:${lastZone()}` });
});

test('a domain that is not registered has one cause with the domains below it', async () => {
  const domain = { name: 'mail.nobody.test', mail_from_domain: null, dns: [{ ...K1, is_valid: null }] };
  const [record] = await checkRecords(dns.dnsClient(), domain);
  expect(record?.finding).toMatchObject({ code: 'DOMAIN_NOT_DELEGATED', cause: 'registrar:nobody.test' });
  // One server of the registry was asked, of several.
  expect(record?.finding.confirmed_by?.is_gone).toBe(false);
});
