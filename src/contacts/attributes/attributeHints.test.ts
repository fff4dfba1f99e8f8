import { expect, test } from 'vitest';
import { hintAt } from './attributeHints.ts';

test.each([
  ['email', 'greta.quinn@yahoo,com', /^Is this one email address\?/],
  ['email', 'greta@yahoo.com;', /^Is this one email address\?/],
  ['email', 'greta.quinn', /^This does not look like/],
  ['email', 'greta@yahoo..com', /^This does not look like/],
  ['Email', 'greta@yahoo.com', 'Only email finds the contact. Email is another attribute.'],
  [' PHONE ', '', 'Only phone finds the contact. PHONE is another attribute.'],
  ['Customer_ID', 'C-1', 'Only customer_id finds the contact. Customer_ID is another attribute.'],
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
