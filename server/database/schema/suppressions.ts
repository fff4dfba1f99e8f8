import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

// Step 3: since when, by whom and why contacts are unsubscribed.

export const SUPPRESSION_TABLES = {
  suppression_counts: `
    workspace_id bigint not null, reason text not null, origin text not null, actor text not null,
    count bigint not null,
    constraint suppression_counts_by_reason primary key (workspace_id, reason, origin, actor)`,
} as const;

export const SUPPRESSION_COLUMNS = [
  'contacts add column suppressed_at bigint not null default 0',
  `contacts add column suppressed_by text not null default ''`,
  `contacts add column suppression_reason text not null default ''`,
  `contacts add column suppression_origin text not null default ''`,
  'contacts add column suppression_line bigint not null default 0',
];

export const SUPPRESSION_INDEXES = [
  // Not of `subscribed`, which other indexes begin with.
  `index contacts_by_suppression on contacts
    (workspace_id, suppressed_at, uuid, suppression_reason, suppression_origin, suppressed_by, id)
    where suppressed_by <> ''`,
];

/** Writes what the log says. Older lines have no reason, and an origin only by who did it. */
export async function fillSuppressions(trx: Kysely<Tables>): Promise<void> {
  await sql`
    update contacts set suppression_line = coalesce((
      select number from changes
      where changes.workspace_id = contacts.workspace_id and contact_uuid = contacts.uuid
        and contact_number is not null and (changes.subscribed = 0 or action = 'create')
      order by contact_number desc limit 1), 0)
    where subscribed = 0`.execute(trx);
  await sql`
    update contacts set (suppressed_at, suppressed_by, suppression_origin) = (
      select changes.created_at, actor,
        case when action = 'import' then 'import' when actor_kind = 'person' then 'support' else '' end
      from changes where changes.workspace_id = contacts.workspace_id and number = suppression_line)
    where subscribed = 0 and suppression_line > 0`.execute(trx);
  // An import has no line for a contact that it adds.
  await sql`
    update contacts set suppressed_at = created_at, suppressed_by = 'command', suppression_origin = 'import'
    where subscribed = 0 and suppression_line = 0`.execute(trx);
  await sql`
    insert into suppression_counts (workspace_id, reason, origin, actor, count)
    select workspace_id, suppression_reason, suppression_origin, suppressed_by, count(*)
    from contacts where subscribed = 0
    group by workspace_id, suppression_reason, suppression_origin, suppressed_by`.execute(trx);
}
