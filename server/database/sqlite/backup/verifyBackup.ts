import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { must } from '#contract/values/must.ts';
import { findFileErrors } from '../verifyFile.ts';
import { createSqliteKysely } from '../sqliteKysely.ts';

/**
 * Reads the whole backup in `file`, and gives its errors in the words of SQLite; none where it is intact. The file is not changed,
 * and nothing is written next to it.
 */
export async function verifyBackup(file: string): Promise<string[]> {
  try {
    return await withBackup(file, (copy) => {
      const errors = copy
        .prepare('pragma integrity_check')
        .all()
        .map((row) => String(row['integrity_check']));
      // Not events: an unfinished erasure leaves them. schema/derived.ts finds all others.
      const orphans = copy.prepare(`select 1 from pragma_foreign_key_check where "table" <> 'events'`).all();
      if (orphans.length > 0) errors.push(`rows without the row they belong to: ${orphans.length}`);
      return errors.filter((error) => error !== 'ok');
    });
  } catch (error) {
    return [(error as Error).message];
  }
}

/** The version of the schema of an intact backup (migrations.ts); null where it is no database of Sendroom. */
export function readSchemaVersion(file: string): Promise<number | null> {
  return withBackup(file, (copy) => {
    const isOurs = copy
      .prepare(
        `select 1 from sqlite_schema as made, pragma_table_xinfo(made.name) as info
         where made.type = 'table' and made.name = 'schema_versions' and info.name = 'version'`,
      )
      .get();
    if (isOurs === undefined) return null;
    const version = Number(must(copy.prepare('select max(version) as version from schema_versions').get())['version']);
    return version > 0 ? version : null;
  });
}

/** The errors in schema and values of an intact backup with the schema `version`, one sentence each (verifyFile.ts). */
export function findBackupErrors(file: string, version: number): Promise<string[]> {
  return withBackup(file, (copy) => findFileErrors(createSqliteKysely(copy), version));
}

async function withBackup<Result>(
  file: string,
  read: (copy: DatabaseSync) => Result | Promise<Result>,
): Promise<Result> {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  const copy = new DatabaseSync(url, { readOnly: true });
  try {
    return await read(copy);
  } finally {
    copy.close();
  }
}
