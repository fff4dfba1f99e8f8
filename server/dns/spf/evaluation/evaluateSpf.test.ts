import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countOf, ALL_ADDRESSES, isSubset, network, oneAddress, union } from './addressSet.ts';
import { evaluateSpf } from './evaluateSpf.ts';
import type { SpfEvaluation, SpfResult } from './evaluation.ts';
import { isOpen } from './openness.ts';
import { fakeLookUp, spf } from '../../../testing/testSpf.ts';

type Zone = Parameters<typeof fakeLookUp>[0];

function evaluate(zone: Zone, domain = 'a.test') {
  const lookUp = fakeLookUp(zone);
  return evaluateSpf({ domain, addresses: ALL_ADDRESSES, sender: null, helo: null, lookUp });
}

async function resultFor(address: string, zone: Zone, domain = 'a.test'): Promise<SpfResult> {
  const question = { domain, addresses: oneAddress(address), sender: `me@${domain}`, helo: 'mail.test' };
  return resultIn(await evaluateSpf({ ...question, lookUp: fakeLookUp(zone) }), address);
}

function resultIn({ sets }: SpfEvaluation, address: string): SpfResult {
  const results = Object.keys(sets) as SpfResult[];
  const all = results.filter((result) => isSubset(oneAddress(address), sets[result]));
  expect(all).toHaveLength(1);
  return all[0] ?? 'none';
}

const one = (text: string): Zone => ({ 'a.test': spf(text) });

describe('everybody at once', () => {
  test('each mechanism takes its addresses out of those that are left', async () => {
    const { sets } = await evaluate(one('-ip4:192.0.2.7 ip4:192.0.2.0/24 ?ip6:2001:db8::/32 ~all'));
    expect(countOf(sets.pass)).toBe(255n);
    expect(sets.fail).toEqual(oneAddress('192.0.2.7'));
    expect(sets.neutral).toEqual(network('2001:db8::', 32));
    expect(isOpen(sets.softfail)).toBe(true);
    expect(union(...Object.values(sets))).toEqual(ALL_ADDRESSES);
  });

  test('only a pass of an include counts, and a redirect hands over', async () => {
    const { sets } = await evaluate({
      'a.test': spf('include:b.test -include:c.test redirect=d.test'),
      'b.test': spf('ip4:192.0.2.1 -all'),
      'c.test': spf('ip4:192.0.2.2 ?ip4:192.0.2.3 ~all'),
      'd.test': spf('ip4:192.0.2.0/29 ~all'),
    });
    // .1 passes by the include; .2 is rejected; the redirect lets the other seven of the /29 send, of which .1 is one.
    expect(sets.fail).toEqual(oneAddress('192.0.2.2'));
    expect(countOf(sets.pass)).toBe(7n);
    expect(countOf(sets.neutral)).toBe(0n);
    expect(isOpen(sets.softfail)).toBe(true);
  });

  test('what depends on the message is left undecided, and said', async () => {
    const { sets, opaque, lookUps } = await evaluate({
      'a.test': spf('include:b.test -exists:%{l}.a.test a:%{h} exists:%{d}.ok.test'),
      'b.test': spf('ptr ?all'),
      'a.test.ok.test': { A: ['127.0.0.2'] },
    });
    expect(opaque).toEqual([
      { text: 'ptr', at: 'b.test', way: ['include:b.test'], qualifier: '+', isPositive: true },
      { text: '-exists:%{l}.a.test', at: 'a.test', way: [], qualifier: '-', isPositive: false },
      { text: 'a:%{h}', at: 'a.test', way: [], qualifier: '+', isPositive: true },
    ]);
    expect(lookUps).toHaveLength(5);
    // %{d} is known, so everybody passes.
    expect(sets.pass).toEqual(ALL_ADDRESSES);
  });

  test('a term is positive only where "+" is on all the way to it', async () => {
    const { positives } = await evaluate({
      'a.test': spf('?include:b.test include:c.test redirect=d.test'),
      'b.test': spf('ip4:192.0.2.1 -all'),
      'c.test': spf('~a:host.test ip4:192.0.2.2 -all'),
      'd.test': spf('include:b.test -all'),
      'host.test': { A: ['192.0.2.9'] },
    });
    expect(positives.map(({ text, way }) => [...way, text].join(' > '))).toEqual([
      'include:c.test > ip4:192.0.2.2',
      'include:c.test',
      'redirect=d.test > include:b.test > ip4:192.0.2.1',
      'redirect=d.test > include:b.test',
      'redirect=d.test',
    ]);
  });

  test('only IPv4 addresses of hosts are asked for, unless those of IPv6 mean whole networks', async () => {
    const zone = {
      'a.test': { ...spf('a mx -all'), A: ['192.0.2.1'], MX: ['mx.test'] },
      'mx.test': { A: ['192.0.2.2'], AAAA: ['2001:db8::2'] },
      'b.test': { ...spf('a//0 -all'), A: ['192.0.2.1'], AAAA: ['2001:db8::1'] },
    };
    const lookUp = fakeLookUp(zone);
    const world = { addresses: ALL_ADDRESSES, sender: null, helo: null, lookUp };
    await evaluateSpf({ ...world, domain: 'a.test' });
    expect(lookUp.asked).toEqual(['a.test TXT', 'a.test A', 'a.test MX', 'mx.test A']);
    const { sets } = await evaluateSpf({ ...world, domain: 'b.test' });
    expect(isSubset(oneAddress('2001:db8:ffff::1'), sets.pass)).toBe(true);
  });
});

describe('what makes a record broken (RFC 7208, section 4.6)', () => {
  const eleven = Array.from({ length: 11 }, (_, index) => `a:h${index}.test`);
  const hosts = Object.fromEntries(eleven.map((term) => [term.slice(2), { A: ['192.0.2.1'] }]));

  test.each<[string, Zone, object]>([
    ['the eleventh look-up', { ...hosts, ...one(`${eleven.join(' ')} -all`) }, { kind: 'lookUps', text: 'a:h10.test' }],
    ['a third void look-up', one('a:x.test mx:y.test exists:z.test -all'), { kind: 'voids', text: 'exists:z.test' }],
    [
      'an include without a record',
      one('include:x.test -all'),
      { kind: 'none', text: 'include:x.test', target: 'x.test' },
    ],
    ['a redirect without a record', one('redirect=x.test'), { kind: 'none', text: 'redirect=x.test' }],
    [
      'several records',
      { 'a.test': { TXT: ['v=spf1 a', 'V=SPF1 -all'] } },
      { kind: 'several', text: '', at: 'a.test' },
    ],
    ['a word that nobody can read', one('-all ip4:999.1.1.1 foo'), { kind: 'syntax', words: ['ip4:999.1.1.1', 'foo'] }],
    ['a loop', one('ip4:192.0.2.1 include:A.test -all'), { kind: 'loop', text: 'include:A.test', target: 'a.test' }],
    [
      'eleven MX records',
      { 'a.test': { ...spf('mx -all'), MX: Object.keys(hosts) }, ...hosts },
      { kind: 'mxHosts', text: 'mx', count: 11 },
    ],
    [
      'a error two includes away, with the way to it',
      {
        ...one('include:b.test -all'),
        'b.test': spf('redirect=c.test'),
        'c.test': spf('ip4:1.2.3 -all'),
      },
      { kind: 'syntax', text: 'redirect=c.test', at: 'b.test', way: ['include:b.test'], target: 'c.test' },
    ],
  ])('%s', async (_, zone, error) => {
    const { sets, errors } = await evaluate(zone);
    expect(errors[0]).toMatchObject(error);
    expect(isOpen(sets.permerror)).toBe(true);
    expect(await resultFor('203.0.113.200', zone)).toBe('permerror');
  });

  test('a term with macros that does not match counts as a void look-up', async () => {
    const zone = one('exists:%{i}.x.test a:y.test exists:%{i}.z.test ip4:192.0.2.1 -all');
    const { sets, errors } = await evaluate(zone);
    expect(errors).toMatchObject([{ kind: 'voids', text: 'exists:%{i}.z.test' }]);
    expect(sets.pass).toEqual([]);
    expect(await resultFor('192.0.2.1', zone)).toBe('permerror');
  });

  test('ten look-ups, two of them void, and ten MX records are not too many', async () => {
    const ten = eleven.slice(0, 7).join(' ');
    const zone = {
      ...hosts,
      ...one(`${ten} mx:mx.test a:x.test a:y.test -all`),
      'mx.test': { MX: Object.keys(hosts).slice(1) },
    };
    expect(await evaluate(zone)).toMatchObject({
      errors: [],
      lookUps: { length: 10 },
      voids: [{ target: 'x.test' }, { target: 'y.test' }],
    });
  });

  test('a name that nobody answers for decides about what is left, and no more', async () => {
    const zone = { 'a.test': spf('ip4:192.0.2.1 include:b.test -all'), 'b.test': { TXT: null } };
    const { sets, errors } = await evaluate(zone);
    expect(countOf(sets.pass)).toBe(1n);
    expect(isOpen(sets.temperror)).toBe(true);
    expect(errors).toMatchObject([{ kind: 'unasked', target: 'b.test', type: 'TXT', reason: 'timed out' }]);
  });
});

describe('one message', () => {
  const zone: Zone = {
    'a.test': spf('ptr:a.test exists:%{ir}.%{v}.%{l1r-}.%{o}.ok.test exists:%{H}.helo.test -all'),
    '9.2.0.192.in-addr.arpa': { PTR: ['www.a.test'] },
    '4.2.0.192.in-addr.arpa': { PTR: ['www.a.test', 'elsewhere.test'] },
    'www.a.test': { A: ['192.0.2.9'] },
    // "to-me" reversed is "me.to", whose rightmost label is "to".
    '3.2.0.192.in-addr.to.a.test.ok.test': { A: ['127.0.0.2'] },
    'mail.test.helo.test': { A: ['127.0.0.2'] },
  };
  test.each([
    ['192.0.2.9', 'x', 'x.test', 'pass'],
    ['192.0.2.3', 'to-me', 'x.test', 'pass'],
    ['192.0.2.4', 'x', 'mail.test', 'pass'],
    ['192.0.2.4', 'x', 'x.test', 'fail'],
  ])('%s with the sender %s and the host %s: %s', async (address, local, helo, result) => {
    const question = { domain: 'a.test', addresses: oneAddress(address), sender: `${local}@a.test`, helo };
    expect(resultIn(await evaluateSpf({ ...question, lookUp: fakeLookUp(zone) }), address)).toBe(result);
  });
});

// The evaluation of all addresses at once and that of each address must agree.

const NAMES = ['a.test', 'b.test', 'c.test', 'd.test', 'gone.test', 'slow.test'];
const ADDRESSES = ['192.0.2.0', '192.0.2.1', '192.0.2.9', '192.0.2.128', '198.51.100.4', '100.0.0.1', '203.0.113.255'];
const name = fc.constantFrom(...NAMES);
const qualifier = fc.constantFrom('', '', '', '-', '~', '?');
const mechanism = fc.oneof(
  fc
    .tuple(fc.constantFrom(...ADDRESSES), fc.constantFrom(32, 31, 25, 24, 2, 1, 0))
    .map(([at, bits]) => `ip4:${at}/${bits}`),
  { weight: 2, arbitrary: name.map((target) => `include:${target}`) },
  fc
    .tuple(fc.constantFrom('a', 'mx'), name, fc.constantFrom('', '/24', '/1'))
    .map(([kind, target, bits]) => `${kind}:${target}${bits}`),
  name.map((target) => `exists:${target}`),
  fc.constantFrom('a', 'mx', 'include:%{d2}', 'exists:x.%{d}'),
);
const terms = fc.array(fc.tuple(qualifier, mechanism), { maxLength: 6 }).map((all) => all.map((pair) => pair.join('')));
const end = fc.oneof(
  { weight: 3, arbitrary: qualifier.map((one) => `${one}all`) },
  name.map((target) => `redirect=${target}`),
  fc.constantFrom('', 'junk:x'),
);
const record = fc.tuple(terms, end).map(([all, last]) => ['v=spf1', ...all, last].join(' ').trim());
const host = fc.record({
  TXT: fc.oneof({ weight: 8, arbitrary: fc.tuple(record) }, fc.array(record, { maxLength: 2 })),
  A: fc.oneof({ weight: 5, arbitrary: fc.subarray(ADDRESSES) }, fc.constant(null)),
  MX: fc.oneof({ weight: 5, arbitrary: fc.subarray(NAMES) }, fc.constant(null)),
});
const zones = fc.tuple(host, host, host, host).map(([a, b, c, d]): Zone => ({
  'a.test': a,
  'b.test': b,
  'c.test': c,
  'd.test': d,
  'slow.test': { TXT: null, A: null, MX: null },
}));

test('everybody at once comes to the same as each address on its own', async () => {
  await fc.assert(
    fc.asyncProperty(zones, async (zone) => {
      const all = await evaluate(zone);
      for (const address of ADDRESSES) expect(resultIn(all, address)).toBe(await resultFor(address, zone));
    }),
    { numRuns: 1000 },
  );
});
