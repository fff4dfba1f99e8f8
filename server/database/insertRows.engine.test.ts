import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { putContacts } from '../contacts/store.ts';
import { NOW, openTestDatabase } from '../testing/testDatabase.ts';
import { insertOwnRows } from './insertRows.ts';

const CONTROLS = Array.from({ length: 31 }, (_, index) => String.fromCodePoint(index + 1));
const TEXTS = [
  '',
  ' ',
  'null',
  'NULL',
  '{}',
  '{"a":[1]}',
  '"',
  String.raw`\n\u001e`,
  ',',
  '購入',
  '😀',
  '\u007f',
  '\uffff',
];

/** Texts of rows that are inserted at once. A text may stand between others, or for null, in what an engine is sent. */
const CASES: readonly (readonly (string | null)[])[] = [
  [null, ...TEXTS, null],
  [null],
  [''],
  ['', null],
  ...CONTROLS.flatMap((control) => [[control], ['a', `${control}b`, null, `b${control}`]]),
  // More than is sent at once, the last of which is a row by itself.
  [...Array.from({ length: 257 }, (_, index) => String(index % 10).repeat(4096)), '', null],
];

test('texts and nulls are stored as they are, however many rows are inserted at once', async () => {
  await using t = await openTestDatabase();
  await t.db.write(t.workspace, (scope) => putContacts(scope, [{ uuid: randomUUID(), attributes: {} }], NOW));
  const { id: contact_id } = await t.db.read(t.workspace, (scope) =>
    scope.select('contacts').select('id').executeTakeFirstOrThrow(),
  );
  for (const texts of CASES) {
    const rows = texts.map((digits, index) => ({ kind: 'custom' as const, key: String(index), contact_id, digits }));
    const stored = await t.db.write(t.workspace, async (scope) => {
      await insertOwnRows(scope, 'identities', rows);
      const found = await scope.select('identities').select(['key', 'digits']).execute();
      await scope.delete('identities').execute();
      return found.toSorted((one, other) => Number(one.key) - Number(other.key)).map(({ digits }) => digits);
    });
    expect(stored).toEqual(texts);
  }
});
