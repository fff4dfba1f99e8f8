import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Transaction } from '../database.ts';
import type { Scope } from '../scope.ts';
import type { SearchIndex } from '../search/searchIndex.ts';
import { must } from '#contract/values/must.ts';
import { containsWords } from '../search/textSearch.ts';
import { newWriteMark } from '../changeLog/writeMark.ts';
import { runEach } from './runEach.ts';
import { hashText, mix, TRIGRAM } from '../search/trigrams.ts';

// Where the search index of SQLite has the contacts of a workspace.

/** Ids of one workspace. */
const IDS_OF_WORKSPACE = 2 ** 32;

const workspaceOf = ({ id }: Scope): RawBuilder<number> => sql`cast(${id} as integer)`;

const rowidOf = (scope: Scope, id: number): RawBuilder<number> =>
  sql`${workspaceOf(scope)} * ${sql.lit(IDS_OF_WORKSPACE)} + cast(${id} as integer)`;

/** The id of the contact with a rowid. */
const idOf = (scope: Scope, rowid: string): RawBuilder<number> =>
  sql`${sql.ref(rowid)} - ${workspaceOf(scope)} * ${sql.lit(IDS_OF_WORKSPACE)}`;

/** A condition: the rowid in `column` is one of the workspace. */
const isOwn = (scope: Scope, column: string): RawBuilder<boolean> =>
  sql`${sql.ref(column)} between ${rowidOf(scope, 0)} and ${rowidOf(scope, IDS_OF_WORKSPACE - 1)}`;

/** A phrase may begin in one field and end in the next, as first and last name do. */
function toIndexed(searchKey: string): string {
  return searchKey.replaceAll('\n', ' ');
}

// A table of FTS5 (https://sqlite.org/fts5.html) that has the three characters at each place of the text, not the text. Its rowid
// begins with the workspace, so that a search reads nothing of other workspaces.

/** Up to this many found contacts are compared one by one and sorted. More are counted in the index. */
const FOUND_MAX = 5_000;
/** One in so many writes merges: each step reads and writes the list of segments, which costs as much as the write. */
const WRITES_PER_MERGE = 8;
/** Pages of 4 kB that it merges: several times as many as were added, because each level writes them again. */
const MERGED_PAGES = 64;
/** One page more is merged for so many texts. Written together, some fifteen of them add one. */
const TEXTS_OF_MERGED_PAGE = 4;
/** Segments that are merged into one, as schema.ts sets it for the steps. */
const MERGED_SEGMENTS = 8;

/** Texts that this process wrote since the last step. */
let unmerged = 0;

export const SQLITE_SEARCH_INDEX: SearchIndex = {
  async write(scope, texts) {
    await scope.kysely.executeQuery(
      runEach(
        `insert or replace into contact_search (rowid, text)
         values (cast(? as integer) * ${IDS_OF_WORKSPACE} + cast(? as integer), ?)`,
        texts.map(({ id, search_key }) => [scope.id, id, toIndexed(search_key)]),
      ),
    );
    unmerged += texts.length;
    if (unmerged >= WRITES_PER_MERGE) await mergeStep(scope);
  },
  async remove(scope, ids) {
    await scope.update('workspace_heads').set({ search_mark: newWriteMark() }).execute();
    for (const id of ids) await scope.run(sql`delete from contact_search where rowid = ${rowidOf(scope, id)}`);
  },
  async find(scope, words, condition) {
    // In one row: each row of a result takes as long as finding it.
    const rows = await scope.run(sql<{ count: number; ids: string }>`
      select count(*) as count, json_group_array(id) as ids from (
        select ${idOf(scope, 'rowid')} as id ${matching(scope, words)} limit cast(${FOUND_MAX + 1} as integer))`);
    const { count, ids } = must(rows[0]);
    if (count > FOUND_MAX) return null;
    return count === 0 ? [] : filterIds(scope, ids, condition);
  },
  containsWords: (words) => containsWords<'contacts'>('search_key', words),
  toMatchingRows: (ids) => ({
    condition: sql`id in (${listIds(JSON.stringify(ids))})`,
    keys: listIds(JSON.stringify(ids)),
    total: ids.length,
    isIndexed: true,
  }),
  sum: sumPlaces,
  sumOf(_, { id, search_key }) {
    const characters = Array.from(toIndexed(search_key));
    let sum = 0;
    for (let at = 0; at + TRIGRAM <= characters.length; at++) {
      sum = (sum + mix(mix(hashText(characters.slice(at, at + TRIGRAM).join('')), id), at)) | 0;
    }
    return sum;
  },
  async rebuild(trx) {
    await sql`insert into contact_search (contact_search) values ('delete-all')`.execute(trx);
    // Merged automatically meanwhile: by the steps of later writes it would take thousands.
    await configure(trx, 'automerge', MERGED_SEGMENTS);
    await sql`
      insert into contact_search (rowid, text)
      select workspace_id * ${sql.lit(IDS_OF_WORKSPACE)} + id, replace(search_key, ${sql.lit('\n')}, ' ') from contacts
      order by workspace_id, id`.execute(trx);
    await configure(trx, 'automerge', 0);
    // It becomes one segment with its own level. Otherwise some thousand small writes would merge it again.
    await sql`insert into contact_search (contact_search) values ('optimize')`.execute(trx);
  },
};

const configure = (trx: Transaction, name: string, value: number) =>
  sql`insert into contact_search (contact_search, rank) values (${name}, cast(${value} as integer))`.execute(trx);

/** Merges some of the earlier writes. It ends between trigrams: one that very many contacts have is written whole. */
async function mergeStep(scope: Scope): Promise<void> {
  const pages = MERGED_PAGES + Math.ceil(unmerged / TEXTS_OF_MERGED_PAGE);
  unmerged = 0;
  await scope.run(sql`insert into contact_search (contact_search, rank) values ('merge', cast(${pages} as integer))`);
}

async function filterIds(scope: Scope, ids: string, condition: RawBuilder<SqlBool>): Promise<number[]> {
  // SQLite assumes small workspaces: with `in` it would scan another index instead of looking up each id.
  const rows = await scope.run(sql<{ id: number }>`
    select id from (${listIds(ids)}) cross join contacts
    where workspace_id = ${scope.id} and id = found and (${condition}) is true`);
  return rows.map(({ id }) => id);
}

/** A checksum of all places (contact and offset) of all trigrams. */
async function sumPlaces(scope: Scope): Promise<number> {
  await scope.run(sql`create virtual table if not exists temp.search_terms using fts5vocab(main, contact_search, row)`);
  await scope.run(sql`
    create virtual table if not exists temp.search_places using fts5vocab(main, contact_search, instance)`);
  let sum = 0;
  for (const { term } of await scope.run(sql<{ term: string }>`select term from temp.search_terms`)) {
    // In one row: each row of a result takes as long as reading it.
    const rows = await scope.run(sql<{ ids: string; offsets: string }>`
      select json_group_array(${idOf(scope, 'doc')}) as ids, json_group_array("offset") as offsets
      from temp.search_places where term = ${term} and ${isOwn(scope, 'doc')}`);
    const { ids, offsets } = must(rows[0]);
    const hash = hashText(term);
    const at = JSON.parse(offsets) as number[];
    (JSON.parse(ids) as number[]).forEach((id, index) => (sum = (sum + mix(mix(hash, id), must(at[index]))) | 0));
  }
  return sum;
}

/** `ids` as JSON. */
const listIds = (ids: string) => sql`select value as found from json_each(${ids})`;

/** `from` and `where`. */
function matching(scope: Scope, words: readonly string[]): RawBuilder<unknown> {
  const query = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' AND ');
  return sql`from contact_search where contact_search match ${query}
    and ${isOwn(scope, 'rowid')}`;
}
