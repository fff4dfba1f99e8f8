import { expect, test } from 'vitest';
import type { Attributes } from '#contract/values/field.ts';
import { parseSearch } from '../database/search/textSearch.ts';
import { attributeColumns } from './contactRow.ts';

/** Whether a search finds a contact with these attributes, by what is stored of it for searching. */
function finds(search: string, attributes: Attributes): boolean {
  const { search_key } = attributeColumns(attributes, null);
  return parseSearch(search).every((word) =>
    (word.includes(' ') ? search_key.replaceAll('\n', ' ') : search_key).includes(word),
  );
}

test.each([
  ['grace adeyemi', 'Grace', 'Adeyemi'],
  ['ADEYEMI grace', 'Grace', 'Adeyemi'],
  ['ade gra', 'Grace', 'Adeyemi'],
  ['  grace\t adeyemi ', 'Grace', 'Adeyemi'],
  ['"grace adeyemi"', 'Grace', 'Adeyemi'],
  ['"Grace Ade', 'Grace', 'Adeyemi'],
  ['g a', 'Grace', 'Adeyemi'],
  ['""', 'Grace', 'Adeyemi'],
  ['orsted', 'Hans', 'Ørsted'],
  ['ØRSTED', 'Hans', 'Orsted'],
  ['strasse', 'Anna', 'Straße'],
  ['STRAẞE', 'Anna', 'Strasse'],
  ['munchen', 'x', 'Mu\u0308nchen'],
  ['mu\u0308nchen', 'x', 'M\u00fcnchen'],
  ['aeroe', 'x', 'Ærœ'],
  ['lukasz', 'Łukasz', 'x'],
  ['dinh', 'Đinh', 'x'],
  ['thorvald', 'Þorvald', 'x'],
  ['ISIK', 'Işık', 'x'],
  ['ışık', 'ISIK', 'x'],
  ['οδοσ', 'ΟΔΟΣ', 'x'],
  ['ΟΔΌΣ', 'Οδός', 'x'],
  ["o'brien", 'x', 'O’Brien'],
  ['o’brien', 'x', "O'Brien"],
  ['anne-marie', 'Anne‐Marie', 'x'],
  ['ﬁona', 'Fiona', 'x'],
  ['ＧＲＡＣＥ', 'Grace', 'x'],
  ['田中', '田中', '太郎'],
  ['田中太郎', '田中太郎', 'x'],
])('a search for %s finds %s %s', (search, first_name, last_name) => {
  expect(finds(search, { first_name, last_name })).toBe(true);
});

test.each(['grace adeyemo', '"adeyemi grace"', '"grace  adeyemi"', 'gracé x adeyemi', 'gracea', '"race ade" grace b'])(
  'a search for %s does not find Grace Adeyemi',
  (search) => {
    expect(finds(search, { email: 'f@a.test', first_name: 'Grace', last_name: 'Adeyemi' })).toBe(false);
  },
);

test.each([
  ['90182233', '+49 30 9018-2233'],
  ['018223', '+49 30 9018-2233'],
  ['4930', '0049 (0)30/9018.2233'],
  ['+4930901', '0049 (0)30/9018.2233'],
  ['0309018', '(030) 9018 2233'],
  ['9018-22', '+49 30 9018-2233'],
])('a search for %s finds the phone number %s, however its digits are grouped', (search, phone) => {
  expect(finds(`${search} found`, { email: 'found@x.test', phone })).toBe(true);
  expect(finds('90182233', { phone: '+49 30 9018-2244 ext. 2233' })).toBe(false);
});

test.each([
  ['xn--mnchen-3ya', 'found@münchen.example'],
  ['found@xn--mnchen-3ya.ex', 'FOUND@MÜNCHEN.example'],
  ['münchen.example', 'found@xn--mnchen-3ya.example'],
  ['found@Münch', ' found@xn--mnchen-3ya.example'],
  ['xn--mnchen-3ya münchen', 'found@xn--mnchen-3ya.example'],
])('a search for %s finds the address %s, whose domain has two ways to write it', (search, email) => {
  expect(finds(search, { email })).toBe(true);
  expect(finds(search, { email: 'found@xn--bcher-kva.example' })).toBe(false);
});
