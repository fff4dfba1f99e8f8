import { expect, test } from 'vitest';
import { toReturnPath } from './routes.ts';

test.each([
  '//evil.example.com',
  '/\\evil.example.com',
  'https://evil.example.com',
  'javascript:alert(1)',
  '/\t/evil.example.com',
  '/..//evil.example.com',
  'contacts',
  '',
  '/x\r\nset-cookie: a=b',
  '/session/account',
  '/session/account/callback?code=x',
  '/%73ession/account?return=/contacts',
  '/x/../session/account',
  '/session',
])('a sign-in does not lead to %j', (asked) => {
  expect(toReturnPath(asked)).toBe('/');
});

test('a sign-in leads to a page of ours, written as a header can hold it', () => {
  expect(toReturnPath('/contacts/jörg?search=a b#c')).toBe('/contacts/j%C3%B6rg?search=a%20b#c');
});
