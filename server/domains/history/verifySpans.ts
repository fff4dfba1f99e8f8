import { isObject, parseJson } from '#contract/values/json.ts';
import type { Database } from '../../database/database.ts';
import { EXPORT_PAGE_SIZE } from '../../database/paging/iteratePages.ts';
import type { Workspace } from '../../database/workspace.ts';
import type { SpanRow } from './moveSpans.ts';
import { readSpansAfter } from './readSpans.ts';
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
    const rows: SpanRow[] = await db.read(workspace, (scope) => readSpansAfter(scope, last));
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
