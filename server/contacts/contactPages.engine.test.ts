import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Contact } from '#contract/contact.ts';
import type { Sort } from '#contract/list.ts';
import { must } from '#contract/values/must.ts';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import { COMMAND } from '../database/changeLog/author.ts';
import { eraseContact } from '../privacy/erase.ts';
import { CALLER, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { ALL, compareRows } from '../testing/testList.ts';
import type { ImportedContact } from './addContacts.ts';
import { CONTACT_COLUMNS, contactOf } from './contactRow.ts';
import { listContacts } from './listContacts.ts';
import { putContacts, subscribeContact, unsubscribeContact, updateContact } from './store.ts';

/** That of this run. */
let t: TestDatabase;

const put = (contacts: ImportedContact[], now = NOW) =>
  t.db.write(t.workspace, (scope) => putContacts(scope, contacts, now));

const COLUMNS = ['email', 'first_name', 'last_name', 'company', 'subscribed', 'created_at', 'updated_at'] as const;
const TEXTS = ['email', 'first_name', 'last_name', 'company'] as const;

type Keys = Record<Exclude<(typeof COLUMNS)[number], 'subscribed'> | 'uuid', string> & { subscribed: number };

/** What each column sorts a contact by: text by its bytes. */
function keysOf({ uuid, subscribed, attributes, created_at, updated_at }: Contact): Keys {
  const texts = TEXTS.map((name) => [name, bytesOf(((attributes[name] as string | undefined) ?? '').toLowerCase())]);
  return { uuid, created_at, updated_at, subscribed: Number(subscribed), ...Object.fromEntries(texts) } as Keys;
}

const bytesOf = (text: string) => Buffer.from(text).toString('hex');

async function allContacts(): Promise<Contact[]> {
  const rows = await t.db.read(t.workspace, (scope) =>
    scope.select('contacts').select(CONTACT_COLUMNS).orderBy('id').execute(),
  );
  return rows.map(contactOf);
}

type List = { sorting: Sort[]; filters: { subscribed?: boolean }; per_page: number };

/** Compares every page of a list with what sorting all contacts gives. */
async function comparePages(all: readonly Contact[], { sorting, filters, per_page }: List) {
  const listed = all
    .filter(({ subscribed }) => filters.subscribed === undefined || subscribed === filters.subscribed)
    .map((contact) => ({ contact, ...keysOf(contact) }))
    .toSorted(compareRows(sorting))
    .map(({ contact }) => contact);
  for (let page = 1; page === 1 || (page - 1) * per_page < listed.length; page++) {
    const list = await listContacts(t.workspace, t.db, { ...ALL, page, per_page, sorting, filters });
    expect(list.meta.total).toBe(listed.length);
    expect(list.data, `page ${page}`).toEqual(listed.slice((page - 1) * per_page, page * per_page));
  }
}

const text = fc.constantFrom(undefined, 'a', 'A', 'b', 'bb', 'ž', 'ß', '𐐀', '\uffee');
const contact = fc.record({
  uuid: fc.uuid(),
  subscribed: fc.boolean(),
  created_at: fc.integer({ min: -3, max: 3 }).map((day) => NOW + day * 86_400_000),
  first_name: text,
  last_name: text,
  company: text,
});
type GeneratedContact = typeof contact extends fc.Arbitrary<infer Value> ? Value : never;

const toImported = (
  { uuid, subscribed, created_at, ...names }: GeneratedContact,
  hasEmail = true,
): ImportedContact => ({
  uuid,
  subscribed,
  created_at,
  attributes: {
    ...Object.fromEntries(Object.entries(names).filter(([, value]) => value !== undefined)),
    ...(hasEmail && { email: `${uuid.slice(0, 3)}.${uuid}@x.test` }),
  },
});

/** Chooses one of the contacts that are there. */
const at = fc.nat();
const contactsUpTo = (maxLength: number) => fc.array(contact, { minLength: 1, maxLength });
type Step = (all: readonly Contact[], now: number) => Promise<unknown>;

/** Does something with one of those that are there, if there are any. */
const withOne =
  (at: number, act: (uuid: string, now: number) => Promise<unknown>): Step =>
  async (all, now) =>
    all.length > 0 && act(must(all[at % all.length]).uuid, now);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: contactsUpTo(40).map((some) => () => put(some.map((one, at) => toImported(one, at % 4 > 0)))),
    weight: 3,
  },
  {
    arbitrary: fc.tuple(at, contact).map(([at, { uuid: mark, first_name = null, company = null }]) =>
      withOne(at, (uuid, now) => {
        const email = `${mark.slice(0, 2)}.${uuid}@y.test`;
        return updateContact(t.workspace, t.db, uuid, { first_name, company, email }, CALLER, now);
      }),
    ),
    weight: 4,
  },
  ...[
    (uuid: string, now: number) => unsubscribeContact(t.workspace, t.db, uuid, CALLER, now),
    (uuid: string, now: number) => subscribeContact(t.workspace, t.db, uuid, 'asked', CALLER, now),
    (uuid: string, now: number) => put([{ uuid, attributes: { note: String(now) } }]),
  ].map((act) => ({ arbitrary: at.map((at) => withOne(at, act)), weight: 1 })),
  {
    arbitrary: fc.integer({ min: 1, max: 12 }).map((count): Step => async (all, now) => {
      for (const { uuid } of all.slice(0, count)) {
        await eraseContact(t.workspace, t.db, uuid, { identity: null }, COMMAND, now);
      }
    }),
    weight: 2,
  },
  // An import that changes very many of those that are there.
  {
    arbitrary: fc.integer({ min: 1, max: 4 }).map((share): Step => (all, now) => {
      const attributes = { note: String(now), company: 'changed' };
      return put(
        all.slice(0, Math.ceil(all.length / share)).map(({ uuid }) => ({ uuid, attributes })),
        now,
      );
    }),
    weight: 2,
  },
  // New ones, and one that is there, which changes twice.
  {
    arbitrary: fc.tuple(at, contactsUpTo(8)).map(([at, some]) =>
      withOne(at, (uuid) => {
        const imported = some.map((one) => toImported(one));
        return put([...imported, ...imported.slice(0, 2).map((one) => ({ ...one, uuid }))]);
      }),
    ),
    weight: 1,
  },
);

const sorting = fc.uniqueArray(fc.record({ id: fc.constantFrom(...COLUMNS), desc: fc.boolean() }), {
  maxLength: 3,
  selector: ({ id }) => id,
});
const filters = fc.constantFrom<List['filters'][]>({}, { subscribed: true }, { subscribed: false });
const list = fc.record({ sorting, filters, per_page: fc.integer({ min: 3, max: 30 }) });

test('lists have every page as sorting all contacts gives it, after any writes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 2, maxLength: 14 }),
      fc.array(list, { minLength: 3, maxLength: 6 }),
      async (steps, lists) => {
        await using own = await openTestDatabase();
        t = own;
        for (const [index, one] of steps.entries()) {
          await one(await allContacts(), NOW + index * 1000);
        }
        expect(await verifyWorkspace(t.workspace, t.db)).toEqual([]);
        const all = await allContacts();
        for (const list of lists) await comparePages(all, list);
      },
    ),
    { numRuns: 10, endOnFailure: true },
  );
}, 240_000);
