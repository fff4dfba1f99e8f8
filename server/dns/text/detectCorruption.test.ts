import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectCorruption } from './detectCorruption.ts';

const isSpf = (text: string) => /^v=spf1( [!-~]+)*$/.test(text);

test.each([
  ['v=spf1 a -all', undefined],
  ['v=spf2 a -all', undefined],
  [' v=spf1 a -all', 'SPACES_AROUND', 'v=spf1 a -all'],
  ['"v=spf1 a -all"', 'QUOTES_IN_VALUE', 'v=spf1 a -all'],
  ['" v=spf1 a -all"', 'QUOTES_IN_VALUE', 'v=spf1 a -all'],
  ['`v=spf1 a -all`', 'QUOTES_IN_VALUE', 'v=spf1 a -all'],
  ['v=spf1\u00a0a\u2003-all', 'SPOILT_CHARACTERS', 'v=spf1 a -all'],
  ['v=spf1\n a\r\n -all\n', 'SPOILT_CHARACTERS', 'v=spf1 a -all'],
  ['\u201cv=spf1 a \u2013all\u201d', 'SPOILT_CHARACTERS', 'v=spf1 a -all'],
  ['\udc93v=spf1 a \udc96all\udc94', 'SPOILT_CHARACTERS', 'v=spf1 a -all'],
])('%j is spoilt by %s', (text, code, offer?: string) => {
  expect(detectCorruption(text, isSpf) ?? {}).toEqual(
    code === undefined ? {} : expect.objectContaining({ code, offer }),
  );
});

test('what it offers is right, whatever came into the text', () => {
  const unseen = fc.constantFrom(...Array.from('\u200b\u00a0\ufeff\u00ad\u2060"\\\u201c\u2014\t\udca0'));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(40), unseen), { maxLength: 4 }), (changes) => {
      const spoilt = changes.reduce(
        (text, [at, char]) => text.slice(0, at) + char + text.slice(at),
        'v=spf1 include:x.test -all',
      );
      const found = detectCorruption(spoilt, isSpf);
      if (isSpf(spoilt)) expect(found).toBeNull();
      if (found !== null) expect(found.offer).toSatisfy(isSpf);
    }),
  );
});
