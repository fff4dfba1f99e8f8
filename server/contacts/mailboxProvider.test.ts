import { expect, test } from 'vitest';
import { mailboxProvider } from './mailboxProvider.ts';

test.each<[email: unknown, provider: string | null]>([
  ['ada@gmail.com', 'gmail'],
  [' Ada@GoogleMail.com ', 'gmail'],
  ['"a@yahoo.com"@icloud.com', 'icloud'],
  ['ada@gmail.com.example', null],
  ['ada@notgmail.com', null],
  ['ada@constructor', null],
  ['', null],
  [null, null],
  [7, null],
])('%j is run by %j', (email, provider) => {
  expect(mailboxProvider(email)).toBe(provider);
});
