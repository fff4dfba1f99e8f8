import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test, vi } from 'vitest';
import { openDatabase } from '../database/openDatabase.ts';
import { createFileStorage } from '../testing/testDatabase.ts';

afterEach(() => void vi.restoreAllMocks());

async function openWith(version: string): Promise<string> {
  // oxlint-disable-next-line typescript/unbound-method -- it is called on its database below
  const { prepare } = DatabaseSync.prototype;
  vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (this: DatabaseSync, sql) {
    return prepare.call(this, sql.replace('sqlite_version()', `'${version}'`));
  });
  await using place = await createFileStorage();
  return openDatabase(place.url).then(
    (database) => database.close().then(() => 'opened'),
    ({ message }: Error) => message,
  );
}

test.each(['3.40.1', '3.51.2', '2.99.99'])(
  'SQLite %s, which can lose data, is refused with a message',
  async (version) => {
    expect(await openWith(version)).toBe(
      `SQLite ${version} can lose data in the way Sendroom uses it: 3.51.3 or later is needed.`,
    );
  },
);

test.each(['3.51.3', '3.52.0', '4.0.0'])('SQLite %s is accepted', async (version) => {
  expect(await openWith(version)).toBe('opened');
});
