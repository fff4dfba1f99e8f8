import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { validateAttributes } from './attributes.ts';

const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown;
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]));

test.each<[what: string, attributes: string | Record<string, unknown>, fields: string[]]>([
  ['nothing', {}, []],
  ['200 keys', many(200), []],
  ['201 keys', many(201), ['attributes']],
  ['a key of 128 characters', { ['k'.repeat(128)]: 1 }, []],
  ['a key of 129 characters', { ['k'.repeat(129)]: 1 }, ['attributes']],
  ['a value of 8 KiB', { long: 'x'.repeat(8190) }, []],
  ['a value of 8 KiB and a byte', { long: 'x'.repeat(8191) }, ['attributes.long']],
  ['a value that is short in characters and long in bytes', { long: '語'.repeat(3000) }, ['attributes.long']],
  ['20 levels', { deep: nested(20) }, []],
  ['21 levels', { deep: nested(21) }, ['attributes.deep']],
  ['5,000 levels', { deep: nested(5000) }, ['attributes.deep']],
  ['a prototype', '{"__proto__":{"a":1}}', ['attributes']],
  ['a prototype deep inside', '{"list":[{"__proto__":{"a":1}}]}', ['attributes.list']],
  ['a NUL character', { text: 'a\u0000b' }, ['attributes.text']],
  ['a NUL character in a key inside', { text: { 'a\u0000': 1 } }, ['attributes.text']],
  ['half a character', { text: ['\ud83d'] }, ['attributes.text']],
  ['half a character in a key', { 'a\udc00': 1 }, ['attributes']],
  [
    'hostile text',
    { html: '<script>', sql: "'; drop table contacts; --", formula: '=1+1', rtl: '\u202e', e: '👩‍👩‍👧' },
    [],
  ],
  ['several at once', { a: '\u0000', b: '\ud800', c: 1 }, ['attributes.a', 'attributes.b']],
])('%s', (_, attributes, fields) => {
  const given = typeof attributes === 'string' ? (JSON.parse(attributes) as Record<string, unknown>) : attributes;
  expect(validateAttributes(given).map(({ field }) => field)).toEqual(fields);
});

test.each<[fields: string[], numbers: string[]]>([
  [
    ['attributes.points', 'attributes.list'],
    ['9007199254740993', '-9007199254740992', '12345678901234567890.5', '9007199254740991.9', '-1e400'],
  ],
  [[], ['9007199254740991', '-9007199254740991', '1e15', '0.1', '-0', '7.0', '5e-324']],
])('%j is at fault for the numbers %j', (fields, numbers) => {
  for (const number of numbers) {
    const given = JSON.parse(`{"points":${number},"list":[{"id":${number}}]}`) as Record<string, unknown>;
    expect(
      validateAttributes(given).map(({ field }) => field),
      number,
    ).toEqual(fields);
  }
});

test('whatever is accepted comes back from JSON as it was, in text that every database can hold', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' })), (attributes) => {
      if (validateAttributes(attributes).length > 0) return;
      const text = JSON.stringify(attributes);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify({ ...attributes })));
      expect(text.isWellFormed() && !text.includes(String.raw`\u0000`) && !/\\ud[89a-f]/.test(text)).toBe(true);
    }),
  );
});
