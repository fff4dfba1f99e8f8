import { sql, type SqlBool } from 'kysely';
import { isObject, parseJson } from '#contract/values/json.ts';
import type { Database } from '../../database/database.ts';
import { EXPORT_PAGE_SIZE } from '../../database/paging/iteratePages.ts';
import type { Workspace } from '../../database/workspace.ts';
import type { SpanRow } from './moveSpans.ts';
import { unpackEvidence } from './storedEvidence.ts';

/** Names domains with spans that the console can't show, because their finding, evidence or earlier values can't be read. */
export async function verifySpans(
  workspace: Workspace,
  db: Database,
  onRows: (rows: number) => void,
): Promise<string[]> {
  const wrong = new Set<string>();
  let last: SpanRow | null = null;
  for (let count = 0; ;) {
    const after: ReturnType<typeof sql<SqlBool>> =
      last === null
        ? sql<SqlBool>`true`
        : sql<SqlBool>`(domain_uuid, subject, started_at) > (${last.domain_uuid}, ${last.subject}, ${last.started_at})`;
    const rows: SpanRow[] = await db.read(workspace, (scope) =>
      scope
        .select('domain_spans')
        .selectAll()
        .where(after)
        .orderBy('domain_uuid')
        .orderBy('subject')
        .orderBy('started_at')
        .limit(EXPORT_PAGE_SIZE)
        .execute(),
    );
    for (const row of rows) if (!isReadable(row)) wrong.add(`${row.subject} of domain ${row.domain_uuid}`);
    onRows((count += rows.length));
    last = rows.at(-1) ?? null;
    if (rows.length < EXPORT_PAGE_SIZE) break;
  }
  return Array.from(wrong, (what) => `There is an unreadable span, about ${what}.`);
}

function isReadable({ finding, evidence, previous_found }: SpanRow): boolean {
  const parsed = parseJson(finding);
  if (!isObject(parsed) || !('found' in parsed) || !Array.isArray(parsed.found)) return false;
  if (previous_found !== null && !Array.isArray(parseJson(previous_found))) return false;
  try {
    unpackEvidence(evidence);
    return true;
  } catch {
    return false;
  }
}
