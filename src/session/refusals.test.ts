import { expect, test } from 'vitest';
import { REFUSALS } from '#contract/session.ts';
import { describeRefusal } from './refusals.ts';

test('every reason has sentences of its own, and what nobody knows has those of the unknown', () => {
  const titles = REFUSALS.map((code) => describeRefusal(code, 'Acme').title);
  expect(new Set(titles).size).toBe(REFUSALS.length);
  for (const code of ['', 'x', 'constructor', '__proto__'])
    expect(describeRefusal(code, 'Acme')).toEqual(describeRefusal('other', 'Acme'));
});
