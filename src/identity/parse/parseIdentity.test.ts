import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildPath } from '#contract/openapi/endpoint.ts';
import { listContactEvents } from '#contract/interface.ts';
import { anyText } from '../../testing/testText.ts';
import { parseIdentity } from './parseIdentity.ts';

const UUID = '0195b3a8-0000-7000-8000-00000000000a';

/** The look-ups in their order, or the error. The workspace has a custom identity. */
function valuesOf(text: string, identityField: string | null | undefined = 'customer_id'): string[] | string {
  const reading = parseIdentity(text, identityField);
  return reading.ok ? reading.values : reading.fault;
}

function kindOf(text: string): string {
  const reading = parseIdentity(text, 'customer_id');
  return reading.ok ? reading.kind : 'fault';
}

describe('a UUID', () => {
  test.each<[string, string[]]>([
    ['alone', [UUID, UUID.toUpperCase(), ` ${UUID}\n`, `\ufeff${UUID}\u200b`]],
    ['in brackets', [`{${UUID}}`, `(${UUID})`, `"${UUID}",`, `'${UUID}'`]],
    ['as a URN', [`urn:uuid:${UUID}`, `URN:UUID:${UUID}`, `urn:uuid:{${UUID}}`]],
  ])('is read %s', (_, texts) => {
    const expected = { ok: true, kind: 'uuid', values: [UUID], as: 'the UUID of a contact' };
    for (const text of texts) expect(parseIdentity(text, null), text).toEqual(expected);
  });

  test('without hyphens is one too, and tried as it is where the workspace has IDs of its own', () => {
    const compact = UUID.replaceAll('-', '').toUpperCase();
    expect(valuesOf(compact, null)).toEqual([UUID]);
    expect(valuesOf(`urn:uuid:${compact}`)).toEqual([UUID, compact]);
  });

  test.each([UUID.slice(1), `${UUID}0`, UUID.replaceAll('-', '').slice(1), UUID.replace('a', 'g')])(
    '%s is none',
    (text) => {
      expect(kindOf(text)).toBe('custom');
    },
  );
});

describe('a phone number', () => {
  test.each([
    ['+442079460958', ['+442079460958']],
    ['+44 20 7946 0958', ['+44 20 7946 0958', '+442079460958']],
    ['+44\u00a020\u202f7946\u20110958', ['+44\u00a020\u202f7946\u20110958', '+442079460958']],
    ['(020) 7946-0958', ['(020) 7946-0958', '02079460958']],
    ['020.7946.0958', ['020.7946.0958', '02079460958']],
    ['089/123456', ['089/123456', '089123456']],
    ['+44 (0)20 7946 0958', ['+44 (0)20 7946 0958', '+442079460958', '+4402079460958']],
    ['0044 20 7946 0958', ['0044 20 7946 0958', '+442079460958', '00442079460958']],
    ['tel:+442079460958', ['+442079460958']],
    ['tel: +442079460958', ['+442079460958']],
    ['tel:+442079460958;ext=5', ['+442079460958']],
    ['tel:+44-20-7946-0958;ext=5', ['+44-20-7946-0958', '+442079460958']],
    ['\u202a+442079460958\u202c', ['+442079460958']],
    ['"+442079460958",', ['+442079460958']],
    ['10042', ['10042']],
    ['Tel.: (+44) 20 7946 0958', ['+44 20 7946 0958', '+442079460958']],
    ['Tel: 020 7946 0958', ['020 7946 0958', '02079460958']],
    ['phone +442079460958', ['+442079460958']],
    ['m: +442079460958', ['+442079460958']],
    ['+44 20 7946 0958 ext. 12', ['+44 20 7946 0958', '+442079460958', '+44 20 7946 0958 ext. 12']],
    ['020 7946 0958, extension 7', ['020 7946 0958', '02079460958', '020 7946 0958, extension 7']],
    ['+44 20 7946 0958 x12', ['+44 20 7946 0958', '+442079460958', '+44 20 7946 0958 x12']],
    ['＋４４ ２０ ７９４６ ０９５８', ['+44 20 7946 0958', '+442079460958']],
  ])('%j is tried as it is, then in its plain form', (text, values) => {
    expect(kindOf(text)).toBe('phone');
    expect(valuesOf(text)).toEqual(values);
  });

  test.each<[string, string[]]>([
    ['too few digits, or none', ['1234', '1-2-3-4', '+', '-----', '(((((']],
    ['letters or a sign among the digits', ['4711-A', '20+30000', 'T12345', 'M 12345', '20x30000', 'Textile 12345']],
    ['a label that is none', ['Kundennummer: 0171 5550123', 'Telly: 0171 5550123', 'Handy12345', 'Telefon seit 12345']],
  ])('is not read from %s', (_, texts) => {
    for (const text of texts) expect(kindOf(text), text).toBe('custom');
  });

  // Without its signs, each would be the ID of another customer.
  test.each<[string, string[]]>([
    [
      'an ID',
      ['2024-0017', '2024/0017', '2024.0017', '2024-0017-12', '4711 0815', '12345 67890', '00-12345', '0012-3456'],
    ],
    ['a number', ['12345.5', '12.345', '12 345', '1. 12345']],
    ['a date', ['24.11.2026', '01.02.2024', '2026-01-01']],
    ['two numbers', ['030 1001556 / 030 1001557', '089/123456/089/123457', '+49301001556 0049301001557']],
    ['numbers behind semicolons', ['+49301001556; +49301000317', '12345; 67890']],
  ])('is not made of %s by dropping its signs', (_, texts) => {
    for (const text of texts) {
      expect(kindOf(text), text).toBe('custom');
      expect(valuesOf(text), text).toEqual([text]);
    }
  });

  test.each([
    [['(415) 555-0132', '415-555-0132', '1 415 555 0132', '333 123 4567']],
    [['(11) 91234-5678', '138 1234 5678', '03-1234-5678']],
    [['12 34 56 78', '612 345 678', '91 123 45 67', '123-456-789', '01 42 68 53 00']],
  ])('%j are some as their countries group them', (texts) => {
    for (const text of texts) {
      expect(kindOf(text), text).toBe('phone');
      expect(valuesOf(text)).toEqual([text, text.replaceAll(/\D/g, '')]);
    }
  });

  test.each([
    ['0142685300', ['Tél: 01 42 68 53 00']],
    ['01715550123', ['Handy: 0171 5550123', 'Telefonnummer: 0171 5550123', 'Telefon-Nr. 0171 5550123']],
    ['02079460958', ['Phone number: 020 7946 0958', 'Mobile phone: (020) 7946 0958']],
    ['0612345678', ['Téléphone portable : 06 12 34 56 78']],
    ['612345678', ['Móvil: 612 345 678']],
    ['0312345678', ['電話番号: 03-1234-5678', '電話：03-1234-5678']],
    ['13812345678', ['手机 138 1234 5678']],
    ['0212345678', ['전화번호: 02-1234-5678']],
  ])('%s is read with its label', (digits, texts) => {
    for (const text of texts) {
      expect(kindOf(text), text).toBe('phone');
      expect(valuesOf(text)).toContain(digits);
    }
  });

  test('says how it was read, with the identity that digits may also be', () => {
    expect(parseIdentity('10042', 'customer_id')).toMatchObject({ as: 'a phone number or customer ID' });
    expect(parseIdentity('020 79460', null)).toMatchObject({ as: 'a phone number; will also try 02079460' });
  });
});

describe('a number that a spreadsheet has given decimals', () => {
  test.each([
    ['12345.0', '12345'],
    ['12345.00', '12345'],
    ['4711,0', '4711'],
    ['49301001556.0', '49301001556'],
  ])('%s is %s, and nothing else', (text, number) => {
    expect(valuesOf(text, null)).toEqual([number]);
    const as = expect.stringMatching(`customer ID: ${number} without its decimals$`) as string;
    expect(parseIdentity(text, 'customer_id')).toMatchObject({ values: [number], as });
  });

  test.each(['12345.5', '0123.0', '12345.000'])('%s is none', (text) => {
    expect(valuesOf(text)).toEqual([text]);
  });
});

test.each(['030-1234567', '2024-0017', '+49 30 1001556', '0049301001556'])(
  'what is known to be an ID of the workspace is tried as it is: %s',
  (text) => {
    expect(parseIdentity(text, 'customer_id', true)).toMatchObject({ kind: 'custom', values: [text] });
  },
);

describe('anything else', () => {
  test.each([
    [' CUST-17 ', ['CUST-17']],
    ['کتاب\u200cخانه', ['کتاب\u200cخانه']],
    ['"CUST-17",', ['"CUST-17",', 'CUST-17']],
    // With the hyphen and the letters that programs replace.
    ['CUST\u201317', ['CUST\u201317', 'CUST-17']],
    ['ＣＵＳＴ－１７', ['ＣＵＳＴ－１７', 'CUST-17']],
    ['Cafe\u0301-17', ['Cafe\u0301-17', 'Caf\u00e9-17']],
  ])('is the identity of the workspace, in its own letters first: %j', (text, values) => {
    expect(valuesOf(text)).toEqual(values);
  });

  test.each([
    ['customer_id', /^customer ID$/],
    [undefined, /^another ID$/],
    [null, /no other ID/],
  ])('is called what it can be, where the identity of the workspace is %j', (field, as) => {
    expect(parseIdentity('CUST-17', field)).toMatchObject({ as: expect.stringMatching(as) as string });
  });
});

describe('a link to the page of a contact', () => {
  test.each([
    [`https://console.x.test/contacts/${UUID}`, [UUID]],
    [`https://x.test/crm/contacts/${UUID.toUpperCase()}?view=table&page=2#events`, [UUID]],
    [`<http://localhost:8080/contacts/${UUID}/>`, [UUID]],
    ['https://x.test/contacts/Jane%40x.test', ['jane@x.test', 'Jane@x.test']],
    ['https://x.test/contacts/%2B44%2020%207946%200958', ['+44 20 7946 0958', '+442079460958']],
    ['https://x.test/contacts/CUST-17', ['CUST-17']],
    ['https://x.test/contacts/ACC%2F42', ['ACC/42']],
    ['https://x.test/contacts/100%', ['100%']],
  ])('%s is read as what it names', (link, values) => {
    expect(valuesOf(link)).toEqual(values);
  });

  test.each(['https://x.test/contacts', 'https://x.test/contacts/', 'https://x.test/domains/x.test'])(
    '%s names nobody',
    (link) => {
      expect(kindOf(link)).toBe('custom');
    },
  );
});

describe('what no URL can carry', () => {
  test.each([
    ['', /^Enter an email/],
    ['   ', /^Enter an email/],
    ['\u200b\u2060\u00a0\ufeff', /^Enter an email/],
    ['.', /holds "\."/],
    [' .. ', /holds "\.\."/],
    ['\u200b..', /holds "\.\."/],
    ['CUST\u000017', /NUL/],
    ['jane\u0000@x.test', /NUL/],
    ['mailto:jane%00@x.test', /NUL/],
    ['CUST\ud800', /surrogate/],
    ['\udc00@x.test', /surrogate/],
  ])('%j is refused in words', (text, fault) => {
    expect(valuesOf(text)).toMatch(fault);
  });

  test('a whole list is refused before it is taken apart', () => {
    expect(valuesOf('x'.repeat(1000))).toEqual(['x'.repeat(1000)]);
    expect(valuesOf('x'.repeat(1001))).toMatch(/too long/);
    expect(valuesOf('jane@x.test, '.repeat(1000))).toMatch(/too long/);
  });

  test('is never among the values, whatever is pasted', () => {
    const mark = fc.constantFrom(...`@<>"',;()[]\\ \t.:%\0\ud800`.split(''));
    const word = fc.constantFrom('mailto:', 'tel:', 'urn:uuid:', '%00', '..', '+44', '020', 'a@b', 'jane');
    const text = fc.oneof(
      anyText,
      fc.array(fc.oneof(mark, word), { maxLength: 12 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(null, undefined, 'customer_id'), (pasted, identityField) => {
        const reading = parseIdentity(pasted, identityField);
        if (!reading.ok) {
          expect(reading.fault).toMatch(/\.$/);
          return;
        }
        expect(reading.values.length).toBeGreaterThan(0);
        expect(new Set(reading.values).size).toBe(reading.values.length);
        for (const contact of reading.values) buildPath(listContactEvents, { contact });
      }),
      { numRuns: 300 },
    );
  });

  // With quadratic time this would exceed the time of the test.
  test.each([' ', '"', '<', '(', '@', '\u200d', 'a@', '0 ', '\\', ',', '@ '])(
    'a heap of %j is read without pondering',
    (piece) => {
      expect(valuesOf(`x${piece.repeat(1_000_000)}x`)).toMatch(/too long/);
      expect(valuesOf(`x${piece.repeat(990 / piece.length)}x`)).not.toBe('');
    },
  );
});
