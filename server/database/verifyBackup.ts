import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/**
 * What is wrong with the copy of a database in `file`, in SQLite's words, after reading all of it; nothing when it is
 * whole. The file stays as it is, and nothing is written beside it.
 */
export function verifyBackup(file: string): string[] {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  const copy = new DatabaseSync(url, { readOnly: true });
  try {
    const faults = copy
      .prepare('pragma integrity_check')
      .all()
      .map((row) => String(row['integrity_check']));
    const orphans = copy.prepare('pragma foreign_key_check').all();
    if (orphans.length > 0) faults.push(`rows without the row they belong to: ${orphans.length}`);
    return faults.filter((fault) => fault !== 'ok');
  } catch (error) {
    return [(error as Error).message];
  } finally {
    copy.close();
  }
}
