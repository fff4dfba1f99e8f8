import { expect, test } from 'vitest';
import type { Attributes } from '#contract/values/field.ts';
import { findSamePerson, samePersonSearch } from './samePerson.ts';

function contactWith(attributes: Attributes | null, uuid = 'other') {
  return { uuid, subscribed: true, attributes, provider: null, created_at: null, updated_at: null };
}

const ZOE = { first_name: 'Zoë', last_name: 'Müller', phone: '+44 20 7946 0958', company: 'Northwind Ltd' };

const isSame = (one: Attributes | null, other: Attributes | null) =>
  findSamePerson(contactWith(one, 'one'), [contactWith(other)]).length === 1;

const NAME = { first_name: 'Zoë', last_name: 'Müller' };
const FIRST = { first_name: 'Zoë', company: 'Northwind Ltd' };
const NAMELESS = { company: 'Northwind Ltd', phone: '+4420' };

test.each<[what: string, one: Attributes, other: Attributes | null, isSame: boolean]>([
  ['one of the same name and phone', ZOE, { ...NAME, phone: '+442079460958' }, true],
  ['one of the same name and company', ZOE, { ...NAME, company: 'Northwind Ltd' }, true],
  [
    'in another case, without accents',
    ZOE,
    { first_name: 'ZOE', last_name: 'muller', company: 'northwind  ltd' },
    true,
  ],
  ['with the number of the country', ZOE, { ...NAME, phone: '020 7946 0958' }, true],
  ['one first name and phone', { ...FIRST, phone: '+442079460958' }, { first_name: 'zoe', phone: '02079460958' }, true],
  ['one of the same name alone', ZOE, NAME, false],
  ['one of another name at the company', ZOE, { ...ZOE, first_name: 'Anna' }, false],
  ['one of another phone and company', ZOE, { ...ZOE, phone: '+4930123456', company: 'Contoso' }, false],
  ['one without attributes', ZOE, null, false],
  ['one whose attributes are no text', ZOE, { ...FIRST, first_name: ['Zoë'], last_name: 1 }, false],
  ['a colleague of one first name', FIRST, FIRST, false],
  ['anybody where it has no name', NAMELESS, NAMELESS, false],
])('the same person may be %s', (_, one, other, same) => {
  expect(isSame(one, other)).toBe(same);
  if (other !== null) expect(isSame(other, one)).toBe(same);
});

test('nobody is the same person as themselves', () => {
  const contact = contactWith(ZOE);
  expect(findSamePerson(contact, [contact])).toEqual([]);
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
