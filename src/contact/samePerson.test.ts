import { describe, expect, test } from 'vitest';
import type { Attributes } from '#contract/field.ts';
import { findSamePerson, samePersonSearch } from './samePerson.ts';

function contactWith(attributes: Attributes | null, uuid = 'other') {
  return { uuid, subscribed: true, attributes, provider: null, created_at: null, updated_at: null };
}

const ZOE = { first_name: 'Zoë', last_name: 'Müller', phone: '+44 20 7946 0958', company: 'Northwind Ltd' };

const isSame = (one: Attributes | null, other: Attributes | null) =>
  findSamePerson(contactWith(one, 'one'), [contactWith(other)]).length === 1;

describe('the same person may be', () => {
  test.each<[what: string, other: Attributes]>([
    ['one of the same name and phone', { first_name: 'Zoë', last_name: 'Müller', phone: '+442079460958' }],
    ['one of the same name and company', { first_name: 'Zoë', last_name: 'Müller', company: 'Northwind Ltd' }],
    ['with another case and without accents', { first_name: 'ZOE', last_name: 'muller', company: 'northwind  ltd' }],
    ['with the number of the country', { first_name: 'Zoë', last_name: 'Müller', phone: '020 7946 0958' }],
  ])('%s', (_, other) => {
    expect(isSame(ZOE, other)).toBe(true);
    expect(isSame(other, ZOE)).toBe(true);
  });

  test('one of a first name alone, with the same phone', () => {
    expect(isSame({ first_name: 'Zoë', phone: '+442079460958' }, { first_name: 'zoe', phone: '02079460958' })).toBe(
      true,
    );
  });
});

describe('the same person is not', () => {
  test.each<[what: string, other: Attributes | null]>([
    ['one of the same name alone', { first_name: 'Zoë', last_name: 'Müller' }],
    ['one of another name at the company', { ...ZOE, first_name: 'Anna' }],
    ['one of another phone and company', { ...ZOE, phone: '+4930123456', company: 'Contoso' }],
    ['one without attributes', null],
    ['one whose attributes are no text', { first_name: ['Zoë'], last_name: 1, company: 'Northwind Ltd' }],
  ])('%s', (_, other) => {
    expect(isSame(ZOE, other)).toBe(false);
  });

  test('a colleague of whom the first name alone is known', () => {
    const zoe = { first_name: 'Zoë', company: 'Northwind Ltd' };
    expect(isSame(zoe, zoe)).toBe(false);
  });

  test('the contact itself, or anybody where it has no name', () => {
    const contact = contactWith(ZOE);
    expect(findSamePerson(contact, [contact])).toEqual([]);
    expect(isSame({ company: 'Northwind Ltd', phone: '+4420' }, { company: 'Northwind Ltd', phone: '+4420' })).toBe(
      false,
    );
  });
});

test.each<[Attributes | null, string | null]>([
  [ZOE, 'Zoë Müller'],
  [{ first_name: 'Zoë', last_name: 'Müller' }, null],
  [{ first_name: 'Zoë', company: 'Northwind Ltd' }, null],
  [{ first_name: 'Zoë', phone: '+442079460958' }, 'Zoë'],
  [{ phone: '+442079460958' }, null],
  [null, null],
])('for %j a list is searched for %j', (attributes, search) => {
  expect(samePersonSearch(contactWith(attributes))).toBe(search);
});
