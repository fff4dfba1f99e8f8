import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Contact } from '#contract/contact.ts';
import type { Sort } from '#contract/list.ts';
import { COMMAND } from '../database/author.ts';
import { PART_SIZES } from '../database/contactPartSizes.ts';
import { rebuildContactParts } from '../database/contactParts.ts';
import { eraseContact } from '../person/erase.ts';
import { CALLER, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { ALL, compareRows } from '../testing/testList.ts';
import { checkContactParts, checkListTotals } from '../workspaces/checkLists.ts';
import type { ImportedContact } from './addContacts.ts';
import { CONTACT_COLUMNS, contactOf } from './contactRow.ts';
import { listContacts } from './listContacts.ts';
import { putContacts, subscribeContact, unsubscribeContact, updateContact } from './store.ts';

// Parts so small that a few dozen contacts have many of them, on both levels.
const real = { ...PART_SIZES };
beforeAll(() => {
  Object.assign(PART_SIZES, { max: { 0: 6, 1: 24 }, min: { 0: 2, 1: 6 }, skipped: 2, walked: 7 });
});
afterAll(() => {
  Object.assign(PART_SIZES, real);
});

let t: TestDatabase;
beforeEach(async () => {
  t = await openTestDatabase();
});
afterEach(() => t[Symbol.asyncDispose]());

const put = (contacts: ImportedContact[], now = NOW) =>
  t.db.write(t.workspace, (scope) => putContacts(scope, contacts, now));
const findErrors = () => checkContactParts(t.workspace, t.db);

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

/** Compares every page of a list with what sorting all contacts gives. */
async function comparePages(
  all: readonly Contact[],
  sorting: Sort[],
  filters: { subscribed?: boolean },
  per_page: number,
) {
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

/** `at` chooses one of the contacts that are there. */
const step = fc.oneof(
  {
    arbitrary: fc.record({ act: fc.constant('import'), contacts: fc.array(contact, { minLength: 1, maxLength: 40 }) }),
    weight: 3,
  },
  { arbitrary: fc.record({ act: fc.constant('update'), at: fc.nat(), to: contact }), weight: 4 },
  { arbitrary: fc.record({ act: fc.constantFrom('unsubscribe', 'subscribe', 'again'), at: fc.nat() }), weight: 4 },
  {
    arbitrary: fc.record({ act: fc.constant('erase'), at: fc.nat(), count: fc.integer({ min: 1, max: 12 }) }),
    weight: 2,
  },
  // An import that changes very many of those that are there.
  { arbitrary: fc.record({ act: fc.constant('change'), share: fc.integer({ min: 1, max: 4 }) }), weight: 2 },
  {
    arbitrary: fc.record({
      act: fc.constant('merge'),
      at: fc.nat(),
      contacts: fc.array(contact, { minLength: 1, maxLength: 8 }),
    }),
    weight: 1,
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function run(one: Step, now: number): Promise<void> {
  if ('contacts' in one && one.act === 'import') {
    await put(one.contacts.map((each, index) => toImported(each, index % 4 > 0)));
    return;
  }
  const all = await allContacts();
  if ('share' in one) {
    const changed = all.slice(0, Math.ceil(all.length / one.share));
    await put(
      changed.map(({ uuid }) => ({ uuid, attributes: { note: String(now), company: 'changed' } })),
      now,
    );
    return;
  }
  const chosen = all[('at' in one ? one.at : 0) % Math.max(1, all.length)];
  if (chosen === undefined) return;
  if ('contacts' in one) {
    // New ones, and one that is there, which changes twice.
    const changed = one.contacts.slice(0, 2).map((each) => ({ ...toImported(each), uuid: chosen.uuid }));
    await put([...one.contacts.map((each) => toImported(each)), ...changed]);
  } else if ('to' in one) {
    const { first_name = null, company = null } = one.to;
    const email = `${one.to.uuid.slice(0, 2)}.${chosen.uuid}@y.test`;
    await updateContact(t.workspace, t.db, chosen.uuid, { first_name, company, email }, CALLER, now);
  } else if ('count' in one) {
    for (const { uuid } of all.slice(0, one.count)) {
      await eraseContact(t.workspace, t.db, uuid, { identity: null }, COMMAND, now);
    }
  } else if (one.act === 'unsubscribe') await unsubscribeContact(t.workspace, t.db, chosen.uuid, CALLER, now);
  else if (one.act === 'subscribe') await subscribeContact(t.workspace, t.db, chosen.uuid, 'asked', CALLER, now);
  else await put([{ uuid: chosen.uuid, attributes: { note: String(now) } }]);
}

const sorting = fc.uniqueArray(fc.record({ id: fc.constantFrom(...COLUMNS), desc: fc.boolean() }), {
  maxLength: 3,
  selector: ({ id }) => id,
});
const filters = fc.constantFrom<{ subscribed?: boolean }[]>({}, { subscribed: true }, { subscribed: false });

describe('lists in parts', () => {
  test('have every page as sorting all contacts gives it, after any writes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 14 }),
        fc.array(fc.record({ sorting, filters, per_page: fc.integer({ min: 3, max: 30 }) }), {
          minLength: 3,
          maxLength: 6,
        }),
        async (steps, lists) => {
          await using own = await openTestDatabase();
          const outer = t;
          t = own;
          try {
            for (const [index, one] of steps.entries()) {
              await run(one, NOW + index * 1000);
              expect(await findErrors()).toEqual([]);
            }
            expect(await checkListTotals(t.workspace, t.db)).toEqual([]);
            const all = await allContacts();
            for (const list of lists) await comparePages(all, list.sorting, list.filters, list.per_page);
          } finally {
            t = outer;
          }
        },
      ),
      { numRuns: 15, endOnFailure: true },
    );
  }, 120_000);

  test('stay small when an import changes very many contacts, the first of a part among them', async () => {
    const order = [
      { id: 'updated_at', desc: false },
      { id: 'email', desc: true },
    ];
    const count = 100;
    const contactsOf = (note: string) =>
      Array.from({ length: count }, (_, index) => ({ attributes: { email: `c${index}@x.test`, note } }));
    await put(contactsOf('one'));
    await put(contactsOf('two'), NOW + 1000);
    expect(await findErrors()).toEqual([]);
    await comparePages(await allContacts(), order, {}, 30);
  });

  test('with a wrong counter are found by the check, and counted anew', async () => {
    await put(Array.from({ length: 60 }, (_, index) => ({ attributes: { email: `c${10 + index}@x.test` } })));
    expect(await findErrors()).toEqual([]);
    await t.db.write(t.workspace, (scope) =>
      scope
        .update('contact_parts')
        .set(({ eb }) => ({ count: eb('count', '+', 1) }))
        .where('list', '=', 'email')
        .where('level', '=', 0)
        .where('first_uuid', '=', '')
        .execute(),
    );
    const [error, ...more] = await findErrors();
    expect(error).toMatch(
      /^Of the contacts in the order email, from the first on, there are (\d) \(\1 subscribed\), and \d \(\1\) are counted\.$/,
    );
    expect(more).toEqual([]);
    await t.db.write(t.workspace, rebuildContactParts);
    expect(await findErrors()).toEqual([]);
    await comparePages(await allContacts(), [{ id: 'email', desc: true }], {}, 7);
  });

  test('keep nothing of a contact that has another name, or was erased', async () => {
    await put(
      Array.from({ length: 60 }, (_, index) => ({
        attributes: { email: `c${10 + index}@old.test`, first_name: `Old${10 + index}`, company: 'Old' },
      })),
    );
    const all = await allContacts();
    for (const { uuid } of all.slice(0, 30)) {
      await eraseContact(t.workspace, t.db, uuid, { identity: null }, COMMAND, NOW);
    }
    for (const [index, { uuid }] of all.slice(30).entries()) {
      const changes = { email: `n${index}@new.test`, first_name: 'New', company: 'New' };
      await updateContact(t.workspace, t.db, uuid, changes, CALLER, NOW + 1000);
    }
    const parts = await t.db.read(t.workspace, (scope) => scope.select('contact_parts').selectAll().execute());
    expect(parts.length).toBeGreaterThan(14);
    expect(parts.filter(({ first_text }) => /old/i.test(first_text))).toEqual([]);
    const erased = new Set(all.slice(0, 30).map(({ uuid }) => uuid));
    expect(parts.filter(({ first_uuid }) => erased.has(first_uuid))).toEqual([]);
    expect(await findErrors()).toEqual([]);
  });
});
