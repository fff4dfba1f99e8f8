import { type RawBuilder, sql } from 'kysely';
import { must } from '#contract/values/must.ts';
import type { Database } from '../database.ts';
import { lookUp } from '../lookUp.ts';
import type { Scope } from '../scope.ts';
import type { StoredRow } from '../storedRow.ts';
import type { Workspace } from '../workspace.ts';
import type { CountedColumn, FoldedColumns, Rule } from './derived.ts';
import { TABLE_DESCRIPTIONS } from './tableDescriptions.ts';

/** Rows of a page: few enough that the largest fit into memory. */
const PAGE_SIZE = 1000;

/** Called with the rows read so far. */
export type OnRows = (rows: number) => void;

/** One sentence for each wrong value. `isRebuild` replaces them, and says nothing of those. */
export async function verifyCounted(scope: Scope, counted: CountedColumn, isRebuild = false): Promise<string[]> {
  const differences = await findDifferences(scope, counted);
  if (isRebuild) {
    for (const difference of differences) await writeCounted(scope, counted, difference);
    return [];
  }
  const name = `${counted.table}.${counted.column}`;
  const labels = await labelsOf(scope, counted.table, counted.key, differences);
  return differences.map(({ stored, counted: right }, at) => {
    const is = stored === null ? 'is missing' : `is ${stored}`;
    return `${name}${labels[at]} ${is} (should ${right === null ? 'not exist' : `be ${right}`}).`;
  });
}

type Difference = StoredRow & { stored: number | null; counted: number | null };

function findDifferences(scope: Scope, { table, key, column, rows, where }: CountedColumn): Promise<Difference[]> {
  const keys = sql.join(key.map((name) => sql.ref(name)));
  return scope.run(sql<Difference>`
    select ${keys}, max(stored) as stored, cast(max(counted) as bigint) as counted from (
      select ${keys}, ${sql.ref(column)} as stored, null as counted from ${sql.table(table)}
      where workspace_id = ${scope.id}
      union all
      select ${keys}, null, counted from (${rows(scope.id)}) as right_rows
    ) as compared where ${where?.(scope.id) ?? sql`true`}
    group by ${keys} having max(stored) is distinct from max(counted) order by ${keys}`);
}

async function writeCounted(scope: Scope, { table, key, column, others }: CountedColumn, row: Difference) {
  const { stored, counted } = row;
  const own = sql`workspace_id = ${scope.id} and ${isRow(key, row)}`;
  if (counted === null) await scope.run(sql`delete from ${sql.table(table)} where ${own}`);
  else if (stored !== null) {
    await scope.run(sql`update ${sql.table(table)} set ${sql.ref(column)} = ${counted} where ${own}`);
  } else {
    const keys = Object.fromEntries(key.map((name) => [name, row[name]]));
    await scope.insert(table as 'event_names', { ...keys, ...others, [column]: counted } as never).execute();
  }
}

const isRow = (key: readonly string[], row: StoredRow): RawBuilder<unknown> =>
  sql.join(
    key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` and `,
  );

/** How to name each row: its UUID, or that of its contact, or its key. */
async function labelsOf(scope: Scope, table: string, key: readonly string[], rows: readonly StoredRow[]) {
  if (table === 'workspace_heads') return rows.map(() => '');
  const target = { table: 'contacts', fixed: {}, key: 'id' } as const;
  const ids = rows.flatMap(({ contact_id: id }) => (typeof id === 'number' ? id : []));
  const contacts = await lookUp<number, string>(scope, target, 'uuid', ids);
  return rows.map((row) => {
    if (row['uuid'] !== undefined) return ` of ${row['uuid']}`;
    const id = row['contact_id'];
    return ` of ${typeof id === 'number' ? `contact ${contacts.get(id) ?? id}` : key.map((name) => row[name]).join(', ')}`;
  });
}

/** One sentence for each row with a wrong value, page by page. `isRebuild` replaces them; unreadable rows remain. */
export async function verifyFolded(
  [workspace, db]: readonly [Workspace, Database],
  folded: FoldedColumns,
  onRows: OnRows,
  isRebuild = false,
): Promise<string[]> {
  const key = TABLE_DESCRIPTIONS[folded.table].primaryKey.filter((name) => name !== 'workspace_id');
  const errors: string[] = [];
  let last: StoredRow | null = null;
  let count = 0;
  do {
    const verifyPage = async (scope: Scope) => {
      const rows = await readPage(scope, folded, key, last);
      const wrong = await findWrong(scope, folded, rows);
      if (isRebuild) await writeFolded(scope, folded.table, key, wrong);
      const labels = await labelsOf(
        scope,
        folded.table,
        key,
        wrong.map(({ row }) => row),
      );
      const found = wrong.map(({ columns }, at) =>
        columns === null
          ? `${folded.table}.${folded.from[0]}${labels[at]} can't be read.`
          : `${folded.table}.${Object.keys(columns).join(', ')}${labels[at]} doesn't match the row.`,
      );
      return { rows, found };
    };
    const { rows, found }: { rows: StoredRow[]; found: string[] } = isRebuild
      ? await db.write(workspace, verifyPage)
      : await db.read(workspace, verifyPage);
    if (!isRebuild) errors.push(...found);
    last = rows.at(-1) ?? null;
    onRows((count += rows.length));
  } while (last !== null);
  return errors;
}

const refs = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));

function readPage(
  scope: Scope,
  { table, columns, from }: FoldedColumns,
  key: readonly string[],
  last: StoredRow | null,
) {
  const after = last === null ? sql`true` : sql`(${refs(key)}) > (${sql.join(key.map((name) => last[name]))})`;
  return scope.run(sql<StoredRow>`
    select ${refs([...new Set([...key, ...from, ...columns])])} from ${sql.table(table)}
    where workspace_id = ${scope.id} and ${after} order by ${refs(key)} limit ${sql.lit(PAGE_SIZE)}`);
}

/** `columns`: those that differ, with their right values; null for an unreadable row. */
type WrongRow = { row: StoredRow; columns: StoredRow | null };

async function findWrong(
  scope: Scope,
  { columns, fold }: FoldedColumns,
  rows: readonly StoredRow[],
): Promise<WrongRow[]> {
  const right = await fold(scope, rows);
  return rows.flatMap((row, at): WrongRow[] => {
    const values = right[at] ?? null;
    if (values === null) return [{ row, columns: null }];
    const wrong = columns.filter((name) => row[name] !== values[name]).map((name) => [name, must(values[name])]);
    return wrong.length === 0 ? [] : [{ row, columns: Object.fromEntries(wrong) as StoredRow }];
  });
}

async function writeFolded(scope: Scope, table: string, key: readonly string[], wrong: readonly WrongRow[]) {
  for (const { row, columns } of wrong) {
    if (columns === null) continue;
    const set = sql.join(Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`));
    await scope.run(sql`
      update ${sql.table(table)} set ${set} where workspace_id = ${scope.id} and ${isRow(key, row)}`);
  }
}

/** One sentence for each wrong row. */
export async function verifyRule(scope: Scope, { error, rows }: Rule): Promise<string[]> {
  return (await scope.run(rows(scope.id))).map(({ wrong }) => `There is ${error} ${wrong}.`);
}
