import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Contact } from '#contract/contact.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { ALL, compareRows } from '../testing/testList.ts';
import { listContacts } from './listContacts.ts';
import type { ImportedContact } from './addContacts.ts';
import { putContacts } from './store.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await openTestDatabase();
});
afterEach(() => t[Symbol.asyncDispose]());

const put = (contacts: ImportedContact[]) => t.db.write(t.workspace, (scope) => putContacts(scope, contacts, NOW));

/** 199 characters that are two units of UTF-16 each, and `end`. */
const longName = (end: string) =>
  `${Array.from({ length: 199 }, (_, at) => String.fromCodePoint(0x1f400 + at)).join('')}${end}`;
const named = (uuid: string, first_name: string) => ({
  uuid: `${uuid}-0000-4000-8000-000000000000`,
  attributes: { first_name },
});

describe('the list', () => {
  const people = Array.from({ length: 60 }, (_, index) => ({
    uuid: randomUUID(),
    subscribed: index % 3 > 0,
    created_at: NOW - Math.floor(index / 4) * 1000,
    attributes: {
      email: `${['ÄNNA', 'bob', '100%', 'under_score', String.raw`back\slash`][index % 5]}${index}@x.test`,
      ...(index % 2 === 0 && { company: ['Acme', 'ACME', 'žlutý', '<b>'][index % 4] }),
      first_name: 'X',
      hidden: 'not searched',
    },
  }));
  const search = fc.constantFrom(
    '',
    'ä',
    'ACME',
    '%',
    '_',
    '\\',
    'ŽLU',
    'x.test',
    'hidden',
    'not searched',
    '<B>',
    '0%',
    'zzz',
  );
  const sorting = fc.uniqueArray(
    fc.record({
      id: fc.constantFrom('email', 'company', 'subscribed', 'created_at', 'updated_at'),
      desc: fc.boolean(),
    }),
    { maxLength: 3, selector: (sort) => sort.id },
  );
  const filters = fc.constantFrom<Record<string, boolean>[]>({}, { subscribed: true }, { subscribed: false });

  test('is what filtering, sorting and slicing all contacts gives', async () => {
    await put(people);
    const all = (await listContacts(t.workspace, t.db, ALL)).data.map((contact) => ({ contact, ...keysOf(contact) }));
    await fc.assert(
      fc.asyncProperty(
        search,
        sorting,
        filters,
        fc.integer({ min: 1, max: 9 }),
        async (search, sorting, filters, page) => {
          const found = all
            .filter(
              ({ subscribed }) => filters['subscribed'] === undefined || Boolean(subscribed) === filters['subscribed'],
            )
            .filter(({ email, company }) =>
              withoutAccents(search)
                .split(' ')
                .every((word) => withoutAccents(`${email} ${company} x`).includes(word)),
            )
            .toSorted(compareRows(sorting));
          const list = await listContacts(t.workspace, t.db, { page, per_page: 7, search, sorting, filters });
          expect(list.data).toEqual(found.slice((page - 1) * 7, page * 7).map(({ contact }) => contact));
          expect(list.meta.total).toBe(found.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('finds the only one of many who is not subscribed', async () => {
    const many = Array.from({ length: 120 }, (_, index) => ({
      subscribed: index !== 70,
      attributes: { email: `c${index}@x.test` },
    }));
    await put(many);
    const sorting = [{ id: 'email', desc: true }];
    const { data, meta } = await listContacts(t.workspace, t.db, { ...ALL, sorting, filters: { subscribed: false } });
    expect(data).toMatchObject([{ attributes: { email: 'c70@x.test' } }]);
    expect(meta.total).toBe(1);
  });

  test('takes names as long as they may be, sorts them by their first 200 characters, and searches the first 256', async () => {
    const noise = Array.from({ length: 1700 }, () => randomUUID().slice(0, 4)).join('');
    await put([
      named('00000003', longName('bc')),
      named('00000002', longName('bd')),
      named('00000001', longName('c')),
      named('00000004', longName(`a${noise}`)),
    ]);
    const sorting = [{ id: 'first_name', desc: false }];
    const { data } = await listContacts(t.workspace, t.db, { ...ALL, sorting });
    expect(data.map(({ uuid }) => uuid[7])).toEqual(['4', '2', '3', '1']);
    const found = async (search: string) =>
      (await listContacts(t.workspace, t.db, { ...ALL, search })).data.map(({ uuid }) => uuid[7]);
    // Before it are 200 characters.
    expect(await found(noise.slice(0, 56))).toEqual(['4']);
    expect(await found(noise.slice(1, 57))).toEqual([]);
    expect(await found(noise.slice(-100))).toEqual([]);
  });
});

function withoutAccents(text: string): string {
  return text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
}

type Keys = Record<'uuid' | 'email' | 'company' | 'created_at' | 'updated_at', string> & { subscribed: number };

/** The sort key of each column. */
function keysOf({ uuid, subscribed, attributes, created_at, updated_at }: Contact): Keys {
  const text = (name: string) => (attributes[name] as string | undefined)?.toLowerCase() ?? '';
  const [email, company] = [text('email'), text('company')];
  return { uuid, subscribed: Number(subscribed), created_at, updated_at, email, company };
}
