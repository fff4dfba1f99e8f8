import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addressForms,
  canonicalAddress,
  foldIdentity,
  identitiesOf,
  validateIdentities,
  IDENTITY_KINDS,
  parseContactReference,
  toPhoneDigits,
} from './identity.ts';

const anyText = fc.string({ unit: 'binary' });
const UUID = '0a1b2c3d-0000-4000-8000-00000000000F';

describe('folding', () => {
  test.each([
    ['email', ' Ada.Lovelace@Example.COM\t', 'ada.lovelace@example.com'],
    ['email', '\u00a0\u2003\ufeffa+b/c d@x.test\u3000', 'a+b/c d@x.test'],
    ['email', 'JÜRGEN@EXAMPLE.DE', 'jürgen@example.de'],
    ['email', 'İ@example.com', 'i\u0307@example.com'],
    ['phone', ' +49 30 12 ', '+49 30 12'],
    ['custom', '\u2007 AbC ', 'AbC'],
  ] as const)('%s %j becomes %j', (kind, value, key) => {
    expect(foldIdentity(kind, value)).toBe(key);
  });

  test('folding twice changes nothing more, whatever the text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...IDENTITY_KINDS), anyText, (kind, value) => {
        const key = foldIdentity(kind, value);
        expect(foldIdentity(kind, key)).toBe(key);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('an address with an international domain', () => {
  const NFC = 'josé@bücher.example';
  const NFD = `josé@${'bücher'.normalize('NFD')}.example`;
  const ASCII = 'josé@xn--bcher-kva.example';

  test.each([NFC, NFD, ASCII, `${NFC}.`, `${NFD}.`, ` JOSÉ@XN--BCHER-KVA.Example.`])(
    '%s has the same forms',
    (text) => {
      expect(new Set(addressForms(text))).toEqual(new Set([ASCII, NFC, NFD, `${ASCII}.`, `${NFC}.`, `${NFD}.`]));
      expect(canonicalAddress(text.trim().toLowerCase())).toBe(ASCII);
    },
  );

  test.each(['ada@x.test', 'josé@x.test', 'xn--a@x.test', '+49 30 12', 'C-1', '@', 'a@', 'a@.', ''])(
    '%j has no other form',
    (text) => {
      expect(addressForms(text)).toBeNull();
    },
  );

  test.each(['ada@x.test.', 'ada@xn--.test', 'ada@b ü', 'a@xn--99999999999.test'])(
    '%s: its own is among the forms',
    (text) => {
      expect(addressForms(text)).toContain(text);
    },
  );
});

describe('the identities of a contact', () => {
  test('are its email, its phone and the attribute that the workspace names; nothing else', () => {
    const attributes = { email: 'A@x.test', phone: ' 1 ', customer_id: 7, company: 'Acme' };
    expect(identitiesOf(attributes, 'customer_id')).toEqual([
      { kind: 'email', key: 'a@x.test' },
      { kind: 'phone', key: '1' },
      { kind: 'custom', key: '7' },
    ]);
    expect(identitiesOf(attributes, null)).toHaveLength(2);
    expect(identitiesOf({ email: '  ', phone: '', customer_id: null }, 'customer_id')).toEqual([]);
  });

  test.each([
    [{ email: 'a@x.test', phone: '1', customer_id: 'C' }, []],
    [{ email: null, phone: null, customer_id: null }, []],
    [{ email: 'a+b/c d@x.test' }, []],
    [{ email: '"a@b"@x.test' }, []],
    [{ email: '"a<b>"@x.test' }, []],
    [{ email: 'Jane <a@x.test>' }, ['attributes.email']],
    [{ email: '"Doe, Jane" <a@x.test>' }, ['attributes.email']],
    [{ email: '<a@x.test>' }, ['attributes.email']],
    [{ email: 'a'.repeat(247) + '@x.test' }, []],
    [{ email: 'a'.repeat(248) + '@x.test' }, ['attributes.email']],
    [{ email: 'nobody' }, ['attributes.email']],
    [{ email: '@x.test' }, ['attributes.email']],
    [{ email: 'a@' }, ['attributes.email']],
    [{ email: 'a@b@x.test' }, ['attributes.email']],
    [{ email: 'a\u0007@x.test' }, ['attributes.email']],
    [{ email: '' }, ['attributes.email']],
    [{ email: ['a@x.test'] }, ['attributes.email']],
    [{ phone: 49 }, ['attributes.phone']],
    [{ phone: UUID }, ['attributes.phone']],
    [{ customer_id: ` ${UUID.toLowerCase()} ` }, ['attributes.customer_id']],
    [{ customer_id: true }, ['attributes.customer_id']],
    [{ email: 1, phone: {} }, ['attributes.email', 'attributes.phone']],
  ])('%j: the fields at fault are %j', (attributes, fields) => {
    expect(validateIdentities(attributes, 'customer_id').map(({ field }) => field)).toEqual(fields);
  });
});

test.each([
  [255, 0],
  [256, 2],
])('of identities of %d UTF-16 units each, two for a character of four bytes, %d are at fault', (units, count) => {
  const attributes = { phone: '購'.repeat(units), customer_id: '\u{20000}'.repeat(127) + 'x'.repeat(units - 254) };
  expect(validateIdentities(attributes, 'customer_id')).toHaveLength(count);
});

test('what a UUID looks like is read as a UUID, and as nothing else', () => {
  expect(parseContactReference(` ${UUID} `)).toEqual({ uuid: UUID.toLowerCase() });
  expect(parseContactReference(' A@x.test')).toEqual({
    keys: { email: 'a@x.test', phone: 'A@x.test', custom: 'A@x.test' },
  });
});

test('no identity that can be written is ever read as a UUID', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText,
        fc.uuid(),
        fc.uuid().map((uuid) => `\t${uuid.toUpperCase()}`),
      ),
      (value) => {
        const attributes = { email: value, phone: value, customer_id: value };
        const refused = validateIdentities(attributes, 'customer_id').map(({ field }) => field);
        if ('uuid' in parseContactReference(value)) expect(refused).toHaveLength(3);
        else expect(refused).not.toContain('attributes.phone');
      },
    ),
  );
});

test.each([
  ['+49 30 9018 2233', '+493090182233'],
  ['+493090182233', '+493090182233'],
  [' +49 (0)30 / 9018-22.33 ', '+493090182233'],
  ['0049 30 90182233', '+493090182233'],
  ['+49\u00a030\u00a09018\u00a02233', '+493090182233'],
  ['(+49) 30 90182233', '+493090182233'],
  ['+49309018223', '+49309018223'],
  ['+4903090182233', '+4903090182233'],
  ['030 90182233', null],
  ['493090182233', null],
  ['90182233', null],
])('the digits of the international phone number %j are %j', (number, digits) => {
  expect(toPhoneDigits(number)).toBe(digits);
});
