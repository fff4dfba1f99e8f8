import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatListQuery } from '#contract/list.ts';
import { anyText } from '../testing/testText.ts';
import {
  changeListState,
  formatListState,
  listIgnored,
  parseListState,
  PER_PAGE_CHOICES,
  toListQuery,
  type ListOptions,
  type ListState,
} from './useList.ts';

const OPTIONS: ListOptions = {
  perPage: 25,
  sort: { id: 'created_at', desc: true },
  sortable: ['created_at', 'name', 'status'],
  filters: ['subscribed'],
  choices: { state: ['good', 'bad'] },
};

const START: ListState = { page: 1, perPage: 25, search: '', sort: { id: 'created_at', desc: true }, filters: {} };

const parse = (text: string, options = OPTIONS) => parseListState(new URLSearchParams(text), options);

function format(state: ListState, before = '', options = OPTIONS): string {
  return formatListState(state, options, new URLSearchParams(before)).toString();
}

const anyState = fc.record<ListState>({
  page: fc.integer({ min: 1, max: 999_999_999 }),
  perPage: fc.constantFrom(...PER_PAGE_CHOICES),
  search: anyText.map((text) => text.toWellFormed()),
  sort: fc.record({ id: fc.constantFrom(...OPTIONS.sortable), desc: fc.boolean() }),
  filters: fc.record({ subscribed: fc.boolean(), state: fc.constantFrom('good', 'bad') }, { requiredKeys: [] }),
});

describe('the URL of a list', () => {
  test.each([
    ['', {}],
    ['page=2', { page: 2 }],
    ['per_page=100', { perPage: 100 }],
    ['search=acme+%26+co', { search: 'acme & co' }],
    ['sort=name', { sort: { id: 'name', desc: false } }],
    ['sort=-name', { sort: { id: 'name', desc: true } }],
    ['sort=created_at', { sort: { id: 'created_at', desc: false } }],
    ['subscribed=false', { filters: { subscribed: false } }],
    ['state=bad', { filters: { state: 'bad' } }],
    [
      'page=3&per_page=10&search=x&sort=-status&subscribed=true',
      { page: 3, perPage: 10, search: 'x', sort: { id: 'status', desc: true }, filters: { subscribed: true } },
    ],
  ])('%j says %j, and is what that is written as', (text, said) => {
    expect(parse(text)).toEqual({ ...START, ...said });
    expect(format({ ...START, ...said })).toBe(text);
  });

  test('reads back as it was written', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        expect(parse(format(state))).toEqual(state);
      }),
    );
  });

  test.each([
    ...['0', '-1', '1.5', 'two', '', 'NaN', 'Infinity', '1e1', '0x10', ' 2', '1000000000', '9'.repeat(30)].map(
      (page) => `page=${page}`,
    ),
    ...['0', '26', '-25', '1000', 'all', ''].map((perPage) => `per_page=${perPage}`),
    ...['', '-', 'secret', '-secret', '--name', 'Name', 'constructor', 'name,status'].map((sort) => `sort=${sort}`),
    ...['', '1', 'yes', 'TRUE', 'null'].map((subscribed) => `subscribed=${subscribed}`),
    'search=',
    'filters=true&provider=true&sorting%5B%5D=name',
  ])('holds nothing in %s, and says so', (text) => {
    expect(parse(text)).toEqual(START);
    const own = /^(page|per_page|sort|subscribed)=(.+)$/.exec(text) !== null;
    expect(listIgnored(new URLSearchParams(text), OPTIONS)).toEqual(own ? [text] : []);
  });

  test('ignores nothing that it can read', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        expect(listIgnored(new URLSearchParams(format(state)), OPTIONS)).toEqual([]);
      }),
    );
  });

  test('keeps what belongs to others, and loses what is default again', () => {
    const before = 'view=table&page=4&search=acme&sort=name&subscribed=true&records=broken';
    expect(format(START, before)).toBe('view=table&records=broken');
    expect(format({ ...START, page: 2 }, 'page=4&view=table')).toBe('page=2&view=table');
  });
});

describe('a change', () => {
  test.each([
    { search: 'x' },
    { perPage: 50 },
    { sort: { id: 'name', desc: false } },
    { filters: { subscribed: true } },
  ])('to %j starts at page 1', (change) => {
    expect(changeListState({ ...START, page: 7 }, change)).toEqual({ ...START, ...change, page: 1 });
  });
});

test('the service is always told the sort, the default one too', () => {
  expect(decodeURIComponent(formatListQuery(toListQuery(START)).toString())).toBe(
    'page=1&per_page=25&sorting[]={"id":"created_at","desc":true}',
  );
  const state = parse('page=2&per_page=10&search=acme&sort=name&subscribed=false');
  expect(decodeURIComponent(formatListQuery(toListQuery(state)).toString())).toBe(
    'page=2&per_page=10&search=acme&sorting[]={"id":"name","desc":false}&subscribed=false',
  );
});
