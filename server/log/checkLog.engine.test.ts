import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { must } from '#contract/must.ts';
import { COMMAND } from '../database/author.ts';
import { HASHED_COLUMNS } from '../database/logChain.ts';
import { insertRows } from '../database/insertRows.ts';
import type { StoredRow } from '../database/storedRow.ts';
import type { Workspace } from '../database/workspace.ts';
import { seededRandom, type Random } from '../demo/seededRandom.ts';
import { OTHER_LINES, writeLog } from '../database/writeLog.ts';
import { ENGINE, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { createHistory } from '../testing/testHistory.ts';
import { alterLog } from '../testing/testLog.ts';
import { findInconsistencies } from '../admin/check.ts';
import { checkLog } from './checkLog.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());

const HISTORIES = 40;
const STEPS = 20;

type Table = 'changes' | 'change_values' | 'workspaces';
type StoredLine = StoredRow & { number: number };

async function readTable(table: 'changes' | 'change_values', { id }: Workspace): Promise<StoredLine[]> {
  const rows = await t.db.unscoped.kysely.selectFrom(table).selectAll().where('workspace_id', '=', id).execute();
  return rows.toSorted((one, other) => one.number - other.number);
}

/** A value that differs in one character, or by one bit; a text where there was nothing. */
function flip(value: string | number | null, random: Random, isUnique: boolean): string | number {
  // Places are unique, so that the next one is another line's.
  if (typeof value === 'number') return isUnique ? value + 2 ** 20 : value ^ 1;
  if (value === null || value === '') return 'x';
  const at = random.below(value.length);
  const changed = String.fromCharCode(value.charCodeAt(at) ^ 1);
  return value.slice(0, at) + changed + value.slice(at + 1);
}

const NUMBERS = new Set(['contact_number', 'subscribed']);
const PLACES = new Set([
  'number',
  'actor_number',
  'action_number',
  'actor_action_number',
  'contact_number',
  'created_at',
]);

const set = (table: Table, where: RawBuilder<unknown>, column: string, value: string | number | null) => sql`
  update ${sql.table(table)} set ${sql.ref(column)} = ${value} where ${where}`;

/** Changes one byte of any column of any line, and gives the statement, the one that takes it back, and the line. */
async function spoilOne(workspace: Workspace, random: Random) {
  const table = random.pick(['changes', 'changes', 'change_values'] as const);
  const row = random.pick(await readTable(table, workspace));
  const columns = Object.keys(row).filter((column) => column !== 'workspace_id');
  const column = random.pick(columns);
  const value = row[column] ?? null;
  const isNumber = typeof value === 'number' || NUMBERS.has(column);
  const spoiled = value === null && isNumber ? 7 : flip(value, random, PLACES.has(column));
  const at = (number: number) => sql`workspace_id = ${workspace.id} and number = ${number}`;
  return {
    about: `${table}.${column} of line ${row.number}`,
    line: row.number,
    spoil: set(table, at(row.number), column, spoiled),
    mend: set(table, at(column === 'number' ? Number(spoiled) : row.number), column, value),
  };
}

test(`${HISTORIES} random histories are a chain, and one byte that is changed anywhere is found and its line named`, async () => {
  const columns = new Set<string>();
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const random = seededRandom(seed);
    const workspace = await createHistory(t.db, seed, STEPS);
    expect(await findInconsistencies(workspace, t.db)).toEqual([]);
    for (let round = 0; round < 4; round++) {
      const { about, line, spoil, mend } = await spoilOne(workspace, random);
      columns.add(about.replace(/ .*/, ''));
      await alterLog(t.db, spoil);
      const errors = await checkLog(workspace, t.db);
      expect(errors[0], `${seed}: ${about}`).toMatch(new RegExp(`^The log: .*\\bline ${line}\\b`));
      await alterLog(t.db, mend);
    }
    expect(await checkLog(workspace, t.db)).toEqual([]);
  }
  for (const column of HASHED_COLUMNS) expect([...columns]).toContain(`changes.${column}`);
  for (const column of ['salt', 'summary', 'changes', 'number'])
    expect([...columns]).toContain(`change_values.${column}`);
}, 240_000);

test('lines that are taken out, swapped or added are found and named', async () => {
  for (let seed = 1; seed <= 5; seed++) {
    const random = seededRandom(seed);
    const workspace = await createHistory(t.db, seed, STEPS);
    const lines = await readTable('changes', workspace);
    const at = (number: number) => sql`delete from changes where workspace_id = ${workspace.id} and number = ${number}`;
    const write = (...rows: StoredRow[]) => t.db.unscoped.write((trx) => insertRows(trx, 'changes', rows));
    const [one, other] = [random.below(lines.length - 1), lines.length - 1].map((index) => must(lines[index]));
    const [first, last] = [must(one), must(other)];
    const findFirst = async () => (await checkLog(workspace, t.db))[0];

    await alterLog(t.db, at(first.number));
    expect(await findFirst()).toBe(`The log: line ${first.number} is missing.`);
    await alterLog(t.db, at(last.number));
    await write({ ...last, number: first.number }, { ...first, number: last.number });
    expect(await findFirst()).toBe(`The log: line ${first.number} is not as it was written.`);
    await alterLog(t.db, at(first.number), at(last.number));
    await write(first);
    expect(await findFirst()).toBe(`The log: line ${last.number} is missing.`);
    await write(last);
    expect(await findFirst()).toBeUndefined();

    const added = { uuid: 'new', contact_uuid: null, contact_number: null, values_digest: null };
    await write({ ...last, ...added, number: last.number + 1, actor: 'new', action: 'new' });
    expect(await findFirst()).toMatch(new RegExp(`^The log: line ${last.number + 1} `));
  }
}, 120_000);

test('an end that is another than that of the last line is told, and values that no line has', async () => {
  const workspace = await createHistory(t.db, 7, STEPS);
  const [last] = (await readTable('changes', workspace)).slice(-1);
  const head = sql`id = ${workspace.id}`;
  for (const [column, value] of [
    ['log_hash', 'x'],
    ['log_at', 1],
  ] as const) {
    const kept = must(
      (await t.db.unscoped.kysely.selectFrom('workspaces').selectAll().where('id', '=', workspace.id).execute())[0],
    );
    await alterLog(t.db, set('workspaces', head, column, value));
    expect(await checkLog(workspace, t.db)).toEqual([
      `The log: its end is another than that of line ${must(last).number}.`,
    ]);
    await alterLog(t.db, set('workspaces', head, column, kept[column]));
  }
  await t.db.write(workspace, async (scope) => {
    await scope.insert('change_values', { number: 999, salt: '', summary: '{}', changes: '[]' }).execute();
  });
  expect(await checkLog(workspace, t.db)).toEqual(['The log: there are values for line 999, which it does not have.']);
});

test('values may be gone where a line says that the contact was erased, and nowhere else', async () => {
  const workspace = await createHistory(t.db, 8, STEPS);
  const line = (await readTable('changes', workspace)).find(({ contact_uuid }) => contact_uuid !== null);
  const contact = must(line)['contact_uuid'] as string;
  const remove = sql`
    delete from change_values where workspace_id = ${workspace.id}
      and number in (select number from changes where workspace_id = ${workspace.id} and contact_uuid = ${contact})`;
  await alterLog(t.db, remove);
  expect(await checkLog(workspace, t.db)).toEqual([`The log: line ${must(line).number} has lost what it says.`]);
  const erase = { action: 'person_erase', author: COMMAND, contact: { uuid: contact, number: null } } as const;
  await t.db.write(workspace, (scope) => writeLog(scope, [{ ...erase, details: { events: 0 } }], NOW));
  expect(await checkLog(workspace, t.db)).toEqual([]);

  // What is written of the contact afterwards stays.
  const lift = { ...erase, action: 'erasure_lift', reason: 'Came back' } as const;
  await t.db.write(workspace, (scope) => writeLog(scope, [lift], NOW));
  const lifted = must((await readTable('change_values', workspace)).at(-1));
  await alterLog(
    t.db,
    sql`delete from change_values where workspace_id = ${workspace.id} and number = ${lifted.number}`,
  );
  expect(await checkLog(workspace, t.db)).toEqual([`The log: line ${lifted.number} has lost what it says.`]);
  await t.db.unscoped.write((trx) => insertRows(trx, 'change_values', [lifted]));
  expect(await checkLog(workspace, t.db)).toEqual([]);

  // What is left of the line is as safe as before.
  const { number, values_digest, size } = must(line);
  const ofLine = sql`workspace_id = ${workspace.id} and number = ${number}`;
  for (const [column, kept] of Object.entries({ values_digest, size })) {
    await alterLog(t.db, set('changes', ofLine, column, column === 'size' ? 7_000 : 'x'));
    expect(await checkLog(workspace, t.db)).toEqual([`The log: line ${number} is not as it was written.`]);
    await alterLog(t.db, set('changes', ofLine, column, kept as string | number));
  }

  // Lines about others, which the erasure names.
  const other = must(
    (await readTable('changes', workspace)).find(
      ({ contact_uuid, values_digest }) => contact_uuid !== contact && values_digest !== null,
    ),
  ).number;
  await alterLog(t.db, sql`delete from change_values where workspace_id = ${workspace.id} and number = ${other}`);
  expect(await checkLog(workspace, t.db)).toEqual([`The log: line ${other} has lost what it says.`]);
  await t.db.write(workspace, (scope) =>
    writeLog(scope, [{ ...erase, details: { [OTHER_LINES]: `${other} 7000` } }], NOW),
  );
  expect(await checkLog(workspace, t.db)).toEqual([]);
  // The line of an erasure itself keeps its own.
  const last = must((await readTable('changes', workspace)).at(-1)).number;
  await alterLog(t.db, sql`delete from change_values where workspace_id = ${workspace.id} and number = ${last}`);
  expect(await checkLog(workspace, t.db)).toEqual([`The log: line ${other} has lost what it says.`]);
  await alterLog(t.db, sql`delete from change_values where workspace_id = ${workspace.id} and number = ${last - 1}`);
  expect(await checkLog(workspace, t.db)).toHaveLength(1);
});

test('no statement of the service can change or delete a line', async () => {
  const workspace = await createHistory(t.db, 9, 3);
  const refused = ENGINE === 'sqlite' ? /append-only/ : /permission denied/;
  for (const statement of [
    sql`update changes set actor_name = 'somebody else'`,
    sql`update changes set number = number`,
    sql`delete from changes`,
    ...(ENGINE === 'postgres' ? [sql`truncate changes`] : []),
  ]) {
    await expect(t.db.unscoped.write((trx) => statement.execute(trx))).rejects.toThrow(refused);
    await expect(t.db.write(workspace, (scope) => scope.run(statement))).rejects.toThrow(refused);
  }
  expect(await checkLog(workspace, t.db)).toEqual([]);
});
