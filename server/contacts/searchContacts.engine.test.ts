import * as fc from 'fast-check';
import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Contact } from '#contract/contact.ts';
import type { Attributes } from '#contract/values/field.ts';
import type { CheckedListQuery } from '#contract/list.ts';
import { must } from '#contract/values/must.ts';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import type { Workspace } from '../database/workspace.ts';
import { CALLER, ENGINE, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { ALL, compareRows } from '../testing/testList.ts';
import { createWorkspace } from '../workspaces/store.ts';
import { chunks } from '../database/chunks.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { attributeColumns } from './contactRow.ts';
import { listContacts } from './listContacts.ts';
import { rebuildSearchIndex } from '../database/search/searchContacts.ts';
import type { ImportedContact } from './addContacts.ts';
import { putContacts, unsubscribeContact, updateContact } from './store.ts';

let t: TestDatabase;
let own: Workspace;
let other: Workspace;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());
beforeEach(async () => {
  own = await createWorkspace(t.db, { name: 'Own', identity_field: null }, NOW);
  other = await createWorkspace(t.db, { name: 'Other', identity_field: null }, NOW);
});

const put = (contacts: ImportedContact[], workspace = own) =>
  t.db.write(workspace, (scope) => putContacts(scope, contacts, NOW));
const list = (search: string, query: Partial<CheckedListQuery> = {}, workspace: Workspace = own) =>
  listContacts(workspace, t.db, { ...ALL, ...query, search });
const emailsFound = async (search: string, workspace: Workspace = own) =>
  (await list(search, {}, workspace)).data.map(({ attributes }) => String(attributes['email'])).toSorted(compareTexts);
const compareTexts = (one: string, other: string) => (one < other ? -1 : 1);

describe('a search', () => {
  test('finds a contact by what it has now, and no other of the same words in another workspace', async () => {
    const attributes = { email: 'grace@x.test', first_name: 'Grace', company: 'Acme Limited' };
    await put([{ attributes }]);
    await put([{ attributes: { ...attributes, email: 'twin@x.test' } }], other);
    await updateContact(own, t.db, 'grace@x.test', { first_name: 'Ada', company: 'Acme' }, CALLER, NOW);
    expect(await emailsFound('ada')).toEqual(['grace@x.test']);
    expect(await emailsFound('limited')).toEqual([]);
    expect(await emailsFound('acme')).toEqual(['grace@x.test']);
    await put([{ attributes: { email: 'grace@x.test', first_name: 'Grace again' } }]);
    await unsubscribeContact(own, t.db, 'grace@x.test', CALLER, NOW);
    expect(await emailsFound('again')).toEqual(['grace@x.test']);
    expect(await emailsFound('ada')).toEqual([]);
    expect(await emailsFound('limited', other)).toEqual(['twin@x.test']);
    expect(await emailsFound('again', other)).toEqual([]);
    expect(await verifyWorkspace(own, t.db)).toEqual([]);
  });
});

const foundByName = async (search: string) =>
  (await list(search, { sorting: [{ id: 'first_name', desc: false }] })).data.map(({ uuid }) => uuid[7]);

test('names as long as they may be are sorted by their first 200 characters, and searched by their first 256', async () => {
  /** 199 characters that are two units of UTF-16 each. */
  const long = Array.from({ length: 199 }, (_, at) => String.fromCodePoint(0x1f400 + at)).join('');
  const noise = Array.from({ length: 1700 }, () => randomUUID().slice(0, 4)).join('');
  const ends = { 3: 'bc', 2: 'bd', 1: 'c', 4: `a${noise}` };
  await put(
    Object.entries(ends).map(([first, end]) => ({
      uuid: `0000000${first}-0000-4000-8000-000000000000`,
      attributes: { first_name: long + end },
    })),
  );
  expect(await foundByName('')).toEqual(['4', '2', '3', '1']);
  // Before it are 200 characters.
  expect(await foundByName(noise.slice(0, 56))).toEqual(['4']);
  expect(await foundByName(noise.slice(1, 57))).toEqual([]);
});

const isExample = (index: number) => index % 2 > 0;
const pageBy = async (id: string, number: number) =>
  (await list('example', { page: number, per_page: 10, sorting: [{ id, desc: false }] })).data.map(({ uuid }) => uuid);
const update = (uuid: string | undefined, changes: Attributes, later: number) =>
  updateContact(own, t.db, must(uuid), changes, CALLER, NOW + later);

describe('any search', () => {
  const FIRST = ['Grace', 'Ørsted', 'Ada', 'Łukasz', 'Bo', '李', 'Anne-Marie'];
  // What means something to an engine is taken literally.
  const COMPANIES =
    String.raw`Acme Ltd|Straße AG|100% "Real" Inc|Ærø & Co|a_b\c|NEAR(abc OR AND|abc*def|(one)|-minus|a:b:c|it's;--|^caret|{col}|+plus+|😀😀😀`.split(
      '|',
    );
  const people = Array.from({ length: 80 }, (_, index) => ({
    uuid: randomUUID(),
    subscribed: index % 3 > 0,
    created_at: NOW - Math.floor(index / 4) * 1000,
    attributes: {
      email: `${plain(FIRST[index % 7]!).replaceAll(/[^a-z]/g, '')}${index % 11}.${index}@x.test`,
      first_name: FIRST[index % 7]!,
      ...(index % 2 === 0 && { last_name: FIRST[(index + 3) % 7]! }),
      ...(index % 3 === 0 && { company: COMPANIES[(index / 3) % COMPANIES.length]! }),
    },
  }));
  const texts = people.flatMap(({ attributes }) => Object.values(attributes));
  const piece = fc
    .tuple(fc.constantFrom(...texts), fc.nat(20), fc.integer({ min: 1, max: 9 }))
    .map(([text, from, length]) =>
      text
        .slice(from % text.length, (from % text.length) + length)
        .replaceAll('"', '')
        .toWellFormed(),
    );
  const word = fc.oneof(
    piece,
    piece.map(plain),
    piece.map((text) => text.toUpperCase()),
    fc.constantFrom('zzz', '%', '*', 'OR', 'AND', '_', '\\'),
  );
  const words = fc.array(fc.record({ text: word, isQuoted: fc.boolean() }), { maxLength: 3 });
  const sorting = fc.uniqueArray(
    fc.record({
      id: fc.constantFrom('email', 'company', 'subscribed', 'created_at', 'updated_at'),
      desc: fc.boolean(),
    }),
    { maxLength: 3, selector: ({ id }) => id },
  );
  const filters = fc.constantFrom<Record<string, boolean>[]>({}, { subscribed: true }, { subscribed: false });

  test('gives what filtering, sorting and slicing all contacts gives', async () => {
    await put(people);
    const all = (await list('')).data.map((contact) => ({ contact, ...keysOf(contact) }));
    await fc.assert(
      fc.asyncProperty(
        words,
        sorting,
        filters,
        fc.integer({ min: 1, max: 9 }),
        async (words, sorting, filters, page) => {
          const search = words.map(({ text, isQuoted }) => (isQuoted ? `"${text}"` : text)).join(' ');
          const wanted = words.flatMap(({ text, isQuoted }) =>
            isQuoted ? [plain(text).trim()] : plain(text).split(/\s+/),
          );
          const found = all
            .filter(
              ({ subscribed }) => filters['subscribed'] === undefined || Boolean(subscribed) === filters['subscribed'],
            )
            .filter(({ searched }) => wanted.every((one) => searched.includes(one)))
            .toSorted(compareRows(sorting));
          const { data, meta } = await list(search, { page, per_page: 7, sorting, filters });
          expect(data).toEqual(found.slice((page - 1) * 7, page * 7).map(({ contact }) => contact));
          expect(meta.total).toBe(found.length);
        },
      ),
      { numRuns: 100 },
    );
  });

  /** Half of them are called Example, and all Grace. So many that a page in the middle of either is not found by walking. */
  const many = Array.from({ length: 12_000 }, (_, index) => ({
    subscribed: index % 5 > 0,
    created_at: NOW - index * 1000,
    attributes: { email: `c${index}@x.test`, last_name: index % 2 === 0 ? 'Other' : 'Example', first_name: 'Grace' },
  }));
  test('gives the same where thousands match, also after a change of what is sorted and not searched', async () => {
    await t.db.write(own, async (scope) => {
      const rows = many.map(({ subscribed, created_at, attributes }, index) => ({
        id: index + 1,
        uuid: randomUUID(),
        subscribed: Number(subscribed),
        created_at,
        updated_at: NOW,
        ...attributeColumns(attributes, null),
      }));
      for (const some of chunks(rows, 700)) await scope.insert('contacts', some).execute();
      const subscribed_count = many.filter(({ subscribed }) => subscribed).length;
      await scope.update('workspace_heads').set({ contact_count: many.length, subscribed_count }).execute();
    });
    await t.db.unscoped.write(rebuildSearchIndex);
    for (const [search, isFound, subscribed] of [
      ['example', isExample, undefined],
      ['example "ace ex"', isExample, true],
      ['example gr', isExample, false],
      ['grace', () => true, undefined],
      ['grace', () => true, false],
      ['example c55', (index: number) => isExample(index) && String(index).startsWith('55'), true],
    ] as const) {
      const found = many.filter(
        (contact, index) => isFound(index) && (subscribed === undefined || contact.subscribed === subscribed),
      );
      const last = Math.ceil(found.length / 10);
      for (const page of [1, Math.ceil(last / 2), last, last + 1]) {
        for (const sorting of page === 1 ? [[]] : [[], [{ id: 'created_at', desc: false }]]) {
          const filters: Record<string, boolean> = subscribed === undefined ? {} : { subscribed };
          const { data, meta } = await list(search, { page, per_page: 10, sorting, filters });
          const rows = sorting.length === 0 ? found : found.toReversed();
          expect(data.map(({ attributes }) => attributes['email'])).toEqual(
            rows.slice((page - 1) * 10, page * 10).map(({ attributes }) => attributes.email),
          );
          expect(meta.total).toBe(found.length);
        }
      }
    }

    const [first, second, third] = await pageBy('last_name', 300);
    // An accent is not searched: it comes behind all the others.
    await update(first, { last_name: 'Éxample' }, 1);
    expect((await pageBy('last_name', 300)).slice(0, 2)).toEqual([second, third]);
    expect((await pageBy('last_name', 600)).at(-1)).toBe(first);
    await update(second, { last_name: 'None' }, 1);
    expect((await pageBy('last_name', 300))[0]).toBe(third);

    const [oldest, next] = await pageBy('updated_at', 300);
    await update(oldest, { note: 'not searched' }, 2);
    expect((await pageBy('updated_at', 300))[0]).toBe(next);
  });
});

const totalOf = async (search: string, query: Partial<CheckedListQuery> = {}, workspace = own) =>
  (await list(search, query, workspace)).meta.total;
const named = (name: string, company: string) => ({ attributes: { email: `${name}@x.test`, company } });

describe('the total of a search', () => {
  test('is that of now after each change of what is searched, in its workspace and by whatever process', async () => {
    await put([named('a', 'q-one'), named('b', 'q-two')]);
    await put([named('a', 'q-other')], other);
    expect(await totalOf('q-')).toBe(2);
    expect(await totalOf('q-', {}, other)).toBe(1);
    await put([named('c', 'Q-THREE')]);
    expect(await totalOf('q-')).toBe(3);
    await updateContact(own, t.db, 'a@x.test', { company: 'none' }, CALLER, NOW);
    expect(await totalOf('q-')).toBe(2);
    expect(await totalOf('q-', { filters: { subscribed: true } })).toBe(2);
    await unsubscribeContact(own, t.db, 'c@x.test', CALLER, NOW);
    expect(await totalOf('q-', { filters: { subscribed: true } })).toBe(1);
    await using elsewhere = await openDatabase(t.url).then((db) => ({ db, [Symbol.asyncDispose]: () => db.close() }));
    await updateContact(own, elsewhere.db, 'b@x.test', { company: 'none' }, CALLER, NOW);
    expect(await totalOf('q-')).toBe(1);
    expect(await totalOf('q-', {}, other)).toBe(1);
  });

  test('is not counted again while nothing that is searched changes', async () => {
    await put([named('a', 'q-one'), named('b', 'q-two')]);
    expect(await totalOf('q-')).toBe(2);
    await t.db.write(own, (scope) => scope.update('contacts').set({ search_key: '' }).where('id', '=', 1).execute());
    await updateContact(own, t.db, 'b@x.test', { note: 'not searched' }, CALLER, NOW);
    expect(await totalOf('q-')).toBe(2);
    await t.db.unscoped.write(rebuildSearchIndex);
    expect(await totalOf('q-')).toBe(1);
  });
});

// OWN stands for the first rowid of the workspace, WS for its number.
test.each([
  [
    'lacks a contact',
    'delete from contact_search where rowid = OWN + 1',
    'delete from contact_search where workspace_id = WS and contact_id = 1',
  ],
  [
    'has another text',
    `insert or replace into contact_search (rowid, text) values (OWN + 2, 'z@x.test  ada')`,
    `update contact_search set trigrams = array_append(trigrams, 2147483647) where workspace_id = WS and contact_id = 2`,
  ],
  [
    'has the texts of two contacts swapped',
    `insert or replace into contact_search (rowid, text)
     select OWN + 3 - id, search_key from contacts where workspace_id = WS`,
    `update contact_search as one set trigrams = (
       select other.trigrams from contact_search as other
       where other.workspace_id = WS and other.contact_id = 3 - one.contact_id
     ) where workspace_id = WS`,
  ],
  [
    'has one too many',
    `insert into contact_search (rowid, text) values (OWN + 3, 'grace')`,
    `insert into contact_search values (WS, 3, array[1])`,
  ],
])('reports an index that %s, and a rebuild repairs it', async (_, onFile, onServer) => {
  await put([
    { attributes: { email: 'a@x.test', first_name: 'Grace' } },
    { attributes: { email: 'b@x.test', first_name: 'Ada' } },
  ]);
  const damage = (ENGINE === 'sqlite' ? onFile : onServer)
    .replaceAll('OWN', `(${own.id} * 4294967296)`)
    .replaceAll('WS', String(own.id));
  await t.db.write(own, ({ kysely }) => sql.raw(damage).execute(kysely));
  expect(await verifyWorkspace(own, t.db)).toEqual([
    'The search index differs from the contacts; --rebuild rewrites it.',
  ]);
  await t.db.unscoped.write(rebuildSearchIndex);
  expect(await verifyWorkspace(own, t.db)).toEqual([]);
  expect(await emailsFound('grace')).toEqual(['a@x.test']);
});

/** The letters of these tests without case and accents. */
function plain(text: string): string {
  const spelled: Record<string, string> = { ø: 'o', ł: 'l', ß: 'ss', æ: 'ae' };
  return text.toLowerCase().replaceAll(/[øłßæ]/g, (letter) => spelled[letter]!);
}

function keysOf({ uuid, subscribed, attributes, created_at, updated_at }: Contact) {
  const text = (name: string) => plain((attributes[name] as string | undefined) ?? '');
  const searched = ['email', 'phone', 'first_name', 'last_name', 'company', 'job_title'].map(text).join(' ');
  const company = Buffer.from(((attributes['company'] as string | undefined) ?? '').toLowerCase()).toString('hex');
  return { uuid, subscribed: Number(subscribed), created_at, updated_at, email: text('email'), company, searched };
}
