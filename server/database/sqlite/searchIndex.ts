import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Scope } from '../scope.ts';
import type { IndexedText, SearchIndex } from '../searchIndex.ts';
import { must } from '#contract/must.ts';
import { containsWords } from '../textSearch.ts';
import { TRIGRAM } from '../trigrams.ts';
import { newWriteMark } from '../writeMark.ts';
import { cancellationCheck } from './cancellationCheck.ts';

// A table of FTS5 (https://sqlite.org/fts5.html) that has the three characters at each place of the text, not the text. Its rowid
// begins with the workspace, so that a search reads nothing of other workspaces.

/** Up to this many found contacts are compared one by one and sorted. More are counted in the index. */
const FOUND_MAX = 5_000;
/** Ids of one workspace. */
const IDS = 2 ** 32;

export const SQLITE_SEARCH_INDEX: SearchIndex = {
  async write(scope, texts) {
    await scope.updateOwn().set({ search_mark: newWriteMark() }).execute();
    for (const { id, search_key } of texts) {
      await scope.run(sql`
        insert or replace into contact_search (rowid, text)
        values (${rowidOf(scope, id)}, ${toIndexed(search_key)})`);
    }
  },
  async find(scope, words, condition) {
    // In one row: each row of a result takes as long as finding it.
    const rows = await scope.run(sql<{ count: number; ids: string }>`
      select count(*) as count, json_group_array(id) as ids from (
        select ${idOf(scope)} as id ${matching(scope, words)} limit cast(${FOUND_MAX + 1} as integer))`);
    const { count, ids } = must(rows[0]);
    if (count > FOUND_MAX) return null;
    return count === 0 ? [] : filterIds(scope, ids, condition);
  },
  exact: {
    async count(scope, words) {
      const rows = await scope.run(sql<{ total: number }>`
        select count(*) as total ${matching(scope, words)} and ${cancellationCheck(sql`rowid`)}`);
      return must(rows[0]).total;
    },
    contains: (scope, column, words) =>
      sql`${sql.ref(column)} in (select ${idOf(scope)} ${matching(scope, words)} and ${cancellationCheck(sql`rowid`)})`,
  },
  containsWords: (words) => containsWords<'contacts'>('search_key', words),
  toMatchingRows: (ids) => ({
    condition: sql`id in (${listIds(JSON.stringify(ids))})`,
    keys: listIds(JSON.stringify(ids)),
    total: ids.length,
    isIndexed: true,
  }),
  async findDifferences(scope, texts) {
    const different = new Set<number>();
    for (const text of texts) if (!(await isIndexed(scope, text))) different.add(text.id);
    return different;
  },
  async size(scope) {
    const rows = await scope.run(sql<{ size: number }>`
      select count(*) as size from contact_search_docsize
      where id between ${rowidOf(scope, 0)} and ${rowidOf(scope, IDS - 1)}`);
    return must(rows[0]).size;
  },
  async rebuild(trx) {
    await sql`insert into contact_search (contact_search) values ('delete-all')`.execute(trx);
    await sql`
      insert into contact_search (rowid, text)
      select workspace_id * ${sql.lit(IDS)} + id, replace(search_key, ${sql.lit('\n')}, ' ') from contacts
      order by workspace_id, id`.execute(trx);
  },
};

async function filterIds(scope: Scope, ids: string, condition: RawBuilder<SqlBool>): Promise<number[]> {
  // It takes a workspace for small: with `in` it would scan another index rather than look for each id.
  const rows = await scope.run(sql<{ id: number }>`
    select id from (${listIds(ids)}) cross join contacts
    where workspace_id = ${scope.id} and id = found and (${condition}) is true`);
  return rows.map(({ id }) => id);
}

/** `ids` as JSON. */
const listIds = (ids: string) => sql`select value as found from json_each(${ids})`;

/** A phrase may begin in one field and end in the next, as first and last name do. */
function toIndexed(searchKey: string): string {
  return searchKey.replaceAll('\n', ' ');
}

const workspaceOf = ({ id }: Scope) => sql`cast(${id} as integer)`;
const rowidOf = (scope: Scope, id: number) => sql`${workspaceOf(scope)} * ${sql.lit(IDS)} + cast(${id} as integer)`;
const idOf = (scope: Scope) => sql<number>`rowid - ${workspaceOf(scope)} * ${sql.lit(IDS)}`;

/** `from` and `where`. */
function matching(scope: Scope, words: readonly string[]): RawBuilder<unknown> {
  const query = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' AND ');
  return sql`from contact_search where contact_search match ${query}
    and rowid between ${rowidOf(scope, 0)} and ${rowidOf(scope, IDS - 1)}`;
}

/** Whether the index has as many places as `search_key`, and those of `search_key` in its order. */
async function isIndexed(scope: Scope, { id, search_key }: IndexedText): Promise<boolean> {
  const places = Math.max(0, Array.from(search_key).length - (TRIGRAM - 1));
  const rows = await scope.run(sql<{ sz: Uint8Array }>`
    select sz from contact_search_docsize where id = ${rowidOf(scope, id)}`);
  const [stored] = rows;
  if (stored === undefined || readVarint(stored.sz) !== places) return false;
  if (places === 0) return true;
  const found = await scope.run(sql`
    select 1 from contact_search
    where contact_search match ${`"${toIndexed(search_key).replaceAll('"', '""')}"`} and rowid = ${rowidOf(scope, id)}`);
  return found.length === 1;
}

/** A number as SQLite stores it: seven bits in each byte, the highest first, and the eighth bit set in all but the last. */
function readVarint(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 127);
    if (byte < 128) return value;
  }
  return value;
}
