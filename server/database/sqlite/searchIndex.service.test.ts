import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileStorage, NOW, type TestStorage } from '../../testing/testDatabase.ts';
import { createWorkspace } from '../../workspaces/store.ts';
import type { Database } from '../database.ts';
import { openDatabase } from '../openDatabase.ts';
import { rebuildSearchIndex, writeSearchTexts } from '../search/searchContacts.ts';
import type { Workspace } from '../workspace.ts';

// The search index of SQLite is merged by small steps: docs/decisions/0028-search-index.md.

let place: TestStorage;
let db: Database;
let own: Workspace;
beforeEach(async () => {
  place = await createFileStorage();
  db = await openDatabase(place.url);
  own = await createWorkspace(db, { name: 'Acme', identity_field: null }, NOW);
});
afterEach(async () => {
  await db.close();
  await place[Symbol.asyncDispose]();
});

let id = 100_000;
/** Writes texts of which no two have many trigrams in common. */
function write(count: number): Promise<void> {
  const texts = Array.from({ length: count }, () => {
    const digits = (++id * 2_654_435_761) % 2 ** 32;
    return [id, `${digits.toString(36)} ${(digits * 7919).toString(36)} ${(digits * 104_729).toString(36)}`] as const;
  });
  return db.write(own, (scope) => writeSearchTexts(scope, new Map(texts)));
}

/** The pages of the index. Their numbers begin with that of their segment. */
async function readPages(): Promise<number[]> {
  // Those up to 10 are no pages.
  const { rows } = await sql<{ id: number }>`select id from contact_search_data where id > 10`.execute(
    db.unscoped.kysely,
  );
  return rows.map((row) => row.id);
}

const segmentOf = (page: number) => Math.floor(page / 2 ** 37);

/** The most pages that one of many small writes adds. */
async function readMostWritten(): Promise<number> {
  const written: number[] = [];
  let before = await readPages();
  for (let turn = 0; turn < 100; turn++) {
    await write(1);
    const after = await readPages();
    written.push(new Set(after).difference(new Set(before)).size);
    before = after;
  }
  return Math.max(...written);
}
/** Those of a step, that of the text, and the rest of a trigram. */
const WRITTEN_MAX = 72;

test('no write merges all that earlier ones left', async () => {
  for (let batch = 0; batch < 45; batch++) await write(400);
  expect((await readPages()).length).toBeGreaterThan(10 * WRITTEN_MAX);
  expect(await readMostWritten()).toBeLessThanOrEqual(WRITTEN_MAX);
});

test.each([
  ['small', 400, 1],
  ['large', 60, 1_000],
])('many %s writes leave few segments, which a search has to read each', async (_, writes, texts) => {
  for (let turn = 0; turn < writes; turn++) await write(texts);
  // As many of each of three levels as are merged into one, and those since the last step.
  expect(new Set((await readPages()).map(segmentOf)).size).toBeLessThanOrEqual(32);
});

test('a rebuilt index is merged, and no write after it merges all of it', async () => {
  await db.write(own, ({ id: workspace, kysely }) =>
    sql`
      insert into contacts (workspace_id, id, uuid, subscribed, attributes, created_at, updated_at, email_key,
        first_name_key, last_name_key, company_key, search_key)
      with recursive numbers as (select 1 as n union all select n + 1 from numbers where n < 8000)
      select ${workspace}, n, 'uuid ' || n, 1, '{}', ${NOW}, ${NOW}, '', '', '', '', hex(randomblob(150)) from numbers`.execute(
      kysely,
    ),
  );
  await db.unscoped.write(rebuildSearchIndex);
  const sizes = [...Map.groupBy(await readPages(), segmentOf).values()].map(({ length }) => length);
  // One, of a level that the segments of later writes reach last.
  expect(sizes).toHaveLength(1);
  // Unmerged they have some 200.
  expect(Math.max(...sizes)).toBeGreaterThan(400);
  expect(await readMostWritten()).toBeLessThanOrEqual(WRITTEN_MAX);
});
