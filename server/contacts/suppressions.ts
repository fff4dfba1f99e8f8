import { type Selectable, sql } from 'kysely';
import type { Suppression, Unsubscription } from '#contract/suppression.ts';
import { must } from '#contract/values/must.ts';
import { parseJson } from '#contract/values/json.ts';
import { keyOf, type LogAuthor } from '../database/changeLog/author.ts';
import type { LineSummary } from '../database/changeLog/lineSummary.ts';
import { upsertRows } from '../database/insertRows.ts';
import { lookUp, lookUpRows } from '../database/lookUp.ts';
import type { FoldedColumns } from '../database/schema/derived.ts';
import type { Tables } from '../database/schema/tables.ts';
import type { Scope } from '../database/scope.ts';
import type { StoredRow } from '../database/storedRow.ts';

// Since when, by whom and why contacts are unsubscribed, as their rows have it, and how many for each reason, origin and actor.

/** The columns of a contact. Empty and 0 while it's subscribed; a reason or origin is also empty where nobody said. */
export const SUPPRESSION_COLUMNS = [
  'suppressed_at',
  'suppressed_by',
  'suppression_reason',
  'suppression_origin',
  'suppression_line',
] as const;
export type SuppressionRow = Pick<Selectable<Tables['contacts']>, (typeof SUPPRESSION_COLUMNS)[number]>;

export const NOT_SUPPRESSED: SuppressionRow = {
  suppressed_at: 0,
  suppressed_by: '',
  suppression_reason: '',
  suppression_origin: '',
  suppression_line: 0,
};

export function toSuppression({ origin }: LogAuthor, said: Unsubscription = {}): Suppression {
  return { reason: said.reason ?? null, ticket: said.ticket ?? null, origin: said.origin ?? origin ?? null };
}

/** `line` is the line of the log that says it. */
export function suppressionRow(
  { reason, origin }: Pick<Suppression, 'reason' | 'origin'>,
  actor: LogAuthor['actor'],
  line: { number: number; time: number },
): SuppressionRow {
  return {
    suppressed_at: line.time,
    suppressed_by: keyOf(actor),
    suppression_reason: reason ?? '',
    suppression_origin: origin ?? '',
    suppression_line: line.number,
  };
}

/** Of a contact that an import adds unsubscribed: it has no line of its own. */
export const importedSuppression = (created_at: number): SuppressionRow => ({
  ...NOT_SUPPRESSED,
  suppressed_at: created_at,
  suppressed_by: 'command',
  suppression_origin: 'import',
});

/** How many more contacts are unsubscribed, by reason, origin and actor as JSON. */
export type SuppressionCounts = Map<string, number>;

export function addToCounts(counts: SuppressionCounts, row: SuppressionRow, change: 1 | -1): SuppressionCounts {
  const key = JSON.stringify([row.suppression_reason, row.suppression_origin, row.suppressed_by]);
  return counts.set(key, (counts.get(key) ?? 0) + change);
}

/** In the transaction of the change. */
export async function countSuppressions(scope: Scope, counts: SuppressionCounts): Promise<void> {
  const rows = Array.from(counts, ([key, count]) => {
    const [reason = '', origin = '', actor = ''] = JSON.parse(key) as string[];
    return { reason, origin, actor, count };
  });
  await upsertRows(
    scope,
    'suppression_counts',
    rows,
    `on conflict (workspace_id, reason, origin, actor)
      do update set count = suppression_counts.count + excluded.count`,
  );
  if (rows.some(({ count }) => count < 0)) await scope.delete('suppression_counts').where('count', '=', 0).execute();
}

export const SUPPRESSIONS: FoldedColumns = {
  table: 'contacts',
  columns: SUPPRESSION_COLUMNS,
  from: ['uuid', 'subscribed', 'created_at'],
  fold: async (scope, rows) => {
    const lines = await findLines(scope, rows);
    return rows.map((row) => (row['subscribed'] === 0 ? suppressionOf(row, lines) : NOT_SUPPRESSED));
  },
};

type Line = Pick<Tables['changes'], 'number' | 'created_at' | 'action' | 'actor_kind' | 'actor' | 'values_digest'> & {
  summary: string | undefined;
};

/** By UUID, the line that says that a contact is unsubscribed: the last that unsubscribed it, or the one that added it. */
async function findLines(scope: Scope, rows: readonly StoredRow[]): Promise<Map<string, Line>> {
  const [first, last] = [rows.at(0)?.['id'] ?? 0, rows.at(-1)?.['id'] ?? 0];
  const found = await scope.run(sql<{ uuid: string; number: number | null }>`
    select uuid, (
      select number from changes
      where changes.workspace_id = ${scope.id} and contact_uuid = contacts.uuid and contact_number is not null
        and (changes.subscribed = 0 or action = 'create')
      order by contact_number desc limit 1) as number
    from contacts where workspace_id = ${scope.id} and id between ${first} and ${last} and subscribed = 0`);
  const numbers = found.flatMap(({ number }) => number ?? []);
  const columns = ['number', 'created_at', 'action', 'actor_kind', 'actor', 'values_digest'] as const;
  const lines = await lookUpRows<number, Omit<Line, 'summary'>>(scope, byNumber('changes'), columns, numbers);
  const summaries = await lookUp<number, string>(scope, byNumber('change_values'), 'summary', numbers);
  return new Map(
    found.flatMap(({ uuid, number }) =>
      number === null ? [] : [[uuid, { ...must(lines.get(number)), summary: summaries.get(number) }]],
    ),
  );
}

/** How lines of the log are looked up. */
export const byNumber = (table: 'changes' | 'change_values') => ({ table, fixed: {}, key: 'number' }) as const;

function suppressionOf(row: StoredRow, lines: ReadonlyMap<string, Line>): SuppressionRow {
  const line = lines.get(String(row['uuid']));
  if (line === undefined) return importedSuppression(Number(row['created_at']));
  return {
    suppressed_at: line.created_at,
    suppressed_by: line.actor,
    suppression_line: line.number,
    ...saidIn(line, row as SuppressionRow),
  };
}

type Said = Pick<SuppressionRow, 'suppression_reason' | 'suppression_origin'>;

/** What an erasure of somebody else removed from the line stays in the contact. Older lines have only who did it. */
function saidIn({ action, actor_kind, values_digest, summary }: Line, stored: Said): Said {
  const { suppression } = (parseJson(summary ?? '{}') ?? {}) as Partial<LineSummary>;
  if (suppression !== undefined)
    return { suppression_reason: suppression.reason ?? '', suppression_origin: suppression.origin ?? '' };
  if (values_digest !== null && summary === undefined)
    return { suppression_reason: stored.suppression_reason, suppression_origin: stored.suppression_origin };
  const origin = action === 'import' ? 'import' : actor_kind === 'person' ? 'support' : '';
  return { suppression_reason: '', suppression_origin: origin };
}
