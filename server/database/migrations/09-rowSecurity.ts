import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Every table whose rows belong to a workspace, and the column that says to which. */
const OWNERS = {
  workspaces: 'id',
  tokens: 'workspace_id',
  sessions: 'workspace_id',
  sign_in_codes: 'workspace_id',
  contacts: 'workspace_id',
  identities: 'workspace_id',
  contact_changes: 'workspace_id',
  events: 'workspace_id',
  event_names: 'workspace_id',
  event_periods: 'workspace_id',
  domains: 'workspace_id',
  dns_records: 'workspace_id',
  addresses: 'workspace_id',
};

/**
 * Lets a statement reach the rows of the workspace that the setting `sendroom.workspace` names, all with `*`, and none without
 * (docs/decisions/0025-row-level-security.md). Also for the owner of the tables.
 */
export const rowSecurity: Migration = async (trx, { hasRowSecurity }) => {
  if (!hasRowSecurity) return;
  for (const [table, owner] of Object.entries(OWNERS)) {
    await sql`
      alter table ${sql.table(table)} enable row level security, force row level security`.execute(trx);
    // Subqueries are evaluated once for a statement. `is not null` is what the planner takes to hold for all rows: else it would
    // expect the fewer rows, the more workspaces there are.
    await sql`
      create policy workspace on ${sql.table(table)} using (
        nullif(
          coalesce(
            ${sql.ref(owner)} = (select nullif(nullif(current_setting('sendroom.workspace', true), ''), '*')::bigint),
            (select current_setting('sendroom.workspace', true) = '*')
          ),
          false
        ) is not null
      )`.execute(trx);
  }
};
