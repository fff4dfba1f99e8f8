import { sql } from 'kysely';
import { type Migration, rejectOtherProcesses } from './migration.ts';

const SETTING = `current_setting('sendroom.workspace', true)`;

// Both read the setting as a number. No workspace has the number 0.

/** Takes a statement for a few rows the least time. */
const isWanted = (owner: string) => `(${owner} = nullif(nullif(${SETTING}, ''), '*')::bigint or ${SETTING} = '*')`;
/**
 * Takes the least time for each row, for tables that searches scan: the subquery is evaluated once. It is null for all workspaces,
 * and 0 for nobody.
 */
const isWantedInScan = (owner: string) => `coalesce(${owner} = (
  select case ${SETTING} when '*' then null else coalesce(nullif(${SETTING}, ''), '0')::bigint end
), true)`;

/** Every table whose rows belong to a workspace. */
const CONDITIONS = {
  workspaces: isWanted('id'),
  tokens: isWanted('workspace_id'),
  sessions: isWanted('workspace_id'),
  sign_in_codes: isWanted('workspace_id'),
  contacts: isWantedInScan('workspace_id'),
  identities: isWanted('workspace_id'),
  contact_changes: isWanted('workspace_id'),
  events: isWanted('workspace_id'),
  event_names: isWanted('workspace_id'),
  event_periods: isWanted('workspace_id'),
  domains: isWantedInScan('workspace_id'),
  dns_records: isWanted('workspace_id'),
  addresses: isWantedInScan('workspace_id'),
};

/**
 * Lets a statement reach the rows of the workspace that the setting `sendroom.workspace` names, all with `*`, and none without
 * (docs/decisions/0025-row-level-security.md). Also for the owner of the tables.
 */
export const rowSecurity: Migration = async (trx, dialect) => {
  if (!dialect.hasRowSecurity) return;
  // A process from before this step names no workspace: it would answer 404 to an unsubscribe, and 401 to every token.
  await rejectOtherProcesses(trx, dialect, 'would find nothing once row-level security is on');
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
