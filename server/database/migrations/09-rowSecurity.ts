import { sql } from 'kysely';
import type { Migration } from './migration.ts';

const SETTING = `current_setting('sendroom.workspace', true)`;
/** Null for all workspaces, and 0, which none has, for nobody. A subquery is evaluated once for a statement. */
const WANTED = `(select case ${SETTING} when '*' then null else coalesce(nullif(${SETTING}, ''), '0')::bigint end)`;

/** For tables that are scanned. */
const isWanted = (owner: string) => `coalesce(${owner} = ${WANTED}, true)`;
/** Sooner begun, but slower for each row: for tables of which a statement finds a few rows by their keys. */
const isWantedAlone = (owner: string) => `${SETTING} in ('*', ${owner}::text)`;

/** Every table whose rows belong to a workspace. */
const CONDITIONS = {
  workspaces: isWantedAlone('id'),
  tokens: isWantedAlone('workspace_id'),
  sessions: isWantedAlone('workspace_id'),
  sign_in_codes: isWantedAlone('workspace_id'),
  contacts: isWanted('workspace_id'),
  identities: isWantedAlone('workspace_id'),
  contact_changes: isWanted('workspace_id'),
  events: isWanted('workspace_id'),
  event_names: isWanted('workspace_id'),
  event_periods: isWanted('workspace_id'),
  domains: isWanted('workspace_id'),
  dns_records: isWanted('workspace_id'),
  addresses: isWanted('workspace_id'),
};

/**
 * Lets a statement reach the rows of the workspace that the setting `sendroom.workspace` names, all with `*`, and none without
 * (docs/decisions/0025-row-level-security.md). Also for the owner of the tables.
 */
export const rowSecurity: Migration = async (trx, { hasRowSecurity }) => {
  if (!hasRowSecurity) return;
  for (const [table, condition] of Object.entries(CONDITIONS)) {
    await sql`
      alter table ${sql.table(table)} enable row level security, force row level security`.execute(trx);
    // The planner takes `is not null` to hold for every row: else it would expect the fewer rows, the more workspaces there are.
    await sql`
      create policy workspace on ${sql.table(table)} using (nullif(${sql.raw(condition)}, false) is not null)`.execute(
      trx,
    );
  }
};
