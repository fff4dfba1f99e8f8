import { expect, test } from 'vitest';
import { listTables, TABLE_DESCRIPTIONS } from '../schema/tableDescriptions.ts';

test('each table with contents has its workspace in its key, without which a publication refuses its updates', () => {
  const others = listTables(({ holds }) => holds === 'content').filter(
    (table) => TABLE_DESCRIPTIONS[table].primaryKey[0] !== 'workspace_id',
  );
  expect(others).toEqual([]);
});
