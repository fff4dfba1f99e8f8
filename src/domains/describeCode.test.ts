import { expect, test } from 'vitest';
import { describeCode } from './describeCode.ts';

test.each([
  ['WRONG_TYPE', 'Wrong record type'],
  ['SPF_WITHOUT_INCLUDE', 'SPF missing our include'],
  ['DKIM_WEAK_KEY', 'DKIM weak key'],
  ['CNAME_AT_APEX', 'CNAME at apex'],
  ['EXTRA_MX', 'Extra MX'],
  ['TEXT_THROUGH_CNAME', 'Text through CNAME'],
  ['ALIGNED', 'Aligned'],
  // Another service may send anything.
  ['', ''],
  ['no code', 'no code'],
  ['constructor', 'constructor'],
  ['__proto__', '__proto__'],
  ['A__B', 'A__B'],
])('the code %j is read as %j', (code, words) => {
  expect(describeCode(code)).toBe(words);
});
