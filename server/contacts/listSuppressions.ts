import { type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely';
import type { CheckedListQuery, Filters, Page } from '#contract/list.ts';
import { type SuppressedContact, UNKNOWN } from '#contract/suppressions/suppressedContacts.ts';
import { must } from '#contract/values/must.ts';
import { type ActorColumns, actorIn, COMMAND, keyOf } from '../database/changeLog/author.ts';
import type { LineSummary } from '../database/changeLog/lineSummary.ts';
import type { Database } from '../database/database.ts';
import { lookUp, lookUpRows } from '../database/lookUp.ts';
import {
  countMatchingRows,
  type ListSource,
  type MatchingRows,
  mayTakeLong,
  orderOf,
  readPage,
  withRowKey,
} from '../database/paging/listPage.ts';
import { hasLargeRows, limitPageBytes } from '../database/paging/pageSize.ts';
import type { Tables } from '../database/schema/tables.ts';
import type { Scope } from '../database/scope.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';
import { contactOf } from './contactRow.ts';
import { byNumber, type SuppressionRow } from './suppressions.ts';

/** A page of the unsubscribed contacts: newest first unless sorted, equal ones by uuid in the same direction. */
export async function listSuppressions(
  workspace: Workspace,
  db: Database,
  requestedQuery: CheckedListQuery,
): Promise<Page<SuppressedContact>> {
  return db.read(
    workspace,
    async (scope) => {
      const own = sql<SqlBool>`workspace_id = ${scope.id}`;
      const counted = await scope
        .select('workspace_heads')
        .select(['contact_count', 'subscribed_count', hasLargeRows('contacts', own).as('has_large')])
        .executeTakeFirstOrThrow();
      const query = counted.has_large ? await limitPageBytes(scope, 'contacts', own, requestedQuery) : requestedQuery;
      // Not by `subscribed`: SQLite would take an index that begins with it, and sort.
      const within = sql<SqlBool>`${own} and suppressed_by <> ''`;
      const size = counted.contact_count - counted.subscribed_count;
      const list = withRowKey<'contacts'>(scope, { table: 'contacts', key: 'id', within, size });
      list.matching = await findMatching(scope, list, query.filters);
      const order = orderOf(query, () => sql.ref('suppressed_at'));
      return readPage(scope, list, order, query, (rows) => describe(scope, rows));
    },
    { isLong: mayTakeLong(requestedQuery) },
  );
}

/** The column of the counts, and of a contact, by filter. */
const COUNTED = { reason: 'suppression_reason', origin: 'suppression_origin', actor: 'suppressed_by' } as const;

async function findMatching(
  scope: Scope,
  list: ListSource<'contacts'>,
  filters: Filters,
): Promise<MatchingRows | undefined> {
  const wanted = Object.entries(COUNTED).flatMap(([name, column]) => {
    const value = filters[name];
    return typeof value === 'string' ? [{ name, column, value: storedAs(name, value) }] : [];
  });
  const times = (['from', 'to'] as const).flatMap((name): RawBuilder<SqlBool>[] => {
    const value = filters[name];
    if (typeof value !== 'string') return [];
    return [sql`suppressed_at ${sql.raw(name === 'from' ? '>=' : '<')} ${Date.parse(value)}`];
  });
  const conditions = [...wanted.map(({ column, value }) => sql`${sql.ref(column)} = ${value}`), ...times];
  if (conditions.length === 0) return undefined;
  const total = times.length > 0 ? undefined : await readTotal(scope, wanted);
  const condition = sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
  return { ...(await countMatchingRows(scope, list, condition, { total })), isIndexed: true };
}

const storedAs = (filter: string, value: string) =>
  filter === 'actor' ? value.trim().toLowerCase() : value === UNKNOWN ? '' : value;

async function readTotal(scope: Scope, wanted: readonly { name: string; value: string }[]): Promise<number> {
  const conditions = wanted.map(({ name, value }) => sql` and ${sql.ref(name)} = ${value}`);
  const [row] = await scope.run(sql<{ total: number }>`
    select cast(coalesce(sum(count), 0) as bigint) as total from suppression_counts
    where workspace_id = ${scope.id}${sql.join(conditions, sql``)}`);
  return must(row).total;
}

async function describe(scope: Scope, rows: readonly Selectable<Tables['contacts']>[]): Promise<SuppressedContact[]> {
  const numbers = rows.map(({ suppression_line }) => suppression_line);
  const columns = ['actor_kind', 'actor', 'actor_name', 'actor_email', 'created_at'] as const;
  type Line = ActorColumns & Pick<Tables['changes'], 'created_at'>;
  const lines = await lookUpRows<number, Line>(scope, byNumber('changes'), columns, numbers);
  const tickets = await readTickets(scope, rows);
  return rows.map((row) => {
    const line = lines.get(row.suppression_line);
    return {
      contact: contactOf(row),
      reason: row.suppression_reason || null,
      ticket: tickets.get(row.suppression_line) ?? null,
      origin: row.suppression_origin || null,
      actor: actorIn(line ?? IMPORT),
      since: timestamp(row.suppressed_at),
      recorded_at: line === undefined ? null : timestamp(line.created_at),
    };
  });
}

/** By the line of the log that says why a contact is unsubscribed. */
export async function readTickets(
  scope: Scope,
  rows: readonly Pick<SuppressionRow, 'suppression_line'>[],
): Promise<Map<number, string>> {
  const numbers = rows.flatMap(({ suppression_line }) => (suppression_line === 0 ? [] : suppression_line));
  const summaries = await lookUp<number, string>(scope, byNumber('change_values'), 'summary', numbers);
  return new Map(
    [...summaries].flatMap(([number, summary]) => {
      const ticket = (JSON.parse(summary) as LineSummary).suppression?.ticket ?? null;
      return ticket === null ? [] : [[number, ticket]];
    }),
  );
}

/** Who imported a contact that has no line. */
export const IMPORT: ActorColumns = {
  actor_kind: COMMAND.actor.kind,
  actor: keyOf(COMMAND.actor),
  actor_name: null,
  actor_email: null,
};
