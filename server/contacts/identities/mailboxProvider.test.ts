import { expect, test } from 'vitest';
import { mailboxProvider } from './mailboxProvider.ts';

test.each<[email: unknown, provider: string]>([
  ['ada@gmail.com', 'gmail'],
  [' Ada@GoogleMail.com ', 'gmail'],
  ['"a@yahoo.com"@icloud.com', 'icloud'],
  ['ada@gmail.com.example', ''],
  ['ada@notgmail.com', ''],
  ['ada@constructor', ''],
  ['', ''],
  [null, ''],
  [7, ''],
])('%j is run by %j', (email, provider) => {
  expect(mailboxProvider(email)).toBe(provider);
});
