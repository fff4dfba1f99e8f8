import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACTIONS, type Action } from '#contract/change.ts';
import type { Filters } from '#contract/list.ts';
import { must } from '#contract/values/must.ts';
import { putContacts, unsubscribeContact, updateContact } from '../contacts/store.ts';
import { authorOf, COMMAND, keyOf, type LogAuthor } from '../database/changeLog/author.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import { CALLER, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { ALL } from '../testing/testList.ts';
import { createWorkspace } from '../workspaces/store.ts';
import { verifyLog } from './verifyLog.ts';
import { listChanges } from './listChanges.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());

const RUNS = [null, randomUUID(), randomUUID()];
const REQUESTS = Array.from({ length: 12 }, () => randomUUID());
const CONTACTS = Array.from({ length: 3 }, () => randomUUID());

/** Some share a word of their names. */
const tokenNamed = (name: string): LogAuthor =>
  authorOf({ token: { uuid: randomUUID(), name }, requestId: randomUUID() });
const PERSON: LogAuthor = {
  actor: { kind: 'person', uuid: randomUUID(), name: 'Ada Łovelace', email: 'ada@acme.test', subject: 'sub-1' },
  requestId: null,
  run: null,
};
const AUTHORS = [COMMAND, PERSON, ...['support desk', 'Support link', 'crm', 'crm link'].map(tokenNamed)];

type Line = {
  author: LogAuthor;
  action: Action;
  contact: string | null;
  time: number;
  run: string | null;
  requestId: string | null;
};

// A run of the retention without its checkpoint would be reported.
const WRITTEN = ACTIONS.filter((action) => !action.startsWith('retention_'));

const line: fc.Arbitrary<Line> = fc.record({
  author: fc.constantFrom(...AUTHORS),
  action: fc.constantFrom(...WRITTEN),
  contact: fc.option(fc.constantFrom(...CONTACTS)),
  // Some are of an earlier time than the one before.
  time: fc.integer({ min: -100, max: 100_000 }).map((later) => NOW + later),
  run: fc.constantFrom(...RUNS),
  requestId: fc.option(fc.constantFrom(...REQUESTS)),
});

type Asked = { filters: Filters; search: string; newestFirst: boolean; page: number; per_page: number };

const asked: fc.Arbitrary<Asked> = fc.record({
  filters: fc.record(
    {
      actor: fc.constantFrom(...AUTHORS.map(({ actor }) => keyOf(actor)), 'service', randomUUID()),
      action: fc.constantFrom(...ACTIONS),
      contact: fc.constantFrom(...CONTACTS, randomUUID()),
      from: fc.integer({ min: -200, max: 100_100 }).map((later) => timestamp(NOW + later)),
      to: fc.integer({ min: -200, max: 100_100 }).map((later) => timestamp(NOW + later)),
    },
    { requiredKeys: [] },
  ),
  search: fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    fc.constantFrom('support', 'SUPPORT link', 'crm', 'lovelace', 'acme.test', 'nobody', '"link"', 's'),
    fc.constantFrom(...CONTACTS, ...REQUESTS, ...RUNS.filter((run) => run !== null)),
  ),
  newestFirst: fc.boolean(),
  page: fc.integer({ min: 1, max: 8 }),
  per_page: fc.constantFrom(1, 3, 7, 100),
});

async function write(workspace: Workspace, lines: readonly Line[]): Promise<void> {
  const counts = new Map<string, number>();
  // Several at once, as an import does.
  for (let first = 0; first < lines.length; first += 7) {
    const some = lines.slice(first, first + 7);
    const entries = some.map(({ author, action, contact, run, requestId }) => {
      const number = (counts.get(contact ?? '') ?? 0) + 1;
      counts.set(contact ?? '', number);
      return {
        action,
        author: { ...author, run, requestId },
        ...(contact !== null && { contact: { uuid: contact, number } }),
      };
    });
    await t.db.write(workspace, (scope) => writeLog(scope, entries, must(some[0]).time));
  }
}

/** What the service should answer, by looking at every line. */
function expected(lines: readonly (Line & { at: number })[], { filters, search, newestFirst }: Asked): number[] {
  const folded = search.toLowerCase().replaceAll('"', '');
  const isId = /^[0-9a-f-]{36}$/.test(folded);
  const column = (['contact', 'requestId', 'run'] as const).find((one) => lines.some((it) => it[one] === folded));
  const isFound = (it: Line) => {
    if (isId) return column !== undefined && it[column] === folded;
    const { name, email } = it.author.actor;
    const text = `${name ?? ''}\n${email ?? ''}`.toLowerCase().replace('ł', 'l');
    return folded.split(' ').every((word) => text.includes(word));
  };
  const found = lines.flatMap((it, index) => {
    const isWanted =
      (filters['actor'] === undefined || keyOf(it.author.actor) === filters['actor']) &&
      (filters['action'] === undefined || it.action === filters['action']) &&
      (filters['contact'] === undefined || it.contact === filters['contact']) &&
      (filters['from'] === undefined || it.at >= Date.parse(String(filters['from']))) &&
      (filters['to'] === undefined || it.at < Date.parse(String(filters['to']))) &&
      (search === '' || isFound(it));
    return isWanted ? [index + 1] : [];
  });
  return newestFirst ? found.toReversed() : found;
}

test('any page of any search and filters is what looking at every line gives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 60 }),
      fc.array(asked, { minLength: 25, maxLength: 25 }),
      async (given, queries) => {
        const workspace = await createWorkspace(t.db, { name: 'Acme', identity_field: null }, NOW);
        await write(workspace, given);
        let at = 0;
        const lines = given.map((it, index) => {
          if (index % 7 === 0) at = Math.max(at, it.time);
          return { ...it, at };
        });
        for (const query of queries) {
          const { newestFirst, page, per_page, filters, search } = query;
          const sorting = newestFirst ? [] : [{ id: 'created_at', desc: false }];
          const answer = await listChanges(workspace, t.db, { page, per_page, search, sorting, filters });
          const numbers = expected(lines, query);
          expect(answer.meta.total, JSON.stringify(query)).toBe(numbers.length);
          const ofPage = numbers.slice((page - 1) * per_page, page * per_page);
          expect([query, answer.data.map(({ number }) => number)]).toEqual([query, ofPage]);
          for (const row of answer.data) {
            const it = lines[row.number - 1]!;
            expect(row).toMatchObject({
              action: it.action,
              created_at: timestamp(it.at),
              actor: { kind: it.author.actor.kind, uuid: it.author.actor.uuid, name: it.author.actor.name },
              request_id: it.requestId,
              run: it.run,
            });
            expect(row.contact?.uuid ?? null).toBe(it.contact);
          }
        }
        expect(await verifyLog(workspace, t.db)).toEqual([]);
      },
    ),
    { numRuns: 30 },
  );
}, 120_000);

test('a line names the contact and the changed fields, and no value', async () => {
  const workspace = await createWorkspace(t.db, { name: 'Acme', identity_field: 'customer_id' }, NOW);
  const email = 'grace@example.com';
  await t.db.write(workspace, (scope) =>
    putContacts(scope, [{ attributes: { email, first_name: 'Grace', customer_id: 'C-7' } }], NOW),
  );
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field${index}`, 'secret']));
  await updateContact(workspace, t.db, email, many, CALLER, NOW);
  for (const search of ['grace@example.com', ' C-7 ']) {
    const { data, meta } = await listChanges(workspace, t.db, { ...ALL, search });
    expect(meta.total).toBe(1);
    expect(data[0]).toMatchObject({
      action: 'update',
      contact: { name: 'Grace', address: email },
      field_count: 30,
      reason: null,
      details: null,
    });
    expect(data[0]?.fields).toHaveLength(20);
    expect(JSON.stringify(data)).not.toContain('secret');
  }
});

test('complaints about who is unsubscribed already are found among unsubscribes', async () => {
  const workspace = await createWorkspace(t.db, { name: 'Acme', identity_field: null }, NOW);
  const emails = ['a@x.test', 'b@x.test'];
  await t.db.write(workspace, (scope) =>
    putContacts(
      scope,
      emails.map((email) => ({ attributes: { email } })),
      NOW,
    ),
  );
  for (const reason of ['bounce', 'complaint'] as const)
    for (const email of emails.slice(0, reason === 'bounce' ? 2 : 1))
      await unsubscribeContact(workspace, t.db, email, CALLER, NOW, { reason });
  const find = async (filters: Filters) => {
    const { data, meta } = await listChanges(workspace, t.db, { ...ALL, filters });
    return [meta.total, ...data.map(({ action, suppression }) => [action, suppression?.reason])];
  };
  expect(await find({ action: 'record_reason' })).toEqual([1, ['unsubscribe', 'complaint']]);
  expect(await find({ action: 'record_reason', actor: keyOf(PERSON.actor) })).toEqual([0]);
  expect((await find({ action: 'unsubscribe' }))[0]).toBe(3);
});
