import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { listContacts } from '#contract/additions.ts';
import { takeConditions } from './takeConditions.ts';

const client = new QueryClient();
const attributes = { email: 'jane@example.com', phone: '+49 30 1', customer_id: 'C-1', plan: 'gold', 'a b': 1 };
client.setQueryData([listContacts.id, { query: { page: 1 } }], { data: [{ attributes }, { attributes: null }] });

test.each([
  ['jane plan:gold -subscribed', 'jane', 'plan:gold -subscribed'],
  ['"a b":>0', '', '"a b":>0'],
  // Not an attribute of anybody who was shown.
  ['color:red', 'color:red', ''],
  // Identities aren't in the URL.
  ['email:jane@example.com phone:1 customer_id:C-1', 'email:jane@example.com phone:1 customer_id:C-1', ''],
  ['https://x.test/?plan:gold', 'https://x.test/?plan:gold', ''],
])('%s is words and conditions', (text, search, filter) => {
  expect(takeConditions(client, text, 'customer_id')).toEqual({ search, filter, fault: null });
});

test('what can’t be read is a sentence with its place', () => {
  expect(takeConditions(client, 'jane created:soon', null).fault).toBe(
    'At character 6: created needs a year, month, day or time in UTC, such as 2026-01 or 2026-01-31T08:00Z.',
  );
});
