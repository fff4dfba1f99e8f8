import { randomUUID } from 'node:crypto';
import { CompiledQuery, type KyselyPlugin, type RootOperationNode, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listAddresses as addressesOperation } from '#contract/addresses.ts';
import { listContacts as contactsOperation } from '#contract/additions.ts';
import { listDomains as domainsOperation } from '#contract/interface.ts';
import type { CheckedListQuery } from '#contract/list.ts';
import { listDomainReports as reportsOperation } from '#contract/domains/domainReport.ts';
import { listDomainReports } from '../domains/history/listReports.ts';
import { listSuppressions as suppressionsOperation } from '#contract/suppressions/suppressedContacts.ts';
import { addIndex } from '../contacts/attributeIndex/manageIndexes.ts';
import { listContacts } from '../contacts/listContacts.ts';
import { listSuppressions } from '../contacts/listSuppressions.ts';
import { listRuns } from '../contacts/runs/listRuns.ts';
import { addEntries, keepRun } from '../contacts/runs/runs.ts';
import { putContacts } from '../contacts/store.ts';
import { COMMAND } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import { SIZES } from '../database/paging/pageSize.ts';
import { Scope } from '../database/scope.ts';
import { listAddresses } from '../domains/listAddresses.ts';
import { putAddresses } from '../domains/putAddresses.ts';
import { putDomains } from '../domains/putDomains.ts';
import { listDomains } from '../domains/store.ts';
import { ENGINE, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { ALL } from '../testing/testList.ts';

// A new column of a list needs an index, and counts in the row size.

let t: TestDatabase;
beforeEach(async () => {
  t = await openTestDatabase();
});
afterEach(() => t[Symbol.asyncDispose]());

const WORDS = ['completed', 'completed', 'failed'];

async function fill(): Promise<void> {
  const rows = [0, 1, 2];
  await t.db.write(t.workspace, (scope) =>
    putContacts(
      scope,
      rows.map((row) => ({ uuid: randomUUID(), subscribed: false, attributes: { first_name: `P${row}` } })),
      NOW,
    ),
  );
  await t.db.write(t.workspace, (scope) =>
    putDomains(
      scope,
      rows.map((row) => ({ name: `d${row}.test` })),
      NOW,
    ),
  );
  await t.db.write(t.workspace, (scope) =>
    putAddresses(
      scope,
      rows.map((row) => ({ domain: `d${row}.test`, address: 'news', verification: WORDS[row] ?? '' })),
      NOW,
    ),
  );
}

const LISTS = [
  {
    operation: contactsOperation,
    read: (db: Database, query: CheckedListQuery) => listContacts(t.workspace, db, query),
  },
  {
    operation: suppressionsOperation,
    read: (db: Database, query: CheckedListQuery) => listSuppressions(t.workspace, db, query),
  },
  {
    operation: addressesOperation,
    read: (db: Database, query: CheckedListQuery) => listAddresses(t.workspace, db, query),
  },
  { operation: domainsOperation, read: (db: Database, query: CheckedListQuery) => listDomains(t.workspace, db, query) },
  {
    operation: reportsOperation,
    read: (db: Database, query: CheckedListQuery) => listDomainReports(t.workspace, db, query),
  },
];

/** PostgreSQL scans and sorts so few rows unless these are off. */
async function explain(read: (db: Database) => Promise<unknown>): Promise<string[]> {
  const plans: string[] = [];
  const recorded =
    (original: Database['read']): Database['read'] =>
    (workspace, work, options) =>
      original(
        workspace,
        async (scope) => {
          const nodes: RootOperationNode[] = [];
          const recorder: KyselyPlugin = {
            transformQuery: ({ node }) => {
              nodes.push(node);
              return node;
            },
            transformResult: async ({ result }) => result,
          };
          const result = await work(new Scope(workspace, scope.kysely.withPlugin(recorder)));
          if (ENGINE === 'postgres') {
            await sql`set local enable_sort = off`.execute(scope.kysely);
            await sql`set local enable_seqscan = off`.execute(scope.kysely);
          }
          for (const node of nodes) {
            const { sql: text, parameters } = scope.kysely.getExecutor().compileQuery(node, { queryId: randomUUID() });
            const command = ENGINE === 'postgres' ? 'explain' : 'explain query plan';
            const { rows } = await scope.kysely.executeQuery(CompiledQuery.raw(`${command} ${text}`, [...parameters]));
            plans.push(rows.map((row) => Object.values(row as object).join(' ')).join('\n'));
          }
          return result;
        },
        options,
      );
  await read({ ...t.db, read: recorded(t.db.read.bind(t.db)) });
  return plans;
}

const SORTS = /USE TEMP B-TREE|\bSort\b/;

describe.each(LISTS)('$operation.id', ({ operation, read }) => {
  test.each(operation.list.sortable.flatMap((id) => [false, true].map((desc) => ({ id, desc }))))(
    'by $id, descending: $desc, is read from an index',
    async (sort) => {
      await fill();
      const plans = await explain((db) => read(db, { ...ALL, sorting: [sort] }));
      expect(plans.length).toBeGreaterThan(1);
      expect(plans.filter((plan) => SORTS.test(plan))).toEqual([]);
    },
  );
});

test.each(['', ...addressesOperation.list.sortable])(
  'addresses with a verification, by %s, are read from an index',
  async (id) => {
    await fill();
    const query = { ...ALL, filters: { verification: 'completed' }, sorting: id === '' ? [] : [{ id, desc: false }] };
    const plans = await explain((db) => listAddresses(t.workspace, db, query));
    const about = plans.filter((plan) => /addresses/.test(plan));
    expect(about.length).toBeGreaterThan(1);
    expect(about.filter((plan) => SORTS.test(plan) || !/index|primary key/i.test(plan))).toEqual([]);
  },
);

test.each([
  'plan:gold',
  '-plan:gold',
  'seats:>10',
  'event:opened',
  '-event:opened within 30d',
  'plan:gold seats:<5 -subscribed event:opened',
])('the filter %s reads its values from indexes', async (filter) => {
  await fill();
  for (const name of ['plan', 'seats']) await addIndex(t.workspace, t.db, name, () => {});
  const plans = await explain((db) => listContacts(t.workspace, db, { ...ALL, filters: { filter } }, NOW));
  const about = plans
    .flatMap((plan) => plan.split('\n'))
    .filter((step) => /attribute_values|event_names|\bevents\b/.test(step));
  expect(about.length).toBeGreaterThan(0);
  expect(
    about.filter((step) => !/USING (COVERING INDEX|INDEX|PRIMARY KEY)|Index (Only )?(Scan|Cond)/.test(step)),
  ).toEqual([]);
});

/** Keys, copies, limited columns, and `erasure`, which no list reads. */
const SMALL =
  /^(uuid|.*_uuid|.*_key|created_at|updated_at|suppress.*|name|state|subject|kind|(previous_)?(result|code)|turn|cause|address|action|event_name|actor.*|request_id|run|values_digest|hash|erasure)$/;

test.each(Object.entries(SIZES))('the row size of %s includes every text column', async (table, size) => {
  // Of this schema only: other tests have theirs.
  const onSqlite = sql<{ name: string; type: string }>`select name, type from pragma_table_info(${table})`;
  const onPostgres = sql<{ name: string; type: string }>`
    select column_name as name, data_type as type from information_schema.columns
    where table_schema = current_schema() and table_name = ${table}`;
  const { rows } = await (ENGINE === 'sqlite' ? onSqlite : onPostgres).execute(t.db.unscoped.kysely);
  const texts = rows.filter(({ type }) => /text/i.test(type)).map(({ name }) => name);
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((name) => !SMALL.test(name) && !size.includes(`octet_length(${name})`))).toEqual([]);
});

test('what came of a run is counted without the rest of the log', async () => {
  await fill();
  const by = { now: NOW, author: COMMAND };
  const contact = await t.db.read(t.workspace, (scope) =>
    scope.select('contacts').select('uuid').executeTakeFirstOrThrow(),
  );
  const uuid = randomUUID();
  await keepRun(t.workspace, t.db, { uuid, entries: 1, digest: null, reason: null, ticket: null }, by);
  await addEntries(t.workspace, t.db, uuid, { from: 0, entries: [[contact.uuid]] }, by);
  const plans = await explain((db) => listRuns(t.workspace, db, { ...ALL, sorting: [] }));
  expect(plans.filter((plan) => /changes_of_run/.test(plan)).length).toBeGreaterThan(1);
  expect(plans.filter((plan) => /changes USING PRIMARY KEY|changes_by_number/.test(plan))).toEqual([]);
});
