import { expect, test } from 'vitest';
import { hintAt } from './attributeHints.ts';

test.each([
  ['email', 'greta.quinn@yahoo,com', /^Is this one email address\?/],
  ['email', 'greta@yahoo.com;', /^Is this one email address\?/],
  ['email', 'greta.quinn', /^This doesn’t look like/],
  ['email', 'greta@yahoo..com', /^This doesn’t look like/],
  ['Email', 'greta@yahoo.com', 'Contacts are found only by email. Email is a different attribute.'],
  [' PHONE ', '', 'Contacts are found only by phone. PHONE is a different attribute.'],
  ['Customer_ID', 'C-1', 'Contacts are found only by customer_id. Customer_ID is a different attribute.'],
])('%s %j has a hint', (key, text, hint) => {
  expect(hintAt(key, text, 'customer_id')).toMatch(hint);
});

test.each([
  ['email', 'greta.quinn@yahoo.com'],
  ['email', '"a b"@x.test'],
  ['email', 'jörg@bücher.example'],
  ['email', ''],
  ['phone', '030, 12'],
  ['customer_id', 'C,1'],
  ['note', 'a,b@c'],
])('%s %j has none', (key, text) => {
  expect(hintAt(key, text, 'customer_id')).toBeNull();
});

test('the name of an identity that the workspace does not have is free', () => {
  expect(hintAt('Customer_ID', 'C-1', null)).toBeNull();
});
