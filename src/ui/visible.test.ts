import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../testText.ts';
import { visible } from './visible.ts';

test.each([
  ['v=spf1 include:x.test ~all', 'v=spf1 include:x.test ~all'],
  ['é ü 日本 😀', 'é ü 日本 😀'],
  ['a\u202egnp.exe', 'a\\u202egnp.exe'],
  ['a\nb\r\tc\u0000\u001b[31m\u009b', 'a\\u000ab\\u000d\\u0009c\\u0000\\u001b[31m\\u009b'],
  ['pay\u200bpal\ufeff', 'pay\\u200bpal\\ufeff'],
  ['a\u2028b\u2029c', 'a\\u2028b\\u2029c'],
  ['\ud800', '\\ud800'],
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
])('%j is shown as %s', (text, shown) => {
  expect(visible(text)).toBe(shown);
});

test('whatever is given, nothing unseen is left, and it is left alone the second time', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = visible(text);
      expect(shown).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
      expect(shown.isWellFormed()).toBe(true);
      expect(visible(shown)).toBe(shown);
    }),
  );
});
