import { expect, test } from 'vitest';
import { createSeal } from './seal.ts';

test('what is sealed is opened with the same secret and about the same only', () => {
  const seal = createSeal('secret');
  const sealed = seal.close('text', 'ann');
  expect(seal.open(sealed, 'ann')).toBe('text');
  expect(seal.open(sealed, 'bert')).toBeNull();
  expect(createSeal('other').open(sealed, 'ann')).toBeNull();
});
