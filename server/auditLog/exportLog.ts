import { sql } from 'kysely';
import { iterateLines, ITERATION_PAGE_SIZE } from '../database/paging/iteratePages.ts';
import { HASHED_COLUMNS, type HashedLine } from '../database/changeLog/logChain.ts';
import type { Scope } from '../database/scope.ts';

/** A line with all that its hash is of. What it says is null where there is nothing, or it was erased; only an erasure has `erasure`. */
type ExportedLine = Omit<HashedLine, 'erasure'> & {
  erasure?: string;
  hash: string;
  values: { salt: string; summary: string; changes: string } | null;
};

type StoredLine = HashedLine & { hash: string; salt: string | null; summary: string | null; changes: string | null };

const COLUMNS = sql.join(
  [...HASHED_COLUMNS, 'erasure', 'hash'].map((column) => sql`changes.${sql.ref(column)} as ${sql.ref(column)}`),
);

/** The lines with a greater number than `after` as JSON, a page at a time, oldest first, in the form that docs/admin.md describes. */
export function exportLog(scope: Scope, after = 0): AsyncGenerator<string[]> {
  return iterateLines<StoredLine>(
    (last) =>
      scope.run(sql<StoredLine>`
        select ${COLUMNS}, salt, summary, change_values.changes as changes
        from changes left join change_values
          on change_values.workspace_id = changes.workspace_id and change_values.number = changes.number
        where changes.workspace_id = ${scope.id} and changes.number > ${last?.number ?? after}
        order by changes.number limit ${sql.lit(ITERATION_PAGE_SIZE)}`),
    (rows) => rows.map((row) => JSON.stringify(lineOf(row))),
  );
}

function lineOf({ salt, summary, changes, erasure, hash, ...line }: StoredLine): ExportedLine {
  const hasValues = salt !== null && summary !== null && changes !== null;
  const values = hasValues ? { salt, summary, changes } : null;
  return { ...line, ...(erasure !== null && { erasure }), hash, values };
}
