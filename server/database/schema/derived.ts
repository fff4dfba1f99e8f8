import { type RawBuilder, sql } from 'kysely';
import { FIRST_TIME, LAST_TIME } from '../timestamp.ts';
import type { Scope, ScopedId, WorkspaceTable } from '../scope.ts';
import type { StoredRow } from '../storedRow.ts';

// What follows from other rows, each once: `admin verify` compares it, and `--rebuild` writes it.

/** A column that SQL computes from other tables. */
export type CountedColumn = {
  table: WorkspaceTable;
  /** Identifies its rows in a workspace. */
  key: readonly string[];
  column: string;
  /** Selects `key` and the right value as `counted`, for each row that should exist. */
  rows: (id: ScopedId) => RawBuilder<unknown>;
  /** Leaves out rows of the table, and of `rows`. */
  where?: (id: ScopedId) => RawBuilder<unknown>;
  /** Other columns of a missing row; what is folded gets its value afterwards. */
  others?: StoredRow;
};

/** Columns that our code computes, such as folded texts, from the rest of a row. */
export type FoldedColumns = {
  table: WorkspaceTable;
  columns: readonly string[];
  from: readonly string[];
  /** The right values for each of `rows`; null if `from` is unreadable. */
  fold: (scope: Scope, rows: readonly StoredRow[]) => (StoredRow | null)[] | Promise<(StoredRow | null)[]>;
};

const countIn = (table: string, column: string, condition = sql`true`): CountedColumn => ({
  table: 'workspace_heads',
  key: ['workspace_id'],
  column,
  rows: (id) => sql`
    select cast(${id} as bigint) as workspace_id, count(*) as counted from ${sql.table(table)}
    where workspace_id = ${id} and ${condition}`,
});

/** How many rows of `child` belong to each row of `table`. Not a join: with stale statistics PostgreSQL compares each row with each. */
const countChildren = (
  table: WorkspaceTable,
  column: string,
  [child, parentKey, condition]: [child: string, parentKey: string, condition: RawBuilder<unknown>],
): CountedColumn => ({
  table,
  key: ['uuid'],
  column,
  rows: (id) => sql`
    select uuid, sum(children) as counted from (
      select uuid, 0 as children, 1 as parents from ${sql.table(table)} where workspace_id = ${id}
      union all
      select ${sql.ref(parentKey)}, 1, 0 from ${sql.table(child)} where workspace_id = ${id} and ${condition}
    ) as both_tables group by uuid having sum(parents) > 0`,
});

export const COUNTED_COLUMNS: readonly CountedColumn[] = [
  countIn('contacts', 'contact_count'),
  countIn('contacts', 'subscribed_count', sql`subscribed = 1`),
  countIn('domains', 'domain_count'),
  countIn('domains', 'warning_domain_count', sql`state = 'warning'`),
  countIn('domains', 'pending_domain_count', sql`state = 'pending'`),
  countIn('domains', 'failing_domain_count', sql`state = 'failing'`),
  countIn('addresses', 'address_count'),
  {
    table: 'contacts',
    key: ['uuid'],
    column: 'change_count',
    // The last number. Where the retention has deleted all changes of a contact, nothing else says it.
    rows: (id) => sql`
      select uuid, case when max(last) = 0 and (select max(number) from retention where workspace_id = ${id}) > 0
        then max(stored) else max(last) end as counted
      from (
        select uuid, 0 as last, change_count as stored, 1 as parents from contacts where workspace_id = ${id}
        union all
        select contact_uuid, contact_number, 0, 0 from changes
        where workspace_id = ${id} and contact_number is not null
      ) as both_tables group by uuid having sum(parents) > 0`,
  },
  countChildren('domains', 'address_count', ['addresses', 'domain_uuid', sql`true`]),
  {
    table: 'workspace_heads',
    key: ['workspace_id'],
    column: 'next_contact_id',
    // No contact gets the ID of another, erased ones included.
    rows: (id) => sql`
      select workspace_id, case when next_contact_id > last_id then next_contact_id else last_id + 1 end as counted
      from workspace_heads, (select coalesce(max(used_id), 0) as last_id from (
        select max(id) as used_id from contacts where workspace_id = ${id}
        union all select max(contact_id) from erasures where workspace_id = ${id}
      ) as used_ids) as last where workspace_id = ${id}`,
  },
  {
    table: 'event_names',
    key: ['contact_id', 'event_name'],
    column: 'count',
    rows: (id) => sql`
      select contact_id, event_name, count(*) as counted from events where workspace_id = ${id}
      group by contact_id, event_name`,
    // An unfinished erasure deletes the events first.
    where: (id) => sql`contact_id not in (
      select contact_id from erasures where workspace_id = ${id} and finished_at is null)`,
    others: { name_key: '' },
  },
  {
    table: 'suppression_counts',
    key: ['reason', 'origin', 'actor'],
    column: 'count',
    rows: (id) => sql`
      select suppression_reason as reason, suppression_origin as origin, suppressed_by as actor, count(*) as counted
      from contacts where workspace_id = ${id} and subscribed = 0
      group by suppression_reason, suppression_origin, suppressed_by`,
  },
];

/** Rows that can't be right, without a value that would be. */
export type Rule = {
  error: string;
  /** Selects the wrong rows as `wrong`. */
  rows: (id: ScopedId) => RawBuilder<{ wrong: string | number }>;
};

/** `except` rather than a join, as above. */
const orphansOf =
  (
    child: string,
    column: string,
    [parent, key]: [string, string],
    more: (id: ScopedId) => RawBuilder<unknown> = () => sql``,
  ): Rule['rows'] =>
  (id) =>
    sql`
    select distinct ${sql.ref(column)} as wrong from ${sql.table(child)} where workspace_id = ${id}
    except select ${sql.ref(key)} from ${sql.table(parent)} where workspace_id = ${id} ${more(id)}`;

const isNoTime = (column: string) =>
  sql`${sql.ref(column)} not between ${sql.lit(FIRST_TIME)} and ${sql.lit(LAST_TIME)}`;

export const RULES: readonly Rule[] = [
  {
    error: 'events of a contact that does not exist, ID',
    rows: orphansOf(
      'events',
      'contact_id',
      ['contacts', 'id'],
      (id) => sql`except select contact_id from erasures where workspace_id = ${id} and finished_at is null`,
    ),
  },
  {
    error: 'identities of a contact that does not exist, ID',
    rows: orphansOf('identities', 'contact_id', ['contacts', 'id']),
  },
  {
    error: 'values of a log entry that does not exist, number',
    rows: orphansOf('change_values', 'number', ['changes', 'number']),
  },
  {
    error: 'refused identities of an unknown erasure, contact ID',
    rows: orphansOf('erased_identities', 'contact_id', ['erasures', 'contact_id']),
  },
  { error: 'contacts of a run that does not exist, UUID', rows: orphansOf('run_contacts', 'run', ['runs', 'uuid']) },
  {
    error: 'a run of a contact that does not exist, UUID',
    rows: orphansOf('run_contacts', 'contact_uuid', ['contacts', 'uuid']),
  },
  {
    error: 'a contact with an impossible subscription or time, UUID',
    rows: (id) => sql`
      select uuid as wrong from contacts where workspace_id = ${id}
        and (subscribed not in (0, 1) or ${isNoTime('created_at')} or ${isNoTime('updated_at')})`,
  },
  {
    error: 'an erased contact that exists, UUID',
    rows: (id) => sql`
      select uuid as wrong from contacts where workspace_id = ${id} and (
        uuid in (select contact_uuid from erasures where workspace_id = ${id})
        or id in (select contact_id from erasures where workspace_id = ${id}))`,
  },
  {
    error: 'a gap in the numbers of the changes of a contact, UUID',
    rows: (id) => sql`
      select contact_uuid as wrong from changes where workspace_id = ${id} and contact_number is not null
      group by contact_uuid having max(contact_number) - min(contact_number) + 1 <> count(*) or min(contact_number) <> 1
        and (select coalesce(max(number), 0) from retention where workspace_id = ${id}) = 0`,
  },
  ...['domain_spans', 'incidents', 'acceptances'].map((table) => ({
    error: `${table} of a domain that does not exist, UUID`,
    rows: orphansOf(table, 'domain_uuid', ['domains', 'uuid']),
  })),
  {
    error: 'deliveries of a message that does not exist, UUID',
    rows: orphansOf('deliveries', 'message_uuid', ['messages', 'uuid']),
  },
  {
    error: 'deliveries to a destination that does not exist, UUID',
    rows: orphansOf('deliveries', 'destination_uuid', ['destinations', 'uuid']),
  },
  {
    error: 'a fallback that does not exist, of destination',
    rows: (id) => sql`
      select uuid as wrong from destinations where workspace_id = ${id} and fallback_uuid is not null
        and fallback_uuid not in (select uuid from destinations where workspace_id = ${id})`,
  },
  {
    error: 'a delivery that is over and due, or neither, of message',
    rows: (id) => sql`
      select distinct message_uuid as wrong from deliveries where workspace_id = ${id}
        and ((next_at is null) <> (state <> 'waiting') or (ended_at is null) <> (state = 'waiting'))`,
  },
  {
    error: 'a span that ends before it starts, of domain',
    rows: (id) => sql`
      select distinct domain_uuid as wrong from domain_spans where workspace_id = ${id} and ended_at < started_at`,
  },
  {
    error: 'a span that another one overlaps, of domain',
    rows: (id) => sql`
      select distinct domain_uuid as wrong from (
        select domain_uuid, ended_at, lead(started_at) over (partition by domain_uuid, subject order by started_at) as next
        from domain_spans where workspace_id = ${id}
      ) as followed where ended_at >= next`,
  },
  {
    error: 'more than one current span of a subject, of domain',
    rows: (id) => sql`
      select distinct domain_uuid as wrong from (
        select domain_uuid, subject from domain_spans where workspace_id = ${id} and ended_at is null
        group by domain_uuid, subject having count(*) > 1
      ) as repeated`,
  },
  {
    error: 'a current span that the last check of its domain did not find, of domain',
    rows: (id) => sql`
      select distinct domain_uuid as wrong from domain_spans join domains
        on domains.workspace_id = domain_spans.workspace_id and domains.uuid = domain_uuid
      where domain_spans.workspace_id = ${id} and ended_at is null and (checked_at is null or started_at > checked_at)`,
  },
  {
    error: 'an incident with an impossible order of times, UUID',
    rows: (id) => sql`
      select uuid as wrong from incidents where workspace_id = ${id} and (
        opened_at < failed_at or closed_at < opened_at or (opened_at is null) <> (state = 'suspect')
        or (closed_at is null) <> (state <> 'closed'))`,
  },
  {
    error: 'more than one acceptance of a subject that holds, of domain',
    rows: (id) => sql`
      select distinct domain_uuid as wrong from (
        select domain_uuid, subject from acceptances where workspace_id = ${id} and ended_at is null
        group by domain_uuid, subject having count(*) > 1
      ) as repeated`,
  },
];
