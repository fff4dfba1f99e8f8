import { sql } from 'kysely';
import { must } from '#contract/values/must.ts';
import type { Scope } from '../scope.ts';
import type { FindDifferences, IndexedText } from '../search/searchIndex.ts';
import { TRIGRAM } from '../search/trigrams.ts';
import { idOf, isOwn, rowidOf, toIndexed } from './searchIndexRows.ts';

// The index has a list of places for each trigram, so finding all places of one contact is a walk in as many lists: 6 ms at a
// million contacts. So each list is read once, and makes a checksum of the places of each contact. Only a contact whose
// text has another one, because its index is wrong or it was changed since, is looked up by itself.

/** Reads all places of the workspace, list by list. */
export async function openComparison(scope: Scope): Promise<FindDifferences> {
  const sums = await sumPlaces(scope);
  return async (scope, texts) => {
    const places = await countPlaces(scope, texts);
    const different = new Set<number>();
    for (const text of texts) {
      const trigrams = trigramsOf(text);
      const isRight =
        places.get(text.id) === trigrams.length &&
        (trigrams.length === 0 || sums[text.id] === sumOf(trigrams) || (await isIndexed(scope, text)));
      if (!isRight) different.add(text.id);
    }
    return different;
  };
}

/** A checksum for each contact, by id. */
async function sumPlaces(scope: Scope): Promise<Int32Array> {
  await scope.run(sql`create virtual table if not exists temp.search_terms using fts5vocab(main, contact_search, row)`);
  await scope.run(sql`
    create virtual table if not exists temp.search_places using fts5vocab(main, contact_search, instance)`);
  const last = await scope.run(sql<{ id: number }>`
    select ${idOf(scope, 'id')} as id from contact_search_docsize where ${isOwn(scope, 'id')} order by id desc limit 1`);
  const sums = new Int32Array((last[0]?.id ?? -1) + 1);
  for (const { term } of await scope.run(sql<{ term: string }>`select term from temp.search_terms`)) {
    // In one row: each row of a result takes as long as reading it.
    const rows = await scope.run(sql<{ ids: string; offsets: string }>`
      select json_group_array(${idOf(scope, 'doc')}) as ids, json_group_array("offset") as offsets
      from temp.search_places where term = ${term} and ${isOwn(scope, 'doc')}`);
    const { ids, offsets } = must(rows[0]);
    const hash = hashOf(term);
    const at = JSON.parse(offsets) as number[];
    (JSON.parse(ids) as number[]).forEach((id, index) => {
      sums[id] = must(sums[id]) + mix(hash, must(at[index]));
    });
  }
  return sums;
}

/** How many places the index says that each of the contacts has, by id. */
async function countPlaces(scope: Scope, texts: readonly IndexedText[]): Promise<Map<number, number>> {
  const [first, last] = [texts[0], texts.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const rows = await scope.run(sql<{ id: number; sz: Uint8Array }>`
    select ${idOf(scope, 'id')} as id, sz from contact_search_docsize
    where id between ${rowidOf(scope, first.id)} and ${rowidOf(scope, last.id)}`);
  return new Map(rows.map(({ id, sz }) => [id, readVarint(sz)]));
}

/** Whether the index has the places of `search_key` in its order. */
async function isIndexed(scope: Scope, { id, search_key }: IndexedText): Promise<boolean> {
  const found = await scope.run(sql`
    select 1 from contact_search
    where contact_search match ${`"${toIndexed(search_key).replaceAll('"', '""')}"`} and rowid = ${rowidOf(scope, id)}`);
  return found.length === 1;
}

/** The trigrams of a text, in its order. */
function trigramsOf({ search_key }: IndexedText): string[] {
  const characters = Array.from(toIndexed(search_key));
  return characters.slice(TRIGRAM - 1).map((_, at) => characters.slice(at, at + TRIGRAM).join(''));
}

const sumOf = (trigrams: readonly string[]) =>
  trigrams.reduce((sum, trigram, at) => (sum + mix(hashOf(trigram), at)) | 0, 0);

function hashOf(term: string): number {
  let hash = 0;
  for (let at = 0; at < term.length; at++) hash = mix(hash, term.charCodeAt(at));
  return hash;
}

/** A step of a hash of 32 bits. */
function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) | 0;
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
