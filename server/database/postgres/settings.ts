import type { WorkspaceId } from '../schema/tables.ts';

/** Settings of a session or transaction, by their names. */
export type SessionSettings = Readonly<Record<string, string | number>>;

/**
 * Whose rows statements reach, by the policies of the tables (docs/decisions/0025-row-level-security.md): those of a workspace, or of all.
 * Outside a transaction it is none.
 */
export type RowScope = WorkspaceId | '*';

/** A statement for each setting. */
export function settingStatements(set: 'set' | 'set local', settings: SessionSettings): string[] {
  return Object.entries(settings).map(([name, value]) => `${set} ${name} = ${value}`);
}

export function scopeSettings(scope: RowScope): SessionSettings {
  return { 'sendroom.workspace': `'${scope === '*' ? scope : int(scope)}'` };
}

/**
 * Where tables are distributed: settings of a transaction reach the other machines, and a statement that concerns several workspaces is
 * refused to the transaction of one.
 */
export function distributedSettings(scope: RowScope): SessionSettings {
  return {
    'citus.propagate_set_commands': 'local',
    'citus.multi_task_query_log_level': scope === '*' ? 'off' : 'error',
    // Else a step of the schema could not change a table and then its rows.
    ...(scope === '*' && { 'citus.multi_shard_modify_mode': 'sequential' }),
  };
}

/** A number as SQL. */
export function int(value: number): string {
  if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is no integer.`);
  return String(value);
}
