import { expect, test } from 'vitest';
import { createToken, EMAIL_MAX, inviteMember, TOKEN_NAME_MAX } from './members.ts';

test.each([
  [' ann@example.com ', 'read', true],
  [`${'a'.repeat(EMAIL_MAX - 2)}@x`, 'read', true],
  [`${'a'.repeat(EMAIL_MAX - 1)}@x`, 'read', false],
  ['ann', 'read', false],
  ['ann@', 'read', false],
  ['a b@c', 'read', false],
  ['ann@example.com', 'ingest', false],
])('an invitation of %j with the role "%s" is taken: %s', (email, role, isTaken) => {
  expect(inviteMember.body.safeParse({ email, role }).success).toBe(isTaken);
});

test.each([
  [' shop ', true],
  ['x'.repeat(TOKEN_NAME_MAX), true],
  ['x'.repeat(TOKEN_NAME_MAX + 1), false],
  ['', false],
  [' ', false],
  ['ops\u202e\n=HYPERLINK("x")', false],
  ['a\u0000b', false],
  ['a\ud800', false],
  ['a\u2028b', false],
  ['a\u2066b', false],
  ['a\u001b[2Jb', false],
])('a token may have the name %j: %s', (name, isTaken) => {
  expect(createToken.body.safeParse({ name, role: 'read' }).success).toBe(isTaken);
});
