import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Attributes } from '#contract/values/field.ts';
import { CALLER, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { ALL } from '../testing/testList.ts';
import type { Workspace } from '../database/workspace.ts';
import { createWorkspace } from '../workspaces/store.ts';
import { listContacts } from './listContacts.ts';
import type { ImportedContact } from './addContacts.ts';
import { findContact, putContacts, updateContact } from './store.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await openTestDatabase();
});
afterEach(() => t[Symbol.asyncDispose]());

const put = (contacts: ImportedContact[], workspace: Workspace = t.workspace, now = NOW) =>
  t.db.write(workspace, (scope) => putContacts(scope, contacts, now));
const find = (value: string) => findContact(t.workspace, t.db, value);
const update = (value: string, changes: Attributes, now = NOW) =>
  updateContact(t.workspace, t.db, value, changes, CALLER, now);

const ada = {
  uuid: '0a1b2c3d-0000-4000-8000-00000000000a',
  attributes: { email: 'Ada@Example.com', phone: '+44 1', customer_id: 'C-1', first_name: 'Ada' },
  created_at: NOW - 5000,
};

describe('finding', () => {
  test('a contact by its UUID and each identity, and by nothing else', async () => {
    await put([ada]);
    for (const value of ['0A1B2C3D-0000-4000-8000-00000000000A', ' ada@EXAMPLE.com ', '+44 1', '\u00a0C-1'])
      expect(await find(value), value).toMatchObject({ uuid: ada.uuid, attributes: ada.attributes });
    for (const value of ['c-1', 'Ada', '+442', '', randomUUID(), 'a%', "' or 1=1 --"])
      expect(await find(value), value).toBeNull();
  });

  test('an email is tried before a phone, and a phone before the custom identity', async () => {
    await put([
      { attributes: { customer_id: 'x@y.test', first_name: 'custom' } },
      { attributes: { phone: 'x@y.test', first_name: 'phone' } },
    ]);
    expect((await find('x@y.test'))?.attributes['first_name']).toBe('phone');
    await put([{ attributes: { email: 'X@y.test', first_name: 'email' } }]);
    expect((await find('x@y.test'))?.attributes['first_name']).toBe('email');
  });

  test('every text that is accepted as an identity finds its contact', async () => {
    const identity = fc.oneof(
      fc.record({ email: fc.emailAddress() }),
      fc.record({ phone: fc.string({ unit: 'binary', minLength: 1 }) }),
      fc.record({
        customer_id: fc.oneof(
          fc.string({ unit: 'grapheme', minLength: 1 }),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
        ),
      }),
    );
    await fc.assert(
      fc.asyncProperty(identity, async (attributes) => {
        const [outcome] = await put([{ attributes }]);
        const value = String(Object.values(attributes)[0]);
        if (typeof outcome === 'string') expect(await find(` ${value}\n`)).not.toBeNull();
        else expect(await find(value)).toBeNull();
      }),
      { numRuns: 50 },
    );
  });
});

describe('updating', () => {
  beforeEach(() => put([ada]));

  test('merges: a key given changes, null removes it, every other key stays', async () => {
    const changed = await update('ada@example.com', { first_name: 'Augusta', phone: null, nested: { list: [null] } });
    expect(changed).toMatchObject({ uuid: ada.uuid, created_at: '2026-11-21T08:59:55.000Z' });
    const { phone: _, ...kept } = ada.attributes;
    expect(changed?.attributes).toEqual({ ...kept, first_name: 'Augusta', nested: { list: [null] } });
    expect(await find(ada.uuid)).toEqual(changed);
    // Its old identity is free for another contact.
    expect(await find('+44 1')).toBeNull();
    expect(await put([{ attributes: { phone: '+44 1' } }])).toEqual(['added']);
  });

  test('an identity of another contact is refused, in any letter casing, and nothing changes', async () => {
    await put([{ attributes: { email: 'bob@example.com', phone: '2' } }]);
    const before = await find('bob@example.com');
    for (const taken of [{ email: 'ADA@example.com' }, { phone: ' +44 1 ' }, { customer_id: 'C-1', email: null }]) {
      await expect(update('bob@example.com', { ...taken, first_name: 'X' })).rejects.toThrow(
        /^Another contact of this workspace already has this (email|phone|customer_id)\.$/,
      );
    }
    expect(await find('bob@example.com')).toEqual(before);
  });
});

/** What everybody has, in an order that the order of writing does not change. */
async function peopleOf(workspace: Workspace): Promise<string[]> {
  const { data } = await listContacts(workspace, t.db, ALL);
  return data.map(({ subscribed, attributes }) => JSON.stringify([subscribed, attributes])).toSorted();
}

describe('importing', () => {
  test('the same again changes nothing, in any order and split in any way', async () => {
    const people = Array.from({ length: 20 }, (_, index) => ({
      attributes: { email: `P${index}@x.test`, first_name: 'A' },
      subscribed: index % 2 === 0,
      ...(index % 3 === 0 && { uuid: randomUUID(), created_at: NOW - index, updated_at: NOW + index }),
    }));
    expect(await put(people)).toEqual(people.map(() => 'added'));
    const rows = () => t.db.unscoped.kysely.selectFrom('contacts').selectAll().execute();
    const before = await rows();
    expect(await put(people.toReversed(), t.workspace, NOW + 1000)).toEqual(people.map(() => 'unchanged'));
    expect(await rows()).toEqual(before);
  });

  test('together gives what one after the other gives, even where contacts swap identities', async () => {
    const [people, uuids] = [
      ['0', '1', '2'],
      [randomUUID(), randomUUID()],
    ];
    const contact = fc.record(
      {
        uuid: fc.constantFrom(...uuids),
        subscribed: fc.boolean(),
        attributes: fc.record(
          {
            email: fc.constantFrom(null, ...people.map((name) => `${name}@x.test`)),
            phone: fc.constantFrom(null, ...people, '+49 1234567', '+491234567', '0049 1234567'),
            customer_id: fc.constantFrom(null, ...people),
            first_name: fc.constantFrom('A', 'B'),
          },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: ['attributes'] },
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(contact, { maxLength: 6 }),
        fc.array(contact, { maxLength: 8 }),
        async (stored, more) => {
          const name = `run ${run++}`;
          const create = () => createWorkspace(t.db, { name, identity_field: 'customer_id' }, NOW);
          const [together, alone] = [await create(), await create()];
          for (const one of stored) {
            expect(await put([one], together)).toEqual(await put([one], alone));
          }
          const expected = [];
          for (const one of more) expected.push(...(await put([one], alone)));
          expect(await put(more, together)).toEqual(expected);
          expect(await peopleOf(together)).toEqual(await peopleOf(alone));
        },
      ),
      { numRuns: 20 },
    );
  });
});
