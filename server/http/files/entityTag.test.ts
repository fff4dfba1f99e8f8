import { expect, test } from 'vitest';
import { hasTag } from './entityTag.ts';

test.each([
  // As proxies that compress or keep several answers send it.
  ...['"tag"', 'W/"tag"', '"a, b", W/"tag"', '"tag","b"', ' * '].map((known) => [known, true] as const),
  ...['"a", "b"', 'tag', '"tag', '"ta"', 'W/"', '', undefined].map((known) => [known, false] as const),
])('a caller that has %j has it: %j', (known, isSame) => {
  expect([hasTag(known, '"tag"'), hasTag(known, 'W/"tag"')]).toEqual([isSame, isSame]);
});
