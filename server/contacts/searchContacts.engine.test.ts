import * as fc from 'fast-check';
import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Contact } from '#contract/contact.ts';
import type { Attributes } from '#contract/field.ts';
import type { CheckedListQuery, Sort } from '#contract/list.ts';
import { must } from '#contract/must.ts';
import type { Workspace } from '../database/workspace.ts';
import { CALLER, ENGINE, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { ALL, compareRows } from '../testing/testList.ts';
import { createWorkspace } from '../workspaces/store.ts';
import { chunks } from '../database/chunks.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { attributeColumns } from './contactRow.ts';
import { checkRecords } from './checkRecords.ts';
import { listContacts } from './listContacts.ts';
import { rebuildContactParts } from '../database/contactParts.ts';
import { compareSearchIndex, rebuildSearchIndex, writeSearchTexts } from '../database/searchContacts.ts';
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
  const LITERAL = [
    '100%_off',
    'a\\b\\c',
    'NEAR(abc',
    'abc*def',
    '(one)',
    '-minus',
    'a:b:c',
    "it's;--",
    '^caret',
    '{col}',
    '+plus+',
    '😀😀😀',
    'e\u200bxy',
  ];

  test.for(['"', ' ', '" " "'])('for no word (%s) finds everybody', async (search) => {
    await put([{ attributes: { email: 'a@x.test' } }, { attributes: { email: 'b@x.test' } }]);
    expect(await emailsFound(search)).toEqual(['a@x.test', 'b@x.test']);
  });

  test('takes what means something to an engine literally', async () => {
    await put(LITERAL.map((text, index) => ({ attributes: { email: `has${index}.@x.test`, company: `<${text}>` } })));
    for (const [index, text] of LITERAL.entries()) {
      expect(await emailsFound(text), text).toEqual([`has${index}.@x.test`]);
      expect(await emailsFound(`${text} has${index}.`), text).toEqual([`has${index}.@x.test`]);
      expect(await emailsFound(`${text} OR has`), text).toEqual([]);
      expect(await emailsFound(`has AND ${text}`), text).toEqual([]);
    }
  });

  test('finds a phone number by its digits and an address by each form of its domain, while they are there', async () => {
    const email = 'found@xn--mnchen-3ya.example';
    await put([{ attributes: { email, phone: '+49 30 9018-2233' } }, { attributes: { phone: '+49 30 9018-2244' } }]);
    expect(await emailsFound('münchen 90182233')).toEqual([email]);
    await updateContact(own, t.db, email, { phone: null }, CALLER, NOW);
    expect(await emailsFound('münchen 90182233')).toEqual([]);
    expect(await emailsFound('xn--mnchen-3ya')).toEqual([email]);
    expect(await checkRecords(own, t.db)).toEqual([]);
  });

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
    expect(await checkRecords(own, t.db)).toEqual([]);
  });

  test('that fails to be written leaves what is found as it was', async () => {
    await put([{ attributes: { email: 'grace@x.test', company: 'Acme' } }]);
    const failing = t.db.write(own, async (scope) => {
      await putContacts(scope, [{ attributes: { email: 'grace@x.test', company: 'Other' } }], NOW);
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await emailsFound('acme')).toEqual(['grace@x.test']);
    expect(await emailsFound('other')).toEqual([]);
  });
});

const pageBy = async (id: string, number: number) =>
  (await list('example', { page: number, per_page: 10, sorting: [{ id, desc: false }] })).data.map(({ uuid }) => uuid);
const update = (uuid: string | undefined, changes: Attributes, later: number) =>
  updateContact(own, t.db, must(uuid), changes, CALLER, NOW + later);

describe('any search', () => {
  const FIRST = ['Grace', 'Ørsted', 'Ada', 'Łukasz', 'Bo', '李', 'Anne-Marie'];
  const COMPANIES = ['Acme Ltd', 'Straße AG', '100% "Real" Inc', 'Ærø & Co', String.raw`a_b\c`, 'NEAR OR AND'];
  const people = Array.from({ length: 80 }, (_, index) => ({
    uuid: randomUUID(),
    subscribed: index % 3 > 0,
    created_at: NOW - Math.floor(index / 4) * 1000,
    attributes: {
      email: `${plain(FIRST[index % 7]!).replaceAll(/[^a-z]/g, '')}${index % 11}.${index}@x.test`,
      first_name: FIRST[index % 7]!,
      ...(index % 2 === 0 && { last_name: FIRST[(index + 3) % 7]! }),
      ...(index % 3 === 0 && { company: COMPANIES[index % 6]! }),
    },
  }));
  const texts = people.flatMap(({ attributes }) => Object.values(attributes));
  const piece = fc
    .tuple(fc.constantFrom(...texts), fc.nat(20), fc.integer({ min: 1, max: 9 }))
    .map(([text, from, length]) => text.slice(from % text.length, (from % text.length) + length).replaceAll('"', ''));
  const word = fc.oneof(
    piece,
    piece.map(plain),
    piece.map((text) => text.toUpperCase()),
    fc.constantFrom('zzz', '%', '*'),
  );
  const words = fc.array(fc.record({ text: word, isQuoted: fc.boolean() }), { maxLength: 3 });
  const sorting = fc.constantFrom<Sort[][]>([], [{ id: 'email', desc: false }], [{ id: 'created_at', desc: false }]);
  const filters = fc.constantFrom<Record<string, boolean>[]>({}, { subscribed: true }, { subscribed: false });

  test('gives what comparing every contact gives', async () => {
    await put(people);
    const all = (await list('')).data.map((contact) => ({ contact, ...keysOf(contact) }));
    await fc.assert(
      fc.asyncProperty(
        words,
        sorting,
        filters,
        fc.integer({ min: 1, max: 3 }),
        async (words, sorting, filters, page) => {
          const search = words.map(({ text, isQuoted }) => (isQuoted ? `"${text}"` : text)).join(' ');
          const wanted = words.flatMap(({ text, isQuoted }) =>
            isQuoted ? [plain(text).trim()] : plain(text).split(/\s+/),
          );
          const found = all
            .filter(({ subscribed }) => filters['subscribed'] === undefined || subscribed === filters['subscribed'])
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
    attributes: {
      email: `c${index}@x.test`,
      last_name: index % 2 === 0 ? 'Other' : 'Example',
      first_name: 'Grace',
    },
  }));
  test('gives the same where thousands match, also after a change of what is sorted and not searched', async () => {
    await t.db.write(own, async (scope) => {
      const rows = many.map(({ subscribed, created_at, attributes }, index) => {
        const columns = attributeColumns(attributes, null);
        return {
          id: index + 1,
          uuid: randomUUID(),
          subscribed: Number(subscribed),
          created_at,
          updated_at: NOW,
          ...columns,
        };
      });
      for (const some of chunks(rows, 700)) await scope.insert('contacts', some).execute();
      const subscribed_count = many.filter(({ subscribed }) => subscribed).length;
      await scope.updateOwn().set({ contact_count: many.length, subscribed_count }).execute();
      await rebuildContactParts(scope);
    });
    await t.db.unscoped.write(rebuildSearchIndex);
    for (const [search, isFound] of [
      ['example', (index: number) => index % 2 > 0],
      ['example "ace ex"', (index: number) => index % 2 > 0],
      ['example gr', (index: number) => index % 2 > 0],
      ['grace', () => true],
      ['example c55', (index: number) => index % 2 > 0 && String(index).startsWith('55')],
    ] as const) {
      for (const subscribed of [undefined, true, false]) {
        const found = many.filter(
          (contact, index) => isFound(index) && (subscribed === undefined || contact.subscribed === subscribed),
        );
        const last = Math.ceil(found.length / 10);
        for (const page of [1, Math.ceil(last / 2), last, last + 1]) {
          for (const order of page === 1 ? [[]] : [[], [{ id: 'created_at', desc: false }]]) {
            const filters: Record<string, boolean> = subscribed === undefined ? {} : { subscribed };
            const { data, meta } = await list(search, { page, per_page: 10, sorting: order, filters });
            const rows = order.length === 0 ? found : found.toReversed();
            expect(data.map(({ attributes }) => attributes['email'])).toEqual(
              rows.slice((page - 1) * 10, page * 10).map(({ attributes }) => attributes.email),
            );
            expect(meta.total).toBe(found.length);
          }
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
    await using elsewhere = await openDatabase(t.url).then((db) => ({ db, [Symbol.asyncDispose]: () => db.close() }));
    await updateContact(own, elsewhere.db, 'b@x.test', { company: 'none' }, CALLER, NOW);
    expect(await totalOf('q-')).toBe(1);
    expect(await totalOf('q-', {}, other)).toBe(1);
  });

  test('is that of the filter, also where it was counted without', async () => {
    await put([named('a', 'q-one'), named('b', 'q-two')]);
    expect(await totalOf('q-')).toBe(2);
    expect(await totalOf('q-', { filters: { subscribed: true } })).toBe(2);
    await unsubscribeContact(own, t.db, 'a@x.test', CALLER, NOW);
    expect(await totalOf('q-', { filters: { subscribed: true } })).toBe(1);
    expect(await totalOf('q-', { filters: { subscribed: false } })).toBe(1);
    expect(await totalOf('q-')).toBe(2);
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

/** Changes the index without the service. OWN stands for the first rowid of the workspace, WS for its number. */
const runUnguarded = (onFile: string, onServer: string) =>
  t.db.write(own, async ({ id, kysely }) => {
    const statement = (await t.db.space()) === null ? onServer : onFile;
    await sql.raw(statement.replaceAll('OWN', `(${id} * 4294967296)`).replaceAll('WS', String(id))).execute(kysely);
  });
const expectMended = async (error: RegExp) => {
  const errors = await checkRecords(own, t.db);
  expect(errors.length).toBeGreaterThan(0);
  expect(errors.join('\n')).toMatch(error);
  await t.db.unscoped.write(rebuildSearchIndex);
  expect(await checkRecords(own, t.db)).toEqual([]);
  expect(await emailsFound('grace')).toEqual(['a@x.test']);
};

test('an index that lacks a contact, has another text or one too many is told, and writing it anew mends it', async () => {
  await put([
    { attributes: { email: 'a@x.test', first_name: 'Grace' } },
    { attributes: { email: 'b@x.test', first_name: 'Ada' } },
  ]);
  await runUnguarded(
    'delete from contact_search where rowid = OWN + 1',
    'delete from contact_search where contact_id = 1',
  );
  await expectMended(/^Contact \S+: the search index has something else than its attributes\./);
  await runUnguarded(
    `insert or replace into contact_search (rowid, text) values (OWN + 2, 'b@x.test  grace')`,
    `update contact_search set trigrams = array[1, 2] where contact_id = 2`,
  );
  await expectMended(/^Contact \S+: the search index has something else than its attributes\.$/);
  await runUnguarded(
    `insert or replace into contact_search (rowid, text)
     select OWN + 2, replace(replace(search_key, char(10), ' '), 'b@', 'z@') from contacts where workspace_id = WS and id = 2`,
    `update contact_search set trigrams = (select array_agg(each + 1) from unnest(trigrams) as each) where contact_id = 2`,
  );
  await expectMended(/^Contact \S+: the search index has something else than its attributes\.$/);
  await runUnguarded(
    `insert or replace into contact_search (rowid, text)
     select OWN + 2, replace(search_key, char(10), ' ') || 'more' from contacts where workspace_id = WS and id = 2`,
    `update contact_search set trigrams = array_append(trigrams, 2147483647) where contact_id = 2`,
  );
  await expectMended(/^Contact \S+: the search index has something else than its attributes\.$/);
  await runUnguarded(
    `insert into contact_search (rowid, text) values (OWN + 3, 'grace')`,
    `insert into contact_search values (WS, 3, array[1])`,
  );
  await expectMended(/^The search index has 3 contacts, and there are 2\.$/);
});

test('a contact that is written while all are compared is right', async () => {
  await put([{ attributes: { email: 'a@x.test', first_name: 'Grace' } }]);
  const findUnindexed = await t.db.read(own, compareSearchIndex);
  await updateContact(own, t.db, 'a@x.test', { first_name: 'Clara' }, CALLER, NOW);
  await put([{ attributes: { email: 'b@x.test' } }, { attributes: {} }]);
  await t.db.write(own, (scope) => writeSearchTexts(scope, new Map([[3, '']])));
  const different = await t.db.read(own, async (scope) => {
    const rows = await scope.select('contacts').select(['id', 'search_key']).orderBy('id').execute();
    return findUnindexed(scope, [...rows.slice(0, 2), { id: 3, search_key: '' }]);
  });
  expect([...different]).toEqual([]);
});

/** The letters of these tests without case and accents. */
function plain(text: string): string {
  const spelled: Record<string, string> = { ø: 'o', ł: 'l', ß: 'ss', æ: 'ae' };
  return text.toLowerCase().replaceAll(/[øłßæ]/g, (letter) => spelled[letter]!);
}

function keysOf({ uuid, subscribed, attributes, created_at }: Contact) {
  const text = (name: string) => plain((attributes[name] as string | undefined) ?? '');
  const searched = ['email', 'phone', 'first_name', 'last_name', 'company', 'job_title'].map(text).join(' ');
  return { uuid, subscribed, created_at, email: text('email'), searched };
}

// A file has one writer at a time.
if (ENGINE === 'postgres') {
  test('writes of a service wait for an index that is written anew, before they hold anything', async () => {
    await put([
      { attributes: { email: 'a@x.test', first_name: 'Grace' } },
      { attributes: { email: 'b@x.test', first_name: 'Ada' } },
    ]);
    const holder = new Client({ connectionString: t.url });
    await holder.connect();
    /** The session that waits for `pid`, once there is one. */
    const findWaiting = (pid: number) =>
      vi.waitUntil(
        async () => {
          const { rows } = await sql<{ pid: number }>`
        select pid from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`.execute(t.db.unscoped.kysely);
          return rows[0]?.pid;
        },
        { timeout: 30_000 },
      );
    const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
    await holder.query("set sendroom.workspace = '*'; begin");
    await holder.query('select from contact_search where workspace_id = $1 and contact_id = 2 for update', [own.id]);
    const rebuilding = t.db.unscoped.write(rebuildSearchIndex);
    const rebuilder = await findWaiting(must(rows[0]).pid);
    const updating = updateContact(own, t.db, 'a@x.test', { first_name: 'Lea' }, CALLER, NOW);
    await findWaiting(rebuilder);
    await holder.query('rollback');
    expect(await Promise.allSettled([rebuilding, updating])).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled' },
    ]);
    await holder.end();
    expect(await emailsFound('lea')).toEqual(['a@x.test']);
    expect(await emailsFound('ada')).toEqual(['b@x.test']);
    expect(await checkRecords(own, t.db)).toEqual([]);
  });
}
