import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { COMMAND } from '../database/changeLog/author.ts';
import { HASHED_COLUMNS } from '../database/changeLog/logChain.ts';
import { insertRows } from '../database/insertRows.ts';
import type { StoredRow } from '../database/storedRow.ts';
import type { Workspace } from '../database/workspace.ts';
import { seededRandom, type Random } from '../demo/seededRandom.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import { ENGINE, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { createHistory } from '../testing/testHistory.ts';
import { alterLog } from '../testing/testLog.ts';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import { verifyLog } from './verifyLog.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());

/** What is hashed is the same on both engines, and the sample of the faster one has every column. */
const HISTORIES = ENGINE === 'sqlite' ? 30 : 5;
const STEPS = 20;

type Table = 'changes' | 'change_values' | 'workspace_heads';
type StoredLine = StoredRow & { number: number };

async function readTable(table: 'changes' | 'change_values', { id }: Workspace): Promise<StoredLine[]> {
  const rows = await t.db.unscoped.kysely.selectFrom(table).selectAll().where('workspace_id', '=', id).execute();
  return rows.toSorted((one, other) => one.number - other.number);
}

/** A value that differs in one character, or by one bit; another where there was nothing. */
function flip(value: string | number | null, column: string, random: Random): string | number {
  // Places are unique, so that the next one is another line's.
  if (typeof value === 'number') return /number|_at$/.test(column) ? value + 2 ** 20 : value ^ 1;
  if (value === null && ['contact_number', 'subscribed'].includes(column)) return 7;
  if (value === null || value === '') return 'x';
  const at = random.below(value.length);
  return value.slice(0, at) + String.fromCharCode(value.charCodeAt(at) ^ 1) + value.slice(at + 1);
}

const set = (table: Table, where: RawBuilder<unknown>, column: string, value: string | number | null) => sql`
  update ${sql.table(table)} set ${sql.ref(column)} = ${value} where ${where}`;
const removeFrom = (table: Table, { id }: Workspace, number: number) =>
  sql`delete from ${sql.table(table)} where workspace_id = ${id} and number = ${number}`;

/** Statements that change one byte of a random column and line, and restore it; and the line. */
async function spoilOne(workspace: Workspace, random: Random) {
  const table = random.pick(['changes', 'changes', 'change_values'] as const);
  const row = random.pick(await readTable(table, workspace));
  const column = random.pick(Object.keys(row).filter((one) => one !== 'workspace_id'));
  const value = row[column] ?? null;
  const spoiled = flip(value, column, random);
  const at = (number: number) => sql`workspace_id = ${workspace.id} and number = ${number}`;
  return {
    about: `${table}.${column} of line ${row.number}`,
    line: row.number,
    spoil: set(table, at(row.number), column, spoiled),
    restore: set(table, at(column === 'number' ? Number(spoiled) : row.number), column, value),
  };
}

test('random histories are a chain, and one byte that is changed anywhere is found and its line named', async () => {
  const columns = new Set<string>();
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const random = seededRandom(seed);
    const workspace = await createHistory(t.db, seed, STEPS);
    expect(await verifyWorkspace(workspace, t.db)).toEqual([]);
    for (let round = 0; round < 6; round++) {
      const { about, line, spoil, restore } = await spoilOne(workspace, random);
      columns.add(about.replace(/ .*/, ''));
      await alterLog(t.db, spoil);
      const errors = await verifyLog(workspace, t.db);
      expect(errors[0], `${seed}: ${about}`).toMatch(new RegExp(`^Log: .*\\bentry ${line}\\b`));
      await alterLog(t.db, restore);
    }
    expect(await verifyLog(workspace, t.db)).toEqual([]);
  }
  const expected = [
    ...HASHED_COLUMNS.map((column) => `changes.${column}`),
    ...['salt', 'summary', 'changes', 'number'].map((column) => `change_values.${column}`),
  ];
  if (ENGINE === 'sqlite') expect([...columns]).toEqual(expect.arrayContaining(expected));
}, 240_000);

test('lines that are taken out, swapped or added are found and named', async () => {
  for (let seed = 1; seed <= 5; seed++) {
    const random = seededRandom(seed);
    const workspace = await createHistory(t.db, seed, STEPS);
    const lines = await readTable('changes', workspace);
    const at = (number: number) => removeFrom('changes', workspace, number);
    const write = (...rows: StoredRow[]) => t.db.unscoped.write((trx) => insertRows(trx, 'changes', rows));
    const [one, other] = [random.below(lines.length - 1), lines.length - 1].map((index) => must(lines[index]));
    const [first, last] = [must(one), must(other)];
    const findFirst = async () => (await verifyLog(workspace, t.db))[0];

    await alterLog(t.db, at(first.number));
    expect(await findFirst()).toBe(`Log: entry ${first.number} is missing.`);
    await alterLog(t.db, at(last.number));
    await write({ ...last, number: first.number }, { ...first, number: last.number });
    expect(await findFirst()).toBe(`Log: entry ${first.number} isn't as it was written.`);
    await alterLog(t.db, at(first.number), at(last.number));
    await write(first);
    expect(await findFirst()).toBe(`Log: entry ${last.number} is missing.`);
    await write(last);
    expect(await findFirst()).toBeUndefined();

    const added = { uuid: 'new', contact_uuid: null, contact_number: null, values_digest: null };
    await write({ ...last, ...added, number: last.number + 1, actor: 'new', action: 'new' });
    expect(await findFirst()).toMatch(new RegExp(`^Log: entry ${last.number + 1} `));
  }
}, 120_000);

test('reports an end that is not that of the last line', async () => {
  const workspace = await createHistory(t.db, 7, STEPS);
  const { number } = must((await readTable('changes', workspace)).at(-1));
  const head = sql`workspace_id = ${workspace.id}`;
  const heads = t.db.unscoped.kysely.selectFrom('workspace_heads').selectAll();
  const kept = await heads.where('workspace_id', '=', workspace.id).executeTakeFirstOrThrow();
  for (const [column, value] of [
    ['log_hash', 'x'],
    ['log_at', 1],
  ] as const) {
    await alterLog(t.db, set('workspace_heads', head, column, value));
    expect(await verifyLog(workspace, t.db)).toEqual([`Log: the stored end isn't that of entry ${number}.`]);
    await alterLog(t.db, set('workspace_heads', head, column, kept[column]));
  }
});

const lost = ({ number }: { number: number }) => `Log: entry ${number} has lost its values.`;

test('values may be gone where a line says that the contact was erased, and nowhere else', async () => {
  const workspace = await createHistory(t.db, 8, STEPS);
  const forget = (number: number) => alterLog(t.db, removeFrom('change_values', workspace, number));
  const lines = (await readTable('changes', workspace)).filter(({ values_digest }) => values_digest !== null);
  const { contact_uuid: uuid, ...line } = must(lines.find(({ contact_uuid }) => contact_uuid !== null));
  const contact = { uuid: uuid as string, number: null };
  const ofContact = lines.filter(({ contact_uuid }) => contact_uuid === uuid);
  const log = (entry: Partial<Parameters<typeof writeLog>[1][number]>) =>
    t.db.write(workspace, (scope) =>
      writeLog(scope, [{ action: 'person_erase', author: COMMAND, contact, ...entry }], NOW),
    );
  for (const { number } of ofContact) await forget(number);
  expect(await verifyLog(workspace, t.db)).toEqual([lost(line)]);
  await log({ details: { events: 0 } });
  expect(await verifyLog(workspace, t.db)).toEqual([]);

  // The line of the erasure, by which the others are excused, keeps what it says.
  const erasure = must((await readTable('change_values', workspace)).at(-1));
  await forget(erasure.number);
  expect(await verifyLog(workspace, t.db)).toEqual([lost(erasure)]);
  await t.db.unscoped.write((trx) => insertRows(trx, 'change_values', [erasure]));

  // What is left of the line is as safe as before.
  for (const [column, value] of [
    ['values_digest', 'x'],
    ['values_digest', null],
    ['erasure', '{}'],
    ['size', 7_000],
  ] as const) {
    const ofLine = sql`workspace_id = ${workspace.id} and number = ${line.number}`;
    await alterLog(t.db, set('changes', ofLine, column, value));
    expect(await verifyLog(workspace, t.db)).toEqual([`Log: entry ${line.number} isn't as it was written.`]);
    await alterLog(t.db, set('changes', ofLine, column, line[column] as string | number | null));
  }

  // Lines about others, which the erasure names.
  const other = must(lines.find(({ contact_uuid }) => contact_uuid !== uuid));
  await forget(other.number);
  expect(await verifyLog(workspace, t.db)).toEqual([lost(other)]);
  await log({ erasure: { identities: 0, refused: null, key: null, lines: [other.number, 7000] } });
  expect(await verifyLog(workspace, t.db)).toEqual([]);

  // What is written of the contact afterwards stays.
  await log({ action: 'erasure_lift', reason: 'Came back' });
  const lifted = must((await readTable('change_values', workspace)).at(-1));
  await forget(lifted.number);
  expect(await verifyLog(workspace, t.db)).toEqual([lost(lifted)]);
});

test('no statement of the service can change or delete a line', async () => {
  const workspace = await createHistory(t.db, 9, 3);
  const refused = ENGINE === 'sqlite' ? /append-only/ : /permission denied/;
  for (const statement of [
    sql`update changes set actor_name = 'somebody else' where workspace_id = ${workspace.id}`,
    sql`update changes set number = number where workspace_id = ${workspace.id}`,
    sql`delete from changes where workspace_id = ${workspace.id}`,
  ]) {
    await expect(t.db.unscoped.write((trx) => statement.execute(trx))).rejects.toThrow(refused);
    await expect(t.db.write(workspace, (scope) => scope.run(statement))).rejects.toThrow(refused);
  }
  if (ENGINE === 'postgres') {
    await expect(t.db.unscoped.write((trx) => sql`truncate changes`.execute(trx))).rejects.toThrow(refused);
  }
  expect(await verifyLog(workspace, t.db)).toEqual([]);
});
