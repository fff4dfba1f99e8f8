import { CompiledQuery } from 'kysely';

/**
 * A statement that runs once with each list of values: SQLite does that faster than one statement with many rows. Its result has the
 * rows of all runs, or the number of changes of each.
 */
export function runEach(statement: string, lists: unknown[][]): CompiledQuery {
  return CompiledQuery.raw(statement, lists);
}
