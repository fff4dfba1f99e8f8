import type { CompiledQuery, Kysely, QueryResult } from 'kysely';
import { createDirectKysely } from '../directKysely.ts';
import type { Tables } from '../schema/tables.ts';
import type { Connection, ConnectionPool, PoolCounts } from './postgresConnections.ts';
import { breaksConnection } from './postgresErrors.ts';
import { type RowScope, scopeSettings, settingStatements } from './settings.ts';
import { beginLookup, runSingle, toResult, valueOfLast } from './transactions.ts';

type Shared = {
  opened: Promise<Connection>;
  /** Statements in flight. */
  users: number;
  /** The scope last set in its session, and whether that succeeded. */
  scope: RowScope | undefined;
  isSet: Promise<unknown> | undefined;
};

/** One for all rows, and one for rows of workspaces, so that the scope seldom changes. */
export const LOOKUPS_MAX = 2;

/**
 * Runs single statements that find a few rows by their keys. They share connections: those of one turn of the event loop are sent together,
 * behind those in flight, so that the server does not wake up for each, and neither do we for its result.
 */
export class Lookups {
  readonly #pool: ConnectionPool;
  readonly #shared = new Map<'all' | 'own', Shared>();

  /** `pool` has `LOOKUPS_MAX` connections on which nothing can be written, and is used here only. */
  constructor(pool: ConnectionPool) {
    this.#pool = pool;
  }

  /** Kysely for statements on the rows in `scope`. */
  kysely(scope: RowScope): Kysely<Tables> {
    return createDirectKysely(this.#pool.dialect, (query) => this.#run(scope, query));
  }

  /** On each connection one statement counts as being worked on, and those behind it as waiting. */
  counts(): PoolCounts {
    const users = [...this.#shared.values()].map((shared) => shared.users);
    const used = users.filter((count) => count > 0).length;
    const waiting = users.reduce((sum, count) => sum + count, -used);
    return { max: LOOKUPS_MAX, used, idle: users.length - used, waiting };
  }

  async destroy(): Promise<void> {
    for (const kind of this.#shared.keys()) this.#drop(kind);
    await this.#pool.destroy();
  }

  async #run<Row>(scope: RowScope, query: CompiledQuery): Promise<QueryResult<Row>> {
    const kind = scope === '*' ? 'all' : 'own';
    const shared = this.#shared.getOrInsertComputed(kind, () => ({
      opened: this.#pool.connect(),
      users: 0,
      scope: undefined,
      isSet: undefined,
    }));
    shared.users++;
    try {
      const connection = await shared.opened;
      if (!connection.keeps(query.sql)) return await runSingle(connection, beginLookup(scope), query);
      return toResult(await runInScope(shared, connection, scope, query));
    } catch (error) {
      if (breaksConnection(error) && this.#shared.get(kind) === shared) this.#drop(kind);
      throw error;
    } finally {
      shared.users--;
    }
  }

  /** The next statement opens another one. */
  #drop(kind: 'all' | 'own'): void {
    const shared = this.#shared.get(kind);
    this.#shared.delete(kind);
    shared?.opened.then(
      (connection) => connection.release(),
      () => {},
    );
  }
}

/** If the scope cannot be set, what the statement behind it reads is dropped: it had the scope of another. */
function runInScope(shared: Shared, connection: Connection, scope: RowScope, query: CompiledQuery) {
  if (shared.scope !== scope) {
    shared.scope = scope;
    shared.isSet = connection
      .runText(settingStatements('set', scopeSettings(scope)).join('; '))
      .catch((error: unknown) => {
        shared.scope = undefined;
        throw error;
      });
  }
  return valueOfLast([Promise.resolve(shared.isSet), connection.run(query)]);
}
