import { expect, test } from 'vitest';
import { NOW, openTestDatabase } from '../testing/testDatabase.ts';
import { findContact, putContacts } from '../contacts/store.ts';
import type { ImportedContact } from '../contacts/addContacts.ts';
import { BATCH_ROWS_MIN, emptyReport, importRows } from './importRows.ts';
import type { LineSource } from './lineBatches.ts';

const email = (number: number) => `c${number}@example.com`;

/** Fails with the second batch, like a disk that can no longer be read. */
function breakingOff(): LineSource {
  let batches = 0;
  return {
    async next(rowsMax) {
      if (batches++ > 0) throw new Error('The disk is broken.');
      const rows = Array.from({ length: rowsMax }, (_, number) => {
        return { number, line: { attributes: { email: email(number) } } };
      });
      return { rows: JSON.stringify(rows), share: null };
    },
  };
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
    lines: breakingOff(),
    put: (scope, lines) => putContacts(scope, lines as readonly ImportedContact[], NOW),
    log: () => Promise.resolve(),
    strict,
    onBadLine: () => {},
    onUnlogged: () => {},
    onProgress: (rows) => done.push(rows),
  });
  await expect(importing).rejects.toThrow('The disk is broken.');
  expect(done).toEqual([BATCH_ROWS_MIN]);
  const found = await Promise.all(
    [0, BATCH_ROWS_MIN - 1, BATCH_ROWS_MIN].map((number) => findContact(t.workspace, t.db, email(number))),
  );
  expect(found.map((contact) => contact !== null)).toEqual([kept > 0, kept > 0, false]);
});
