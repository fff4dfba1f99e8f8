import { describe, expect, test } from 'vitest';
import { findIdentities, identityKey } from './findIdentities.ts';

const UUID = '7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d';

/** What each match is looked up by first; null for an unreadable one. */
const found = (line: string) =>
  findIdentities(line, 'customer_id', false).map(({ reading }) => (reading.ok ? reading.values[0] : null));

/** The people in a line: matches of one contact count once. */
const people = (line: string) =>
  new Set(findIdentities(line, 'customer_id', false).map(({ reading }) => (reading.ok ? identityKey(reading) : null)));

describe('one person is found in', () => {
  test.each([
    'jane@example.com!',
    '„jane@example.com“',
    'Email：jane@example.com',
    'jane@example.com’s',
    'jane@example.com—urgent',
    'https://example.com/u?email=jane%40example.com&x=1',
    'jane＠example.com',
    'Please remove jane@example.com from your list, thanks',
    '<a href="mailto:jane@example.com">Jane</a>',
    '<a href="mailto:jane@example.com?subject=Stop">jane@example.com</a>',
    '<p>Jane Roe &lt;jane&#64;example&#46;com&gt;</p>',
    '<mailto:jane@example.com|jane@example.com>',
    '<mailto:jane@example.com|Jane Roe>',
    'jane\u200b@example.\u00adcom wrote to us again today',
    'https://console.example/contacts/jane%40example.com',
  ])('%s', (line) => {
    expect([...people(line)]).toEqual(['email jane@example.com']);
  });

  test.each([
    'Tel.: (+44) 20 7946 0958',
    'Tel.: +44 20 7946 0958 ext. 12',
    'You can reach me at +44 20 7946 0958, ext. 12.',
    '<tel:+442079460958|+44 20 7946 0958>',
    'ＴＥＬ： ＋４４ ２０ ７９４６ ０９５８',
  ])('%s', (line) => {
    expect([...people(line)]).toEqual(['phone +442079460958']);
  });

  test.each([
    [`https://console.example/contacts/${UUID}?view=table&page=2`, UUID],
    [`See https://console.example/contacts/${UUID} please`, UUID],
    ['https://console.example/contacts/CUST-17', 'CUST-17'],
    ['https://console.example/contacts/about', null],
    ['<a href="mailto:jane%2Bnews%40example.com">Jane</a>', 'jane+news@example.com'],
  ])('the link %s', (line, value) => {
    expect(found(line)).toEqual([value]);
  });
});

describe('a phone number is found whole', () => {
  test.each([
    ['+49 (0) 151 / 123 456 78', ['phone +4915112345678']],
    ['+49 (0) 30 / 9018-2233', ['phone +493090182233']],
    ['+49 30 9018\u20132233', ['phone +493090182233']],
    ['Tel. +49 (0) 30 / 9018-2233 bitte abmelden', ['phone +493090182233']],
    ['bitte (+49 30 9018 2233) abmelden', ['phone +493090182233']],
    ['ring (+49) 30 9018 2233 for that', ['phone +493090182233']],
    ['call +1 (415) 555-0132. 2 children', ['phone +14155550132']],
    ['+49 30 1001556 / +49 30 1001557', ['phone +49301001556', 'phone +49301001557']],
    ['+49301001556/0049301001557', ['phone +49301001556', 'phone +49301001557']],
    ['+49 30 1001515/2jane@example.com', ['phone +49301001515', 'email 2jane@example.com']],
    ['020 7946 0958, extension 7', ['phone 020 7946 0958, extension 7']],
  ])('in %s', (line, numbers) => {
    expect([...people(line)]).toEqual(numbers);
  });

  test.each([
    'bitte +49301001556 0049301001557 abmelden',
    '+49 30 1001556 10115 Berlin Mitte, 2026',
    'please +49 30 1001556/0171 5550123 thanks',
    'please +49 30 1001556 (10-12) thanks',
    'please +49 30 9018 · 2233 thanks',
    'please +49 30 9018 -- 2233 thanks',
  ])('or not at all in %s', (line) => {
    expect([...people(line)]).toEqual([null]);
  });
});

test('an address is shown without the sign of a list before it', () => {
  for (const bullet of ['• ', '•', '- ', '* ']) {
    expect(findIdentities(`${bullet}jane@example.com`, null, false)).toMatchObject([
      { text: 'jane@example.com', reading: { values: ['jane@example.com'] } },
    ]);
  }
});

test('an address that begins with a sign is not one without it', () => {
  for (const address of ['=cmd@example.com', '#1fan@example.com', '$cash@example.com']) {
    expect(found(address)).toEqual([address]);
    expect(found(`please remove ${address} from it`)).toEqual([address]);
  }
  // The escapes of an encoded mail are of no address.
  expect(found('please remove =E2=80=9Cjane@example.com from it today')).toEqual([null]);
});

test('a contact is one, with and without hyphens in its UUID, and whichever way its domain is written', () => {
  expect(people(UUID.replaceAll('-', ''))).toEqual(people(UUID));
  expect(people('jane@xn--bcher-kva.example')).toEqual(people('Jane@bücher.example'));
});
