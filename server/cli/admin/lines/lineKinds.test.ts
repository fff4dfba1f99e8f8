import { expect, test } from 'vitest';
import { lineKinds, type Resource } from './lineKinds.ts';

const check = (resource: Resource, line: object) => lineKinds[resource].check(line, { identity_field: 'customer_id' });
const fault = (text: string): unknown => ({ fault: expect.stringContaining(text) });
const email = 'a@x.test';
const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;

test('a line of contacts has its times as numbers, and null is as missing', () => {
  const line = { attributes: { email }, subscribed: false, uuid: null, created_at: '2026-01-31T09:30:00Z' };
  const created_at = Date.UTC(2026, 0, 31, 9, 30);
  expect(check('contacts', line)).toEqual({ line: { attributes: { email }, subscribed: false, created_at } });
});

test.each<[line: string | object, message: string]>([
  [{ email }, 'There is no field "email".'],
  [{ attributes: email }, 'attributes must be an object of keys and values.'],
  [{ attributes: { email: 'nobody' } }, 'email must be an email address.'],
  [{ attributes: { email, note: '\0' } }, 'A value contains a NUL character.'],
  [{ attributes: { email, note: '\ud800' } }, 'A value contains half of a character pair'],
  ['{"attributes":{"email":"a@x.test","__proto__":{"subscribed":true}}}', 'A key cannot be __proto__.'],
  ['{"__proto__":{"subscribed":true},"attributes":{"email":"a@x.test"}}', 'There is no field "__proto__".'],
  [{ attributes: { email, deep: nested(5000) } }, 'nested more than 20 levels'],
  ['{"attributes":{"email":"a@x.test","customer_id":9007199254740993}}', 'programs read with other digits'],
  ['{"attributes":{"email":"a@x.test","points":1e400}}', 'programs read with other digits'],
  [{ uuid: '7', attributes: { email } }, 'uuid must be a UUID.'],
  [{ subscribed: 'yes', attributes: { email } }, 'subscribed must be true or false.'],
  [{ created_at: '2026-02-30T00:00:00.000Z', attributes: { email } }, 'created_at must be a time'],
  [{ updated_at: '2026-02-03', attributes: { email } }, 'updated_at must be a time with its zone'],
  [{ '\u001b[2J': 1 }, 'There is no field "[U+001B][2J".'],
])('as a contact %j is a fault', (line, message) => {
  const value = typeof line === 'string' ? (JSON.parse(line) as object) : line;
  expect(check('contacts', value)).toEqual(fault(message));
});

test.each<[resource: Resource, line: object, message: string]>([
  ['events', { event_name: 'x' }, 'An event needs a created_at or a uuid'],
  ['events', { uuid: crypto.randomUUID() }, 'event_name is missing.'],
  ['events', { uuid: crypto.randomUUID(), event_name: ' ' }, 'event_name is empty.'],
  ['events', { uuid: crypto.randomUUID(), event_name: 'x', attributes: [] }, 'attributes must be an object of keys'],
  ['domains', { name: 'x.test', verified: 'maybe' }, 'verified must be true or false.'],
  ['domains', { name: 'x.test', dns: [7] }, 'dns, record 1 must be an object.'],
  ['addresses', { address: 'a' }, 'An address needs a domain or a domain_uuid.'],
  ['addresses', { domain: 'x.test' }, 'An address needs an address or a full_address.'],
  ['addresses', { domain: 'x.test', address: 'a', full_address: 'b@x.test' }, 'full_address must begin with address'],
])('in %s %j is a fault', (resource, line, message) => {
  expect(check(resource, { ...(resource === 'events' && { contact: email }), ...line })).toEqual(fault(message));
});
