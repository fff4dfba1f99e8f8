import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { filteredDomains, listContacts } from './additions.ts';
import { listContactEvents, listDomains } from './interface.ts';
import {
  formatListQuery,
  formatSortDescriptor,
  Meta,
  createPageMeta,
  PAGE_MAX,
  parseListQuery,
  parseSortDescriptor,
  SEARCH_MAX,
  type ListParameters,
  type ListQuery,
} from './list.ts';

const events: ListParameters = listContactEvents.list;

function parse(text: string, list: ListParameters = events) {
  return parseListQuery(new URLSearchParams(text), list);
}

function sort(id: string): string {
  return `sorting[]=${encodeURIComponent(formatSortDescriptor({ id, desc: true }))}`;
}

function faultsOf(text: string, list: ListParameters = events): string[] {
  return parse(text, list).errors.map((error) => error.field);
}

describe('sort descriptors', () => {
  test.each([
    '',
    'created_at',
    '-created_at',
    'null',
    '[]',
    '{}',
    '{"id":"created_at"}',
    '{"id":"created_at","desc":"true"}',
    '{"id":"created_at","desc":1}',
    '{"id":["created_at"],"desc":true}',
    '{"id":"created_at","desc":true,"nulls":"last"}',
    '[{"id":"created_at","desc":true}]',
    '{"id":"created_at","desc":true',
  ])('%j is not one', (text) => {
    expect(parseSortDescriptor(text)).toBeNull();
  });
});

describe('a list query', () => {
  test('reads back as it was written', () => {
    const list: ListParameters = listContacts.list;
    const query = fc.record({
      page: fc.integer({ min: 1, max: PAGE_MAX }),
      per_page: fc.integer({ min: 1, max: 100 }),
      search: fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => !text.includes('\0')),
      sorting: fc.uniqueArray(fc.record({ id: fc.constantFrom(...list.sortable), desc: fc.boolean() }), {
        maxLength: 3,
        selector: ({ id }) => id,
      }),
      filters: fc.record({ subscribed: fc.boolean() }, { requiredKeys: [] }),
    });
    fc.assert(
      fc.property(query, (given: ListQuery) => {
        const read = parseListQuery(new URLSearchParams(formatListQuery(given).toString()), list);
        expect(read.errors).toEqual([]);
        expect(read.query).toEqual(given);
      }),
    );
  });

  test.each([
    [-1, []],
    [0, []],
    [1, ['page']],
  ])('takes pages up to the bound and %d: %j', (more, faults) => {
    expect(faultsOf(`page=${PAGE_MAX + more}`)).toEqual(faults);
  });

  test('clamps per_page at 100', () => {
    expect(parse('per_page=100').query?.per_page).toBe(100);
    expect(parse('per_page=101').query?.per_page).toBe(100);
    expect(parse('per_page=999999999999').query?.per_page).toBe(100);
  });

  test.each(['0', '-1', '1.5', 'ten', '', ' 1', '1e3', '0x10', '9'.repeat(13), '٣'])(
    'refuses %j as a number',
    (value) => {
      expect(faultsOf(`page=${encodeURIComponent(value)}`)).toEqual(['page']);
      expect(faultsOf(`per_page=${encodeURIComponent(value)}`)).toEqual(['per_page']);
    },
  );

  test('names every fault at once', () => {
    expect(faultsOf('page=0&per_page=x&sorting[]=no')).toEqual(['page', 'per_page', 'sorting[]']);
  });

  test.each(['page=1&page=2', 'per_page=1&per_page=1', 'search=a&search=b'])(
    'refuses a parameter given twice: %s',
    (text) => {
      expect(faultsOf(text)).toEqual([text.slice(0, text.indexOf('='))]);
    },
  );

  test('refuses an unknown column, a column named twice and too many descriptors', () => {
    expect(faultsOf(sort('attributes'))).toEqual(['sorting[]']);
    expect(faultsOf(sort('__proto__'))).toEqual(['sorting[]']);
    expect(faultsOf(`${sort('created_at')}&${sort('created_at')}`)).toEqual(['sorting[]']);
    expect(faultsOf(['uuid', 'name', 'domain', 'status'].map(sort).join('&'), listDomains.list)).toEqual(['sorting[]']);
  });

  test('searches up to its limit, and only for what a name can hold', () => {
    expect(parse(`search=${'x'.repeat(SEARCH_MAX)}`).errors).toEqual([]);
    expect(faultsOf(`search=${'x'.repeat(SEARCH_MAX + 1)}`)).toEqual(['search']);
    expect(faultsOf('search=%00')).toEqual(['search']);
    expect(parseListQuery(new URLSearchParams([['search', '\ud800x']]), events).query?.search).toBe('\ufffdx');
  });

  test.each(['subscribed=yes', 'subscribed=', 'subscribed=true&subscribed=true'])('refuses the filter %s', (text) => {
    expect(faultsOf(text, listContacts.list)).toContain('subscribed');
  });
});

describe('a filter that takes one of several words', () => {
  test('is one of them, and nothing else', () => {
    expect(parse('state=failing', filteredDomains.list).query?.filters).toEqual({ state: 'failing' });
    expect(parse('', filteredDomains.list).query?.filters).toEqual({});
    for (const wrong of ['state=', 'state=Failing', 'state=true', 'state=healthy&state=healthy', 'state=__proto__']) {
      expect(faultsOf(wrong, filteredDomains.list)).toContain('state');
    }
  });
});

describe('meta', () => {
  test.each([
    [1, 0, { current_page: 1, total: 0, last_page: 1, has_next: false }],
    [9, 21, { current_page: 9, total: 21, last_page: 3, has_next: false }],
  ])('of page %d of %d rows stays true', (page, total, meta) => {
    expect(createPageMeta({ page, per_page: 10 }, total)).toEqual({ ...meta, per_page: 10 });
  });

  test('walking with has_next visits every row once and ends at last_page', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 100 }), (total, per_page) => {
        let page = 1;
        while (createPageMeta({ page, per_page }, total).has_next) page += 1;
        const meta = z.parse(Meta, createPageMeta({ page, per_page }, total));
        expect(page).toBe(meta.last_page);
        expect(page * per_page).toBeGreaterThanOrEqual(total);
        expect((page - 1) * per_page).toBeLessThan(Math.max(1, total));
      }),
    );
  });
});
