import type { CompiledQuery, Kysely, RawBuilder, SqlBool } from 'kysely';
import type { Transaction } from './database.ts';
import type { Scope, WorkspaceTable } from './scope.ts';
import type { SearchIndex } from './search/searchIndex.ts';
import type { StoredRow } from './storedRow.ts';
import type { Tables } from './schema/tables.ts';

/** Statements that need different SQL on each engine to be fast. Their results do not differ. */
export type Engine = {
  /**
   * A condition that is true, for statements that scan many rows. On SQLite it ends the statement after its read was cancelled
   * (readThreads.ts). The check costs a third of a search, so with `rowNumber` it is made for some of the rows only.
   */
  cancellationCheck(rowNumber?: RawBuilder<number>): RawBuilder<SqlBool>;
  /** What a statement selects from to read `values`, of which there is at least one, as `wanted.value`. */
  valuesTable(values: readonly (string | number)[]): RawBuilder<unknown>;
  /** What a statement selects from to read `pairs`, of which there is at least one, as `wanted.first` and `wanted.second`. */
  pairsTable(pairs: readonly (readonly [first: number, second: number])[]): RawBuilder<unknown>;
  /** A JSON array of these values of a row. */
  jsonArray(values: readonly RawBuilder<unknown>[]): RawBuilder<unknown>;
  /** Inserts rows that all have the same columns; there is at least one. */
  insertRows(trx: Transaction, table: keyof Tables, rows: readonly StoredRow[]): Promise<void>;
  /** Inserts those whose `key` no row has yet, and gives for each whether it was inserted. They have their workspace. */
  insertNewRows(scope: Scope, table: WorkspaceTable, key: string, rows: Iterable<StoredRow>): Promise<boolean[]>;
  /** A statement that inserts all `rows`, with `conflictClause` behind the values. */
  upsert(table: WorkspaceTable, rows: readonly StoredRow[], conflictClause: string): CompiledQuery;
  /** From where a page of a list reads the rows that match a search or a filter. */
  selectMatching(rows: MatchingSource): RawBuilder<unknown>;
  /** From where the rows of `table` that have one of `keys` are read, each by its key. There is at least one. */
  selectByKeys(
    scope: Scope,
    table: WorkspaceTable,
    key: RowKey,
    keys: readonly (string | number)[],
  ): RawBuilder<unknown>;
  /** The keys of events that have one of several names; null where the condition `in ()` is faster. */
  selectEventKeys(events: NamedEvents): RawBuilder<unknown> | null;
  /**
   * The fastest key for rows within a transaction. On SQLite that's the `rowid`, which every index has.
   */
  rowKey(key: RowKey): RowKey;
  /** A condition that is true for the first `count` rows of a workspace, in the order of `key`, for deleting them. */
  isAmongFirst(scope: Scope, table: WorkspaceTable, key: RawBuilder<unknown>, count: number): RawBuilder<SqlBool>;
  /** Runs `work`, which may delete lines of the log: all with the workspace, or old ones in a run of the retention. */
  deletingFromLog<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result>;
  /** Whether a query may have parts that write, such as `with added as (insert ...)`. */
  readonly writesInQueries: boolean;
  /** The id of the next workspace after `last`. On a server it's random: those of two databases rarely have the same, so one can move to the other. */
  nextWorkspaceId(last: number): number;
  readonly searchIndex: SearchIndex;
};

/** A column that is unique in the workspace. */
export type RowKey = 'id' | 'uuid' | 'rowid';

export type MatchingSource = {
  scope: Scope;
  table: WorkspaceTable;
  key: string;
  /** All rows of the list: `from` and `where`. */
  all: RawBuilder<unknown>;
  condition: RawBuilder<SqlBool>;
  /** How many rows there are, match, and are needed. */
  size: number;
  total: number;
  until: number;
  /** Whether the ordered indexes have the columns of the condition. If not, each row has to be looked up. */
  isIndexed: boolean;
  /** SQL that gives the keys of the matching rows as `found`, where they are known already. */
  keys?: RawBuilder<unknown>;
};

export type NamedEvents = {
  /** `from` and `where` of all events. */
  from: RawBuilder<unknown>;
  names: readonly string[];
  /** The same names as SQL within `in ()`. */
  nameSet: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
  /** How many are needed of each name at most. */
  until: number;
};

export function engineOf(kysely: Kysely<Tables>): Engine {
  return (kysely.getExecutor().adapter as unknown as { engine: Engine }).engine;
}

/** Runs `work`, which deletes lines of the log: all with the workspace, or old ones in a run of the retention. */
export function deletingFromLog<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result> {
  return engineOf(scope.kysely).deletingFromLog(scope, work);
}

/** Whether a query may have parts that write, so that finding, adding and counting a row are one statement. */
export function writesInQueries({ kysely }: Pick<Scope, 'kysely'>): boolean {
  return engineOf(kysely).writesInQueries;
}
