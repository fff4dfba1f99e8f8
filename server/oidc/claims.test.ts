import { describe, expect, test } from 'vitest';
import { accountOf, isSubject, joinClaims } from './claims.ts';

const ANN = { email: 'ann@example.com', email_verified: true, name: 'Ann' };

function account(claims: object, roleClaim = 'groups') {
  const roles = [{ group: 'support-team', workspace: null, role: 'support' }] as const;
  return accountOf(
    { ...ANN, ...claims },
    { issuer: 'https://accounts.example.com', subject: 'ann' },
    { roleClaim, roles },
  );
}

test.each([
  ['a list of names', 'groups', { groups: ['x', 'support-team'] }],
  ['one name', 'groups', { groups: 'support-team' }],
  ['a path', 'realm_access.roles', { realm_access: { roles: ['support-team'] } }],
  ['a URL with dots', 'https://example.com/roles', { 'https://example.com/roles': ['support-team'] }],
])('groups are found in %s', (_, roleClaim, claims) => {
  expect(account(claims, roleClaim).roleIn('any')).toBe('support');
  expect(account({}, roleClaim).roleIn('any')).toBeNull();
});

test('a group of one workspace has its role there, and another may have one in all', () => {
  const roles = [
    { group: 'support-team', workspace: 'b', role: 'admin' },
    { group: 'support-team', workspace: null, role: 'read' },
  ] as const;
  const issued = { issuer: 'https://accounts.example.com', subject: 'ann' };
  const { roleIn } = accountOf({ ...ANN, groups: ['support-team'] }, issued, { roleClaim: 'groups', roles });
  expect([roleIn('a'), roleIn('b')]).toEqual(['read', 'admin']);
});

test.each([
  ['is cut within a character', `${'x'.repeat(253)}😀`, `${'x'.repeat(253)}\ufffd`],
  ['has half a character', 'a\ud800', 'a\ufffd'],
  ['has a NUL', 'a\u0000b', 'a b'],
  ['is no text', 5, null],
])('a name that %s is made storable', (_, name, kept) => {
  expect(account({ name }).name).toBe(kept);
});

test.each([5, 'ann', 'a\u0000@example.com', '\ud800@example.com', `${'a'.repeat(254)}@example.com`])(
  'an address that is none is as none, and the subject is the name: %j',
  (email) => {
    expect(account({ email, name: undefined })).toMatchObject({ email: '', claimedEmail: '', name: 'ann' });
  },
);

test.each([
  [true, ANN.email],
  ['true', ANN.email],
  [false, ''],
  ['false', ''],
  [undefined, ''],
])('an address whose email_verified is %j is that of the account as "%s"', (email_verified, email) => {
  expect(account({ email_verified })).toMatchObject({ email, claimedEmail: ANN.email });
});

describe('an address of the ID token', () => {
  test.each([
    ['the user info says so of the same', {}, ANN, true],
    ['the user info says so of another', {}, { ...ANN, email: 'other@example.com' }, undefined],
    ['the ID token says no, and the user info yes', { email_verified: false }, ANN, false],
  ])('is verified as the one says that is about it: %s', (_, inToken, inUserInfo, email_verified) => {
    expect(joinClaims({ email: ANN.email, ...inToken }, inUserInfo)).toMatchObject({ ...ANN, email_verified });
  });
});

test.each([
  ['255 characters', true, 's'.repeat(255)],
  ['256 characters', false, 's'.repeat(256)],
  ['a NUL', false, 'a\u0000b'],
  ['half a character', false, 'a\ud800'],
  ['no character', false, ''],
])('a subject with %s may be that of an account: %s', (_, isOne, subject) => {
  expect(isSubject(subject)).toBe(isOne);
});
