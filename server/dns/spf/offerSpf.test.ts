import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSubset, oneAddress } from './evaluation/addressSet.ts';
import { evaluateSpf } from './evaluation/evaluateSpf.ts';
import type { SpfResult } from './evaluation/evaluation.ts';
import { judgeSpf } from './judgeSpf.ts';
import { offerSpf } from './offerSpf.ts';
import { fakeLookUp, spf } from '../../testing/testSpf.ts';

// For any record of the owner: the offer lets the provider send, and all who could before; it rejects strangers as
// before.

const PROVIDER = '198.51.100.7';
const STRANGER = '100.64.99.99';
const STRANGERS = [STRANGER, '8.8.8.8', '217.0.0.1'];
const SENDERS = ['192.0.2.0', '192.0.2.1', '192.0.2.200', '203.0.113.5', PROVIDER, '198.51.100.200', ...STRANGERS];
const WORLD = {
  'p.test': spf('ip4:198.51.100.0/24 -all'),
  'b.test': spf('ip4:203.0.113.0/24 -all'),
  'c.test': spf('a:h.test include:p.test ~all'),
  'open.test': spf('ip4:0.0.0.0/0 -all'),
  'broken.test': spf('ip4:203.0.113.5 include:gone.test -all'),
  'macro.test': spf('exists:%{i}.x.test -all'),
  'h.test': { A: ['192.0.2.200'], MX: ['h.test'] },
  'o.test': { A: ['192.0.2.0'], MX: ['h.test'] },
};
const WORDS = `
  a mx a/24 a/0 ip4:192.0.2.1 ip4:192.0.2.0/24 ip4:0.0.0.0/1 ip4:128.0.0.0/1 a:gone.test mx:gone.test
  -ip4:198.51.100.7 -ip4:203.0.113.5 ?include:p.test -include:b.test ~a exists:%{i}.own.test exists:h.test ptr
  ipv4:192.0.2.1 192.0.2.1 include=b.test junk:x a; include:b.test, v=spf1 ip4:192.0.2.1include:b.test ra=x`
  .trim()
  .split(/\s+/);
const word = fc.constantFrom(
  ...WORDS,
  ...['p', 'b', 'c', 'open', 'broken', 'macro', 'gone', 'o'].map((target) => `include:${target}.test`),
);
const ENDS = [
  '-all',
  '-all',
  '~all',
  '~all',
  '?all',
  '+all',
  'all',
  '',
  '-al',
  '~ all',
  'redirect=b.test',
  'redirect=gone.test',
];
const last = fc.constantFrom(...ENDS);
const owned = fc
  .tuple(
    fc.constantFrom('v=spf1 ', 'v=spf1 ', 'v=spf1 ', 'v=spf1 ', 'v=spf1; ', '"v=spf1 '),
    fc.array(word, { maxLength: 5 }),
    last,
  )
  .map(([version, words, end]) => `${version}${[...words, end].join(' ')}`);
const texts = fc.oneof({ weight: 4, arbitrary: fc.tuple(owned) }, fc.array(owned, { minLength: 1, maxLength: 3 }));
const expected = fc.constantFrom(
  'v=spf1 include:p.test ~all',
  'v=spf1 a include:p.test -all',
  'v=spf1 redirect=p.test',
  null,
);

const STRICTNESS: readonly SpfResult[] = ['fail', 'softfail', 'neutral'];

async function resultOf(address: string, published: readonly string[]): Promise<SpfResult> {
  const lookUp = fakeLookUp({ ...WORLD, 'o.test': { ...WORLD['o.test'], TXT: published } });
  const question = { domain: 'o.test', addresses: oneAddress(address), sender: 'me@o.test', helo: 'mail.o.test' };
  const { sets } = await evaluateSpf({ ...question, lookUp });
  const results = Object.keys(sets) as SpfResult[];
  return results.find((result) => isSubset(oneAddress(address), sets[result])) ?? 'none';
}

test('an offer never does harm', async () => {
  let offers = 0;
  await fc.assert(
    fc.asyncProperty(texts, expected, async (published, wanted) => {
      const asked = { name: 'o.test', expected: wanted, lookUp: fakeLookUp(WORLD) };
      const { record, leftOut, why } = await offerSpf({ ...asked, texts: published });
      expect(why === null).toBe(record !== null);
      if (record === null) return;
      offers += 1;
      const before = await Promise.all(SENDERS.map((address) => resultOf(address, published)));
      const after = await Promise.all(SENDERS.map((address) => resultOf(address, [record])));
      const wasOpen = STRANGERS.some((address) => before[SENDERS.indexOf(address)] === 'pass');
      for (const [index, address] of SENDERS.entries()) {
        expect(['pass', ...STRICTNESS]).toContain(after[index]);
        if (before[index] === 'pass' && !wasOpen) expect([address, after[index]]).toEqual([address, 'pass']);
      }
      if (wanted !== null) expect(after[SENDERS.indexOf(PROVIDER)]).toBe('pass');
      const [was, is] = [before, after].map((results) => results[SENDERS.indexOf(STRANGER)] ?? 'none');
      expect(is).not.toBe('pass');
      if (was !== undefined && is !== undefined && STRICTNESS.includes(was)) {
        expect(STRICTNESS.indexOf(is)).toBeLessThanOrEqual(STRICTNESS.indexOf(was));
      }
      // Once published it is right, or only something is left that its owner has to choose.
      const { code, offer = null } = await judgeSpf({ ...asked, texts: [record] });
      expect(['MATCH', 'SPF_PUBLISHED', 'SPF_PTR', 'SPF_NEUTRAL_END', 'SPF_VOIDS_AT_LIMIT']).toContain(code);
      expect(offer).toBeNull();
      // The offer contains what the owner has, in corrupted records too, or the text says that it is left out.
      for (const term of published.flatMap((text) => text.match(/(?:include|a|mx):[a-z.]+/g) ?? [])) {
        expect(`${record} ${leftOut.join(' ')}`.replaceAll('redirect=', 'include:')).toContain(term);
      }
    }),
    { numRuns: 1000 },
  );
  expect(offers).toBeGreaterThan(250);
});
