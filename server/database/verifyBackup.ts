import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/**
 * What is wrong with the copy of a database in `file`, in SQLite's words, after reading all of it; nothing when it is
 * whole. The file stays as it is, and nothing is written beside it.
 */
export function verifyBackup(file: string): string[] {
  try {
    return reading(file, (copy) => {
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
export function schemaOf(file: string): number | null {
  return reading(file, (copy) => {
    const isOurs = copy.prepare(`select 1 from sqlite_schema where name = 'schema_versions'`).get();
    if (isOurs === undefined) return null;
    return Number(copy.prepare('select max(version) as version from schema_versions').get()?.['version']) || null;
  });
}

function reading<Result>(file: string, read: (copy: DatabaseSync) => Result): Result {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  const copy = new DatabaseSync(url, { readOnly: true });
  try {
    return read(copy);
  } finally {
    copy.close();
  }
}
