import type { Transaction } from '../database.ts';
import type { WorkspaceId } from '../schema/tables.ts';
import type { Scope } from '../scope.ts';
import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { must } from '#contract/values/must.ts';
import { iteratePages } from '../paging/iteratePages.ts';
import type { IndexedText, SearchIndex } from '../search/searchIndex.ts';
import { containsWord, containsWords } from '../search/textSearch.ts';
import { hashText, trigramKeys } from '../search/trigrams.ts';
import { newWriteMark } from '../changeLog/writeMark.ts';
import { together } from '../together.ts';
import { type SessionSettings, settingStatements } from './settings.ts';

/** Makes settings of the server until the transaction ends. Where tables are distributed, they reach other machines only as statements. */
async function setLocal(scope: Scope, settings: SessionSettings): Promise<void> {
  await together(settingStatements('set local', settings).map((statement) => scope.run(sql.raw(statement))));
}

// A table with the trigrams of each contact as numbers, which name the workspace too, and a GIN index of them. It has no text, so
// its rows may be read by all: only then is the index used (docs/decisions/0028-search-index.md).

/** Up to this many candidates are compared one by one; a scan of all is faster for more. */
const FOUND_MAX = 5_000;
/**
 * A scan with `like` takes less time than with `strpos` for a word as people type it, and more for a long one that nearly matches at
 * each place of a text. It is only for counting: the server takes such a match for rare, and would read all contacts for a page.
 */
const LIKE_MAX = 32;
/** Contacts that are written at once. */
const CHUNK = 2_000;

export const POSTGRES_SEARCH_INDEX: SearchIndex = {
  async write({ id, kysely }, texts) {
    await insertRows(id, texts).execute(kysely);
  },
  async remove(scope, ids) {
    await scope.update('workspace_heads').set({ search_mark: newWriteMark() }).execute();
    await scope.run(sql`
      delete from contact_search where workspace_id = ${scope.id} and contact_id = any(cast(${ids} as bigint[]))`);
  },
  async find(scope, words, condition) {
    const keys = [...new Set(words.flatMap((word) => trigramKeys(scope.id, word)))];
    // Reads have bitmap scans off, and this index has no others. With the sum, PostgreSQL does not read the whole workspace by the
    // primary key instead, whatever its statistics are. One statement for both tables, because each is a round trip. Each candidate has a
    // subquery of its own: under a policy the server may otherwise compare all contacts with the candidates, and find them by an index of
    // the condition.
    await setLocal(scope, { enable_bitmapscan: 'on', enable_seqscan: 'off' });
    const rows = await scope.run(sql<{ ids: number[] | null }>`
      select case when cardinality(candidates) <= ${sql.lit(FOUND_MAX)} then (
        select coalesce(json_agg(id), '[]') from unnest(candidates) as wanted (value) cross join lateral (
          select * from contacts where workspace_id = ${scope.id} and id = wanted.value limit 1
        ) as contacts where ${condition}
      ) end as ids
      from (
        select array(
          select contact_id from contact_search
          where workspace_id + 0 = ${scope.id} and trigrams @> cast(${keys} as integer[])
          limit ${sql.lit(FOUND_MAX + 1)}
        ) as candidates offset 0
      ) as found`);
    const { ids } = must(rows[0]);
    if (ids !== null) return ids;
    await setLocal(scope, { enable_bitmapscan: 'off', enable_seqscan: 'on' });
    return null;
  },
  containsWords: (words) =>
    containsWords<'contacts'>('search_key', words, (text, word) =>
      word.length > 1 && word.length <= LIKE_MAX ? sql`${text} like ${toPattern(word)}` : containsWord(text, word),
    ),
  toMatchingRows: (ids) => ({ condition: isOneOf(ids), keys: listIds(ids), total: ids.length, isIndexed: true }),
  async sum(scope) {
    const rows = iteratePages<{ contact_id: number; trigrams: string }>((last) =>
      scope.run(sql`
        select contact_id, array_to_string(trigrams, ',') as trigrams from contact_search
        where workspace_id = ${scope.id} and contact_id > ${last?.contact_id ?? 0}
        order by contact_id limit ${sql.lit(CHUNK)}`),
    );
    let sum = 0;
    for await (const { contact_id, trigrams } of rows) sum = (sum + hashText(`${contact_id} ${trigrams}`)) | 0;
    return sum;
  },
  sumOf: (scope, { id, search_key }) => hashText(`${id} ${trigramKeys(scope.id, search_key).join(',')}`),
  async rebuild(trx) {
    await sql`delete from contact_search`.execute(trx);
    const heads = await trx.selectFrom('workspace_heads').select('workspace_id').orderBy('workspace_id').execute();
    for (const { workspace_id: id } of heads) await rebuildWorkspace(trx, id);
  },
};

/** Where tables are distributed a statement names its workspace, so that it has one place. */
export const DISTRIBUTED_SEARCH_INDEX: SearchIndex = {
  ...POSTGRES_SEARCH_INDEX,
  async find(scope, words, condition) {
    const keys = [...new Set(words.flatMap((word) => trigramKeys(scope.id, word)))];
    await setLocal(scope, { enable_bitmapscan: 'on', enable_seqscan: 'off' });
    const rows = await scope.run(sql<{ ids: number[] | null }>`
      select case when cardinality(candidates) <= ${sql.lit(FOUND_MAX)} then (
        select coalesce(json_agg(id), '[]') from contacts
        where workspace_id = ${scope.id} and id = any(candidates) and ${condition}
      ) end as ids
      from (
        select array(
          select contact_id from contact_search
          where workspace_id = ${scope.id} and trigrams @> cast(${keys} as integer[])
          limit ${sql.lit(FOUND_MAX + 1)}
        ) as candidates offset 0
      ) as found`);
    const { ids } = must(rows[0]);
    if (ids !== null) return ids;
    await setLocal(scope, { enable_bitmapscan: 'off', enable_seqscan: 'on' });
    return null;
  },
};

async function rebuildWorkspace(trx: Transaction, workspaceId: WorkspaceId): Promise<void> {
  const contacts = iteratePages<IndexedText>(async (last) => {
    const rows = trx.selectFrom('contacts').select(['id', 'search_key']).where('workspace_id', '=', workspaceId);
    return rows
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(CHUNK)
      .execute();
  });
  let chunk: IndexedText[] = [];
  for await (const contact of contacts) {
    chunk.push(contact);
    if (chunk.length < CHUNK) continue;
    await insertRows(workspaceId, chunk).execute(trx);
    chunk = [];
  }
  if (chunk.length > 0) await insertRows(workspaceId, chunk).execute(trx);
}

const toPattern = (word: string) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
const listIds = (ids: readonly number[]) => sql`select unnest(cast(${ids} as bigint[])) as found`;
const isOneOf = (ids: readonly number[]) => sql<SqlBool>`id = any(cast(${ids} as bigint[]))`;

function insertRows(workspaceId: WorkspaceId, texts: readonly IndexedText[]): RawBuilder<unknown> {
  const rows = texts.map(({ id, search_key }) => ({ contact_id: id, trigrams: trigramKeys(workspaceId, search_key) }));
  const [row, ...others] = rows;
  const source =
    row !== undefined && others.length === 0
      ? sql`values (${workspaceId}, ${row.contact_id}, cast(${row.trigrams} as integer[]))`
      : sql`
    select head.workspace_id, given.contact_id, given.trigrams
    from workspace_heads as head, json_populate_recordset(null::contact_search, ${JSON.stringify(rows)}) as given
    where head.workspace_id = ${workspaceId}`;
  return sql`
    insert into contact_search (workspace_id, contact_id, trigrams) ${source}
    on conflict (workspace_id, contact_id) do update set trigrams = excluded.trigrams`;
}
