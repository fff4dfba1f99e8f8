import { sql } from 'kysely';
import { must } from '#contract/values/must.ts';
import type { Database } from '../../database/database.ts';
import { insertOwnRows } from '../../database/insertRows.ts';
import type { Scope } from '../../database/scope.ts';
import type { StoredRow } from '../../database/storedRow.ts';
import type { Workspace } from '../../database/workspace.ts';
import { parseAttributes } from '../contactRow.ts';
import { type AttributeIndex, readIndexes, writeIndexes } from './definitions.ts';
import { rowOf } from './values.ts';

/** Each takes time in every write of contacts. */
export const INDEXES_MAX = 20;
/** Contacts of one transaction, which takes some tens of milliseconds. */
const CONTACTS_AT_ONCE = 500;

/** Called with the number of contacts, or values, so far. */
type OnRows = (rows: number) => void;

/** Whether an index has the contacts, so that it answers; `exists` where it had them before, `full` where there are too many. */
export type AddedIndex = 'added' | 'exists' | 'full' | 'removed';

/**
 * Adds an index of the attribute `name`, and fills it in many transactions, so that the writes of others come between. A repeat takes
 * up what was killed.
 */
export async function addIndex(workspace: Workspace, db: Database, name: string, onRows: OnRows): Promise<AddedIndex> {
  const begun = await db.write(workspace, async (scope): Promise<AddedIndex | null> => {
    const indexes = await readIndexes(scope);
    const known = indexes.find((index) => index.name === name);
    if (known?.state === 'ready') return 'exists';
    if (known?.state === 'building') return null;
    if (known !== undefined) return 'removed';
    if (indexes.length >= INDEXES_MAX) return 'full';
    const number = Math.max(0, ...indexes.map((index) => index.number)) + 1;
    await writeIndexes(scope, [...indexes, { number, name, state: 'building', builtTo: 0 }]);
    return null;
  });
  if (begun !== null) return begun;
  let count = 0;
  for (;;) {
    const built = await db.write(workspace, (scope) => buildNext(scope, name));
    if (built === null) return 'removed';
    onRows((count += built));
    if (built < CONTACTS_AT_ONCE) return 'added';
  }
}

/** Gives how many contacts were read; null where somebody has removed the index. */
async function buildNext(scope: Scope, name: string): Promise<number | null> {
  const indexes = await readIndexes(scope);
  const index = indexes.find((one) => one.name === name && one.state !== 'removing');
  if (index === undefined) return null;
  const page = await readContacts(scope, index.builtTo);
  await replaceValues(scope, index, page, index.builtTo);
  const isDone = page.length < CONTACTS_AT_ONCE;
  const built: AttributeIndex = {
    ...index,
    state: isDone ? 'ready' : 'building',
    builtTo: page.at(-1)?.id ?? index.builtTo,
  };
  await writeIndexes(
    scope,
    indexes.map((one) => (one === index ? built : one)),
  );
  return page.length;
}

type Row = { id: number; attributes: string };

const readContacts = (scope: Scope, after: number): Promise<Row[]> =>
  scope
    .select('contacts')
    .select(['id', 'attributes'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(CONTACTS_AT_ONCE)
    .execute();

/** The values of the index from `after` to the last contact of the page, or to the end after the last page. */
const valuesBetween = (scope: Scope, { number }: AttributeIndex, page: readonly Row[], after: number) => {
  const end = page.length < CONTACTS_AT_ONCE ? sql`` : sql`and contact_id <= ${must(page.at(-1)).id}`;
  return sql`from attribute_values
    where workspace_id = ${scope.id} and attribute = ${number} and contact_id > ${after} ${end}`;
};

const rightValues = (index: AttributeIndex, page: readonly Row[]) =>
  page.flatMap(({ id, attributes }) => rowOf(index, id, parseAttributes(attributes) ?? {}) ?? []);

async function replaceValues(scope: Scope, index: AttributeIndex, page: readonly Row[], after: number): Promise<void> {
  await scope.run(sql`delete ${valuesBetween(scope, index, page, after)}`);
  await insertOwnRows(scope, 'attribute_values', rightValues(index, page));
}

/** Removes an index with its values, in many transactions; false where there is none. A repeat takes up what was killed. */
export async function removeIndex(workspace: Workspace, db: Database, name: string, onRows: OnRows): Promise<boolean> {
  const change = (scope: Scope, toNext: (index: AttributeIndex) => AttributeIndex[]) =>
    readIndexes(scope).then((indexes) =>
      writeIndexes(
        scope,
        indexes.flatMap((index) => (index.name === name ? toNext(index) : [index])),
      ),
    );
  const index = await db.write(workspace, async (scope) => {
    await change(scope, (one) => [{ ...one, state: 'removing' }]);
    return (await readIndexes(scope)).find((one) => one.name === name);
  });
  if (index === undefined) return false;
  for (let count = 0, deleted = -1; deleted !== 0; onRows((count += deleted))) {
    deleted = await db.write(workspace, (scope) => deleteNext(scope, index.number));
  }
  await db.write(workspace, async (scope) => {
    while ((await deleteNext(scope, index.number)) > 0);
    await change(scope, () => []);
  });
  return true;
}

async function deleteNext(scope: Scope, number: number): Promise<number> {
  const own = sql`from attribute_values where workspace_id = ${scope.id} and attribute = ${number}`;
  const [found] = await scope.run(sql<{ last: number | null; rows: number }>`
    select max(contact_id) as last, count(*) as rows
    from (select contact_id ${own} order by contact_id limit ${sql.lit(CONTACTS_AT_ONCE)}) as next_values`);
  const { last, rows } = must(found);
  if (last !== null) await scope.run(sql`delete ${own} and contact_id <= ${last}`);
  return rows;
}

export const listIndexes = (workspace: Workspace, db: Database): Promise<AttributeIndex[]> =>
  db.read(workspace, readIndexes);

/** One sentence for each index that differs from the contacts; `isRebuild` rewrites them. */
export async function verifyIndexes(
  workspace: Workspace,
  db: Database,
  onRows: OnRows,
  isRebuild = false,
): Promise<string[]> {
  const errors = await findForeignValues(workspace, db, isRebuild);
  let count = 0;
  for (const index of (await listIndexes(workspace, db)).filter(({ state }) => state === 'ready')) {
    let isRight = true;
    let after = 0;
    for (let isDone = false; !isDone; onRows(count)) {
      const from = after;
      const visit = async (scope: Scope) => {
        const page = await readContacts(scope, from);
        if (isRebuild) await replaceValues(scope, index, page, from);
        else isRight &&= await hasValues(scope, index, page, from);
        return page;
      };
      const page = isRebuild ? await db.write(workspace, visit) : await db.read(workspace, visit);
      after = page.at(-1)?.id ?? after;
      isDone = page.length < CONTACTS_AT_ONCE;
      count += page.length;
    }
    if (!isRight) {
      errors.push(`The index of ${JSON.stringify(index.name)} differs from the contacts; --rebuild rewrites it.`);
    }
  }
  return errors;
}

async function hasValues(scope: Scope, index: AttributeIndex, page: readonly Row[], after: number): Promise<boolean> {
  const stored = await scope.run(sql<StoredRow>`
    select contact_id, value_key, value_rank ${valuesBetween(scope, index, page, after)} order by contact_id`);
  return toText(stored) === toText(rightValues(index, page));
}

const toText = (rows: readonly StoredRow[]) =>
  JSON.stringify(rows.map(({ contact_id, value_key, value_rank }) => [contact_id, value_key, value_rank]));

/** Values of an index that doesn't exist. */
async function findForeignValues(workspace: Workspace, db: Database, isRebuild: boolean): Promise<string[]> {
  const visit = async (scope: Scope) => {
    const numbers = new Set((await readIndexes(scope)).map(({ number }) => number));
    const found = await scope.run(sql<{ attribute: number }>`
      select distinct attribute from attribute_values where workspace_id = ${scope.id}`);
    const foreign = found.flatMap(({ attribute }) => (numbers.has(attribute) ? [] : attribute));
    if (isRebuild && foreign.length > 0) {
      await scope.delete('attribute_values').where('attribute', 'in', foreign).execute();
      return [];
    }
    return foreign.map((number) => `There are values of an index that does not exist, number ${number}.`);
  };
  return isRebuild ? db.write(workspace, visit) : db.read(workspace, visit);
}
