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
 * `settings` of a session where tables are distributed: those of a transaction reach the other machines, and a statement that concerns several
 * workspaces is refused. A plan for any values can't be sent to one machine where a statement has several tables: by `auto`, Citus then makes
 * one for each.
 */
export function distributedSettings(settings: SessionSettings): SessionSettings {
  return {
    // Before those that it forwards.
    'citus.propagate_set_commands': 'local',
    'citus.multi_task_query_log_level': 'error',
    ...settings,
    plan_cache_mode: 'auto',
  };
}

/** Of a transaction there. */
export function distributedScopeSettings(scope: RowScope): SessionSettings {
  if (scope !== '*') return scopeSettings(scope);
  return {
    'citus.multi_task_query_log_level': 'off',
    // Else a step of the schema could not change a table and then its rows.
    'citus.multi_shard_modify_mode': 'sequential',
    ...scopeSettings(scope),
  };
}

/** Those that matter to each machine that a transaction reaches. */
export function forwardedOf(settings: SessionSettings): SessionSettings {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => /^(enable_|jit$)/.test(name)));
}

/** A number as SQL. */
export function int(value: number): string {
  if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is no integer.`);
  return String(value);
}
