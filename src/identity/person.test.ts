import { expect, test } from 'vitest';
import type { Attributes } from '#contract/values/field.ts';
import { personAddress, personName } from './person.ts';

const UUID = '0195b3a8-0000-7000-8000-00000000000a';

function contactWith(attributes: Attributes | null) {
  return { uuid: UUID, subscribed: true, attributes, provider: null, created_at: null, updated_at: null };
}

test.each<[Attributes | null, name: string, address: string]>([
  [{ first_name: 'Jane', last_name: 'Doe', email: 'jane@x.test' }, 'Jane Doe', 'jane@x.test'],
  [{ first_name: ' Jane ', last_name: '\tDoe' }, 'Jane Doe', ''],
  [{ first_name: '', last_name: 'Doe' }, 'Doe', ''],
  [{ first_name: 'Jane', last_name: null }, 'Jane', ''],
  [{ first_name: ['Jane'], last_name: { is: 'Doe' }, email: 'jane@x.test' }, 'jane@x.test', 'jane@x.test'],
  [{ first_name: '  ', last_name: '\u200b\u202e', email: 'jane@x.test' }, 'jane@x.test', 'jane@x.test'],
  [{ email: 'jane@x.test', phone: '+4420' }, 'jane@x.test', 'jane@x.test'],
  [{ email: '   ', phone: '+4420' }, '+4420', '+4420'],
  [{ email: null, phone: 4420 }, UUID, ''],
  [{ first_name: '<b>Jane</b>', last_name: '😀' }, '<b>Jane</b> 😀', ''],
  [{ first_name: 'محمد', last_name: '李' }, 'محمد 李', ''],
  [{ first_name: '\u202eJane\u200b', last_name: 'Doe' }, '[U+202E]Jane[U+200B] Doe', ''],
  [{ first_name: '\u3164\u2800', email: 'jane@x.test' }, 'jane@x.test', 'jane@x.test'],
  [{ first_name: 'محمد', last_name: '👩‍👩‍👧' }, 'محمد 👩‍👩‍👧', ''],
  [{}, UUID, ''],
  [null, UUID, ''],
])('a person with %j is called %j', (attributes, name, address) => {
  expect(personName(contactWith(attributes))).toBe(name);
  expect(personAddress(contactWith(attributes))).toBe(address);
});
