import { domainToASCII } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeDnsName, recordName, relativeTo } from './dnsName.ts';

describe('a name', () => {
  test.each([
    ['Mail.X.test.', 'mail.x.test'],
    ['_dmarc.bücher.test', '_dmarc.xn--bcher-kva.test'],
    ['bu\u0308cher。test', 'xn--bcher-kva.test'],
    ['1.2.3.4', '1.2.3.4'],
    ['a..test', null],
    ['*.x.test', null],
    ['x.test..', null],
    ['a b.test', null],
    [`${'a'.repeat(64)}.test`, null],
    ['', null],
    // The URL parser would split these.
    ['bücher.test/x', null],
    ['ü@x.test', null],
    ['ü:80', null],
    ['ü%41.test', null],
    ['bü\ncher.test', null],
    ['ü／x.test', null],
  ])('%j is %j', (text, name) => {
    expect(normalizeDnsName(text)).toBe(name);
  });

  test('with other letters is what Node makes of it', () => {
    const letters = fc.array(
      fc.constantFrom('ü', 'ß', 'İ', 'а', '漢', 'a', 'B', '-', '_', '1', '.', '。', '\u00ad', '😀'),
    );
    fc.assert(
      fc.property(letters, (parts) => {
        const text = `é${parts.join('')}`;
        const name = normalizeDnsName(text);
        if (name !== null) expect(name).toBe(domainToASCII(text.normalize('NFC').replace(/\.$/, '')));
      }),
      { numRuns: 500 },
    );
  });
});

test.each([
  ['@', 'x.test'],
  ['', 'x.test'],
  ['X.test', 'x.test'],
  ['mail.x.test', 'mail.x.test'],
  ['_dmarc', '_dmarc.x.test'],
  // A doubled name shows the mistake.
  ['mail.x.test.x.test', 'mail.x.test.x.test'],
  ['bounce.y.test', 'bounce.y.test'],
  // Only a final dot marks a name outside the domain.
  ['outside.z.test', 'outside.z.test.x.test'],
  ['outside.z.test.', 'outside.z.test'],
  ['maxx.test', 'maxx.test.x.test'],
  ['bücher', 'xn--bcher-kva.x.test'],
  ['a..b', null],
  [`${'a.'.repeat(125)}b`, null],
])('a record called %j for x.test is at %j', (written, name) => {
  expect(recordName(written, 'x.test', 'bounce.y.test')).toBe(name);
});

test.each([
  ['mail.x.test', 'mail'],
  ['x.test', '@'],
  ['x.test.x.test', 'x.test'],
  ['mail.y.test', 'mail.y.test'],
  ['maxx.test', 'maxx.test'],
  ['x.test.evil.example', 'x.test.evil.example'],
])('%j in x.test is the host %j', (name, host) => {
  expect(relativeTo(name, 'x.test')).toBe(host);
});
