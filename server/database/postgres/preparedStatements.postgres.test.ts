import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createTestStorage } from '../../testing/testDatabase.ts';
import { runStatement } from './preparedStatements.ts';

async function connect(url: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

test('the first result of a statement and those after it have the same rows', async () => {
  await using storage = await createTestStorage();
  await using client = await connect(storage.url);
  const text = `select * from (values (1, null, true, '9007199254740993'::bigint, 'x'), (2, 'y', null, 5, null)) as t (a, b, c, d, "__proto__")`;
  const run = async () => (await runStatement(client, { text, values: [], name: 's0' })).rows;
  const first = await run();
  expect(first).toHaveLength(2);
  expect(first).toMatchObject([
    { a: 1, b: null, c: true },
    { a: 2, b: 'y', c: null },
  ]);
  for (let again = 0; again < 2; again++) expect(await run()).toEqual(first);
});

test('a statement that cannot be sent is refused, and those after it run', async () => {
  await using storage = await createTestStorage();
  await using client = await connect(storage.url);
  await runStatement(client, { text: 'select 1 as one', values: [], name: 's0' });
  await expect(runStatement(client, { text: 'select 2 as two', values: [], name: 's0' })).rejects.toThrow(/unique/);
  const { rows } = await runStatement(client, { text: 'select 3 as three', values: [], name: 's1' });
  expect(rows).toEqual([{ three: 3 }]);
});

test('rows of what goes ahead are not those of the statement', async () => {
  await using storage = await createTestStorage();
  await using client = await connect(storage.url);
  const ahead = { name: 'ahead', text: 'select 1 as ahead', values: [] };
  const run = () =>
    runStatement(
      client,
      { text: 'select 2 as own', values: [], name: 's0' },
      { statements: [ahead], isPrepared: false },
    );
  for (let again = 0; again < 2; again++) expect((await run()).rows).toEqual([{ own: 2 }]);
});
