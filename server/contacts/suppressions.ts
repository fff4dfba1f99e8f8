import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { FieldChange } from '#contract/change.ts';
import type { Suppression, SuppressionReason, Unsubscription } from '#contract/suppressions/suppression.ts';
import { must } from '#contract/values/must.ts';
import { parseJson } from '#contract/values/json.ts';
import { keyOf, type LogAuthor } from '../database/changeLog/author.ts';
import type { LineSummary } from '../database/changeLog/lineSummary.ts';
import { upsertRows } from '../database/insertRows.ts';
import { lookUp, lookUpRows } from '../database/lookUp.ts';
import type { FoldedColumns } from '../database/schema/derived.ts';
import type { Tables } from '../database/schema/tables.ts';
import type { Scope } from '../database/scope.ts';
import { timestamp } from '../database/timestamp.ts';
import type { StoredRow } from '../database/storedRow.ts';

// Since when, by whom and why contacts are unsubscribed, as their rows have it, and how many for each reason, origin and actor.

/** Fields of the log when one of these changes of somebody who stays unsubscribed. Null is what nobody said. */
export const REASON = 'suppression.reason';
export const SINCE = 'suppression.since';
export const isFact = (field: string): boolean => field === REASON || field === SINCE;

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

/** What an import says of an unsubscribe; `since` is in milliseconds. */
export type ImportedSuppression = Unsubscription & { since?: number | undefined };

export function toSuppression({ origin }: LogAuthor, said: ImportedSuppression = {}): Suppression {
  return {
    reason: said.reason ?? null,
    ticket: said.ticket ?? null,
    origin: said.origin ?? origin ?? null,
    ...(said.since !== undefined && { since: timestamp(said.since) }),
  };
}

/** `line` is the line of the log that says it. */
export function suppressionRow(
  { reason, origin, since }: Pick<Suppression, 'reason' | 'origin' | 'since'>,
  actor: LogAuthor['actor'],
  line: { number: number; time: number },
): SuppressionRow {
  return {
    suppressed_at: sinceOf(since, line.time),
    suppressed_by: keyOf(actor),
    suppression_reason: reason ?? '',
    suppression_origin: origin ?? '',
    suppression_line: line.number,
  };
}

/** Not after the line that says it. */
const sinceOf = (since: string | undefined, time: number) => Math.min(Date.parse(since ?? '') || time, time);

/** Of a contact that an import of an older version added unsubscribed: it has no line of its own. */
const importedSuppression = (created_at: number): SuppressionRow => ({
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
  const rows = [...counts].flatMap(([key, count]) => {
    const [reason = '', origin = '', actor = ''] = JSON.parse(key) as string[];
    return count === 0 ? [] : [{ reason, origin, actor, count }];
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

/** A line that changed why or since when; `changes` is null if an erasure of somebody else removed them. */
type FactLine = { uuid: string; number: number; changes: string | null };

/** `since`: the last line that unsubscribed a contact, or the one that added it. `why`: that, or a stronger reason since. */
type Lines = { since: Line | undefined; why: Line | undefined; facts: readonly FactLine[] };

/** By UUID, what says that contacts are unsubscribed. */
async function findLines(scope: Scope, rows: readonly StoredRow[]): Promise<Map<string, Lines>> {
  const [first, last] = [rows.at(0)?.['id'] ?? 0, rows.at(-1)?.['id'] ?? 0];
  const lastOf = (actions: RawBuilder<unknown>) => sql`(
    select number from changes
    where changes.workspace_id = ${scope.id} and contact_uuid = contacts.uuid and contact_number is not null
      and (changes.subscribed = 0 or action in (${actions}))
    order by contact_number desc limit 1)`;
  const found = await scope.run(sql<{ uuid: string; since: number | null; why: number | null }>`
    select uuid, ${lastOf(sql`'create'`)} as since, ${lastOf(sql`'create', 'unsubscribe'`)} as why
    from contacts where workspace_id = ${scope.id} and id between ${first} and ${last} and subscribed = 0`);
  const numbers = [...new Set(found.flatMap(({ since, why }) => [since ?? [], why ?? []].flat()))];
  const columns = ['number', 'created_at', 'action', 'actor_kind', 'actor', 'values_digest'] as const;
  const lines = await lookUpRows<number, Omit<Line, 'summary'>>(scope, byNumber('changes'), columns, numbers);
  const summaries = await lookUp<number, string>(scope, byNumber('change_values'), 'summary', numbers);
  const lineAt = (number: number | null): Line | undefined =>
    number === null ? undefined : { ...must(lines.get(number)), summary: summaries.get(number) };
  const facts = Map.groupBy(await findFacts(scope, first, last), ({ uuid }) => uuid);
  return new Map(
    found.map(({ uuid, since, why }) => [
      uuid,
      {
        since: lineAt(since),
        why: lineAt(why),
        facts: facts.get(uuid)?.filter(({ number }) => number > (since ?? 0)) ?? [],
      },
    ]),
  );
}

/** In the order of the log, of the unsubscribed contacts from one id to another. */
function findFacts(scope: Scope, first: unknown, last: unknown): Promise<FactLine[]> {
  return scope.run(sql<FactLine>`
    select contacts.uuid as uuid, changes.number as number, change_values.changes as changes
    from contacts join changes on changes.workspace_id = contacts.workspace_id and contact_uuid = contacts.uuid
      left join change_values on change_values.workspace_id = changes.workspace_id and change_values.number = changes.number
    where contacts.workspace_id = ${scope.id} and contacts.id between ${first} and ${last} and contacts.subscribed = 0
      and contact_number is not null and action in ('import', 'update') and changes.subscribed is null
      and ((change_values.number is null and values_digest is not null) or change_values.summary like '%"suppression.%')
    order by changes.number`);
}

/** How lines of the log are looked up. */
export const byNumber = (table: 'changes' | 'change_values') => ({ table, fixed: {}, key: 'number' }) as const;

function suppressionOf(row: StoredRow, lines: ReadonlyMap<string, Lines>): SuppressionRow {
  const { since, why, facts = [] } = lines.get(String(row['uuid'])) ?? {};
  const imported = importedSuppression(Number(row['created_at']));
  const stored = row as SuppressionRow;
  const said =
    why === undefined ? imported : { ...saidIn(why, stored), suppressed_by: why.actor, suppression_line: why.number };
  const recorded = since === undefined ? imported.suppressed_at : saidIn(since, stored).suppressed_at;
  return { ...said, suppressed_at: recorded, ...foldFacts(facts, said.suppression_line, { recorded, stored }) };
}

/** What lines say since, of the reason only those after the one at `line`. */
function foldFacts(
  facts: readonly FactLine[],
  line: number,
  { recorded, stored }: { recorded: number; stored: SuppressionRow },
): Partial<SuppressionRow> {
  const folded: Partial<SuppressionRow> = {};
  for (const { number, changes } of facts) {
    const said = changes === null ? null : ((parseJson(changes) ?? []) as FieldChange[]);
    const isReason = number > line;
    if (said === null) folded.suppressed_at = stored.suppressed_at;
    if (said === null && isReason) folded.suppression_reason = stored.suppression_reason;
    for (const { field, after } of said ?? []) {
      if (field === SINCE) folded.suppressed_at = typeof after === 'string' ? Date.parse(after) : recorded;
      if (field === REASON && isReason) folded.suppression_reason = (after ?? '') as SuppressionReason | '';
    }
  }
  return folded;
}

type Said = Pick<SuppressionRow, 'suppressed_at' | 'suppression_reason' | 'suppression_origin'>;

/** What an erasure of somebody else removed from the line stays in the contact. Older lines have only who did it. */
function saidIn({ action, actor_kind, created_at, values_digest, summary }: Line, stored: Said): Said {
  const { suppression } = (parseJson(summary ?? '{}') ?? {}) as Partial<LineSummary>;
  if (suppression !== undefined)
    return {
      suppressed_at: sinceOf(suppression.since, created_at),
      suppression_reason: suppression.reason ?? '',
      suppression_origin: suppression.origin ?? '',
    };
  if (values_digest !== null && summary === undefined) {
    const { suppressed_at, suppression_reason, suppression_origin } = stored;
    return { suppressed_at, suppression_reason, suppression_origin };
  }
  const origin = action === 'import' ? 'import' : actor_kind === 'person' ? 'support' : '';
  return { suppressed_at: created_at, suppression_reason: '', suppression_origin: origin };
}
