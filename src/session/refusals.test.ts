import { expect, test } from 'vitest';
import { REFUSALS } from '#contract/session.ts';
import { describeRefusal } from './refusals.ts';

test('every reason has its own sentences, and an unknown one those of “other”', () => {
  const titles = REFUSALS.map((code) => describeRefusal(code, 'Acme').title);
  expect(new Set(titles).size).toBe(REFUSALS.length);
  for (const code of ['', 'x', 'constructor', '__proto__'])
    expect(describeRefusal(code, 'Acme')).toEqual(describeRefusal('other', 'Acme'));
});
