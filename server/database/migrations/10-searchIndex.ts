import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { type Migration, rejectOtherProcesses, required } from './migration.ts';

/** Rows that are folded at once. */
const ROWS = 500;
/** Contacts that are indexed at once. */
const CONTACTS = 2_000;

/** Folds accents in what is searched, and adds the search index of contacts (docs/decisions/0028-search-index.md). */
export const searchIndex: Migration = async (trx, dialect) => {
  const { hasRowSecurity } = dialect;
  // A process from before this step does not write the index.
  await rejectOtherProcesses(trx, dialect, 'would add contacts that a search does not find');
  await foldColumn(trx, 'contacts', 'search_key', ['workspace_id', 'id']);
  await foldColumn(trx, 'event_names', 'name_key', ['workspace_id', 'contact_id', 'event_name']);
  if (hasRowSecurity) {
    await createTable(trx);
    await fillTable(trx);
    // After the rows: one by one would take ten times as long. A short list of rows that are not in it yet keeps searches fast.
    await sql`
      create index contact_search_by_trigrams on contact_search using gin (trigrams)
      with (gin_pending_list_limit = 256)`.execute(trx);
  } else {
    await sql`
      create virtual table contact_search using fts5(
        text, content='', contentless_delete=1, tokenize="trigram case_sensitive 1"
      )`.execute(trx);
    await sql`
      insert into contact_search (rowid, text)
      select workspace_id * 4294967296 + id, replace(search_key, ${sql.lit('\n')}, ' ') from contacts
      order by workspace_id, id`.execute(trx);
  }
};

/** Folds again what has more than ASCII: without case it is folded already. */
async function foldColumn(
  trx: Kysely<Tables>,
  table: 'contacts' | 'event_names',
  column: string,
  key: readonly string[],
): Promise<void> {
  const keys = sql.join(key.map((name) => sql.ref(name)));
  let last: readonly unknown[] | null = null;
  for (;;) {
    const after: ReturnType<typeof sql> = last === null ? sql`true` : sql`(${keys}) > (${sql.join(last)})`;
    const { rows }: { rows: Record<string, unknown>[] } = await sql<Record<string, unknown>>`
      select ${keys}, ${sql.ref(column)} as text from ${sql.table(table)}
      where ${after} and octet_length(${sql.ref(column)}) > length(${sql.ref(column)})
      order by ${keys} limit ${sql.lit(ROWS)}`.execute(trx);
    for (const row of rows) {
      const folded = foldSearch(String(row['text']));
      if (folded === row['text']) continue;
      const isRow = sql.join(
        key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
        sql` and `,
      );
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${folded} where ${isRow}`.execute(trx);
    }
    const end = rows.at(-1);
    if (end === undefined) return;
    last = key.map((name) => end[name]);
  }
}

async function createTable(trx: Kysely<Tables>): Promise<void> {
  await trx.schema
    .createTable('contact_search')
    .addColumn('workspace_id', 'bigint', required)
    .addColumn('contact_id', 'bigint', required)
    .addColumn('trigrams', sql`integer[]`, required)
    .addPrimaryKeyConstraint('contact_search_by_contact', ['workspace_id', 'contact_id'])
    .execute();
  // Its rows are written by their workspace only. They have no text, and are read by all: under a policy that compares them,
  // PostgreSQL would read each row before it compares trigrams, so it would never use their index.
  const isOwn = sql.raw(`(workspace_id = nullif(nullif(current_setting('sendroom.workspace', true), ''), '*')::bigint
    or current_setting('sendroom.workspace', true) = '*')`);
  await sql`alter table contact_search enable row level security, force row level security`.execute(trx);
  await sql`create policy searched on contact_search for select using (true)`.execute(trx);
  await sql`create policy added on contact_search for insert with check (${isOwn})`.execute(trx);
  await sql`create policy changed on contact_search for update using (${isOwn})`.execute(trx);
  await sql`create policy removed on contact_search for delete using (${isOwn})`.execute(trx);
}

type StoredText = { workspace_id: number; id: number; search_key: string };

async function fillTable(trx: Kysely<Tables>): Promise<void> {
  let last = { workspace_id: 0, id: 0 };
  for (;;) {
    const { rows }: { rows: StoredText[] } = await sql<StoredText>`
      select workspace_id, id, search_key from contacts where (workspace_id, id) > (${last.workspace_id}, ${last.id})
      order by workspace_id, id limit ${sql.lit(CONTACTS)}`.execute(trx);
    const end = rows.at(-1);
    if (end === undefined) return;
    const json = JSON.stringify(
      rows.map(({ workspace_id, id, search_key }) => {
        return { workspace_id, contact_id: id, trigrams: trigramKeys(workspace_id, search_key) };
      }),
    );
    await sql`
      insert into contact_search (workspace_id, contact_id, trigrams)
      select workspace_id, contact_id, trigrams from json_populate_recordset(null::contact_search, ${json})`.execute(
      trx,
    );
    last = end;
  }
}

// As they were when this step was released.

const MARKS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;
const SPELLINGS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  þ: 'th',
  ς: 'σ',
  '‘': "'",
  '’': "'",
  ʼ: "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '‐': '-',
  '–': '-',
  '—': '-',
};
const SPELLED = new RegExp(`[${Object.keys(SPELLINGS).join('')}]`, 'g');

export function foldSearch(text: string): string {
  const lower = text.toLowerCase();
  // oxlint-disable-next-line no-control-regex -- all of ASCII
  if (/^[\0-\x7f]*$/.test(lower)) return lower;
  // Lower case again, because what is decomposed may have capitals: "™" is "TM".
  const plain = lower.normalize('NFKD').replaceAll(MARKS, '').toLowerCase();
  return plain.replaceAll(SPELLED, (letter) => SPELLINGS[letter] ?? letter);
}

export function trigramKeys(workspaceId: number, text: string): number[] {
  const seed = Math.imul(workspaceId, 0x9e3779b1);
  const keys = new Set<number>();
  for (const part of text.split(/\s/)) {
    const points = Array.from(part, (character) => character.codePointAt(0) ?? 0);
    let [first = 0, second = 0] = points;
    for (const third of points.slice(2)) {
      keys.add(mix(mix(mix(seed, first), second), third));
      [first, second] = [second, third];
    }
  }
  return Array.from(keys).toSorted((one, other) => one - other);
}

function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) | 0;
}
