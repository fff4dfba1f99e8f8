import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { findFileErrors } from './checkFile.ts';
import { createSqliteKysely } from './sqliteKysely.ts';

/**
 * What is wrong with the copy of a database in `file`, in SQLite's words, after reading all of it; nothing when it is
 * whole. The file stays as it is, and nothing is written beside it.
 */
export async function verifyBackup(file: string): Promise<string[]> {
  try {
    return await withBackup(file, (copy) => {
      const faults = copy
        .prepare('pragma integrity_check')
        .all()
        .map((row) => String(row['integrity_check']));
      const orphans = copy.prepare('pragma foreign_key_check').all();
      if (orphans.length > 0) faults.push(`rows without the row they belong to: ${orphans.length}`);
      return faults.filter((fault) => fault !== 'ok');
    });
  } catch (error) {
    return [(error as Error).message];
  }
}

/** The schema that a whole copy has (migrations.ts); null when it is no database of Sendroom. */
export function readSchemaVersion(file: string): Promise<number | null> {
  return withBackup(file, (copy) => {
    const isOurs = copy
      .prepare(
        `select 1 from sqlite_schema as made, pragma_table_xinfo(made.name) as info
         where made.type = 'table' and made.name = 'schema_versions' and info.name = 'version'`,
      )
      .get();
    if (isOurs === undefined) return null;
    const version = Number(copy.prepare('select max(version) as version from schema_versions').get()?.['version']);
    return version > 0 ? version : null;
  });
}

/** What a whole copy with the schema `version` has or holds that Sendroom never makes or writes, in one sentence each (checkFile.ts). */
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
