import { expect, test } from 'vitest';
import { NOW, openTestDatabase } from '../testing/testDatabase.ts';
import { findContact } from '../contacts/store.ts';
import { COMMAND } from '../database/author.ts';
import { BATCH_ROWS_MIN, emptyReport, importRows } from './importRows.ts';
import { resourceTransfers } from './resources.ts';
import type { ImportRow } from './readRows.ts';

const email = (number: number) => `c${number}@example.com`;

/** Fails in the middle of the second batch, like a disk that can no longer be read. */
async function* breakingOff(): AsyncGenerator<ImportRow> {
  for (let number = 0; number < BATCH_ROWS_MIN + 10; number++)
    yield { number, value: { attributes: { email: email(number) } }, size: 50 };
  throw new Error('The disk is broken.');
}

test.each([
  { strict: true, kept: 0 },
  { strict: false, kept: BATCH_ROWS_MIN },
])('a file that breaks off: $kept rows are kept when strict is $strict', async ({ strict, kept }) => {
  await using t = await openTestDatabase();
  const done: number[] = [];
  const importing = importRows({
    database: t.db,
    workspace: t.workspace,
    report: emptyReport(),
    rows: breakingOff(),
    prepare: resourceTransfers.contacts.prepare(NOW, COMMAND),
    strict,
    onBadLine: () => {},
    onProgress: (rows) => done.push(rows),
  });
  await expect(importing).rejects.toThrow('The disk is broken.');
  expect(done).toEqual([BATCH_ROWS_MIN]);
  const found = await Promise.all(
    [0, BATCH_ROWS_MIN - 1, BATCH_ROWS_MIN].map((number) => findContact(t.workspace, t.db, email(number))),
  );
  expect(found.map((contact) => contact !== null)).toEqual([kept > 0, kept > 0, false]);
});
