import { setTimeout as delay } from 'node:timers/promises';
import { Client, type QueryResultRow } from 'pg';
import { must } from '#contract/values/must.ts';
import { DatabaseUnavailableError } from '../databaseErrors.ts';
import { replicationName } from '../replicationName.ts';
import { DISTRIBUTED_TABLES } from './distribute.ts';
import { clientConfig, requirePostgresUrl } from './postgresConnections.ts';
import { toDatabaseError, toUnavailableError } from './postgresErrors.ts';
import { connectForMaintenance } from './tableMaintenance.ts';

/** The contents of a workspace. Each row has its workspace in its primary key, so a publication may filter by it. */
export const REPLICATED_TABLES = DISTRIBUTED_TABLES;

/** Milliseconds until the session of a command that was killed has ended, and until a replication slot is free. */
const RELEASE_LIMIT_MS = 15_000;
const PAUSE_MS = 100;
/** The first number of the advisory lock; any that nobody else has. */
const LOCK = 7362664;

export type CopyProgress = {
  /** Tables that are copied, of `REPLICATED_TABLES`. */
  tables: number;
  /** Rows of the others so far. */
  rows: number;
  /** How often the target's server has failed and tried again. */
  failures: number;
};

type Addresses = {
  source: string;
  target: string;
  /** The source, as the target's server reaches it. */
  reachable: string;
};

/**
 * Logical replication of the content of one workspace from a PostgreSQL database to another, over a connection of its own to each. A
 * method that was interrupted may be repeated. Errors are those of `pg`.
 */
export class Replication implements AsyncDisposable {
  readonly source: Client;
  readonly target: Client;
  readonly #reachable: string;
  /** Of publication, slot and subscription. */
  readonly #name: string;

  private constructor(source: Client, target: Client, reachable: string, workspaceUuid: string) {
    this.source = source;
    this.target = target;
    this.#reachable = reachable;
    this.#name = replicationName(workspaceUuid);
  }

  /** Connects to both. Throws `DatabaseUnavailableError`. */
  static async connect({ source, target, reachable }: Addresses, workspaceUuid: string): Promise<Replication> {
    const from = await connectTo('DATABASE_URL', source);
    try {
      return new Replication(from, await connectTo('--to', target), reachable, workspaceUuid);
    } catch (error) {
      await from.end();
      throw error;
    }
  }

  /** False if another command moves the workspace. */
  async lock(): Promise<boolean> {
    const deadline = performance.now() + RELEASE_LIMIT_MS;
    for (;;) {
      const [row] = await rowsOf<{ locked: boolean }>(
        this.source,
        `select pg_try_advisory_lock(${LOCK}, hashtext('${this.#name}')) as locked`,
      );
      if (must(row).locked) return true;
      if (performance.now() > deadline) return false;
      await delay(PAUSE_MS);
    }
  }

  /** Whether `start` was called before, by a command that was interrupted. */
  isStarted(): Promise<boolean> {
    return exists(this.source, 'pg_replication_slots', 'slot_name', this.#name);
  }

  /** Begins to copy, or continues. Throws `DatabaseUnavailableError` if the target's server can't. */
  async start(workspaceId: number): Promise<void> {
    const [{ schema }] = (await rowsOf<{ schema: string }>(this.source, 'select current_schema() as schema')) as [
      { schema: string },
    ];
    if (!(await exists(this.source, 'pg_publication', 'pubname', this.#name))) {
      const tables = REPLICATED_TABLES.map(
        (table) => `${this.source.escapeIdentifier(schema)}.${table} where (workspace_id = ${workspaceId})`,
      );
      await rowsOf(this.source, `create publication ${this.#name} for table ${tables.join(', ')}`);
    }
    // Created here: on one server the subscription would wait for itself.
    if (!(await this.isStarted()))
      await rowsOf(this.source, `select pg_create_logical_replication_slot('${this.#name}', 'pgoutput')`);
    if (await exists(this.target, 'pg_subscription', 'subname', this.#name)) return;
    const { version, isSuperuser } = await readTarget(this.target);
    const options = [
      'create_slot = false',
      `slot_name = '${this.#name}'`,
      // Else it would act as the owner of the tables, for whom their policies hold.
      ...(version >= 16 ? ['run_as_owner = true'] : []),
      ...(version >= 16 && isSuperuser ? ['password_required = false'] : []),
    ];
    const address = this.target.escapeLiteral(this.#reachable);
    await this.target
      .query(
        `create subscription ${this.#name} connection ${address} publication ${this.#name} with (${options.join(', ')})`,
      )
      .catch((error: unknown) => {
        const reason = (error as Error).message.replace(/\.$/, '').replaceAll(/\s+/g, ' ');
        throw new DatabaseUnavailableError(
          `The target's server can't read from the source: ${reason}. Give the address by which it can as --source.`,
          { cause: error },
        );
      });
  }

  async readProgress(): Promise<CopyProgress> {
    const [row] = await rowsOf<CopyProgress>(
      this.target,
      `select
         (select count(*) from pg_subscription_rel where srsubid = pg_subscription.oid and srsubstate = 'r') as tables,
         (select coalesce(sum(tuples_processed), 0) from pg_stat_progress_copy where datname = current_database()) as rows,
         (select apply_error_count + sync_error_count from pg_stat_subscription_stats where subid = pg_subscription.oid) as failures
       from pg_subscription where subname = '${this.#name}'`,
    );
    if (row === undefined) throw new DatabaseUnavailableError("The target's server no longer has the subscription.");
    return row;
  }

  /** Where the source's log ends. */
  async readEnd(): Promise<string> {
    const [row] = await rowsOf<{ position: string }>(this.source, 'select pg_current_wal_lsn()::text as position');
    return must(row).position;
  }

  /** How many bytes of the source's log before `end` the target has not yet stored; at most 0 when it has all. */
  async readLag(end: string): Promise<number> {
    const [row] = await rowsOf<{ lag: number | null; is_lost: boolean }>(
      this.source,
      `select pg_wal_lsn_diff('${end}', confirmed_flush_lsn) as lag, coalesce(wal_status = 'lost', false) as is_lost
       from pg_replication_slots where slot_name = '${this.#name}'`,
    );
    if (row === undefined || row.is_lost || row.lag === null) {
      throw new DatabaseUnavailableError(
        'The source no longer keeps what the target lacks (max_slot_wal_keep_size). Run this with --cancel, then move again.',
      );
    }
    return row.lag;
  }

  /** Ends it and leaves nothing of it on either side, except the copied rows. */
  async drop(): Promise<void> {
    const [subscription] = await rowsOf<{ oid: number }>(
      this.target,
      `select oid::bigint as oid from pg_subscription where subname = '${this.#name}'`,
    );
    if (subscription !== undefined) {
      await this.target.query(`drop subscription ${this.#name}`).catch(async () => {
        // Its slot is gone already, or the source can't be reached from there.
        await rowsOf(this.target, `alter subscription ${this.#name} disable`);
        await rowsOf(this.target, `alter subscription ${this.#name} set (slot_name = none)`);
        await rowsOf(this.target, `drop subscription ${this.#name}`);
      });
    }
    await this.#dropSlots(subscription === undefined ? [] : [`slot_name like 'pg\\_${subscription.oid}\\_sync\\_%'`]);
    await rowsOf(this.source, `drop publication if exists ${this.#name}`);
  }

  async #dropSlots(more: readonly string[]): Promise<void> {
    const condition = [`slot_name = '${this.#name}'`, ...more].join(' or ');
    const deadline = performance.now() + RELEASE_LIMIT_MS;
    for (;;) {
      const slots = await rowsOf<{ slot_name: string; active: boolean }>(
        this.source,
        `select slot_name, active from pg_replication_slots where database = current_database() and (${condition})`,
      );
      for (const { slot_name, active } of slots)
        if (!active) await rowsOf(this.source, `select pg_drop_replication_slot('${slot_name}')`);
      if (slots.every(({ active }) => !active)) return;
      if (performance.now() > deadline)
        throw new DatabaseUnavailableError(`The replication slot ${must(slots[0]).slot_name} is still in use.`);
      await delay(PAUSE_MS);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.source.end(), this.target.end()]);
  }
}

async function connectTo(name: string, text: string): Promise<Client> {
  const url = requirePostgresUrl(name, text);
  const client = new Client(clientConfig(url));
  // Without a listener a connection that breaks would end the process. The statement fails as well.
  client.on('error', () => {});
  try {
    await connectForMaintenance(client);
    return client;
  } catch (error) {
    await client.end();
    throw toUnavailableError(url, error);
  }
}

export async function rowsOf<Row extends QueryResultRow>(client: Client, text: string): Promise<Row[]> {
  try {
    return (await client.query<Row>(text)).rows;
  } catch (error) {
    throw toDatabaseError(error, 'writes');
  }
}

async function exists(client: Client, catalog: string, column: string, name: string): Promise<boolean> {
  return (await rowsOf(client, `select 1 from ${catalog} where ${column} = '${name}'`)).length > 0;
}

/** The version of a target, and what its role may do. */
async function readTarget(client: Client): Promise<{ version: number; isSuperuser: boolean }> {
  const [row] = await rowsOf<{ version: number; isSuperuser: boolean }>(
    client,
    `select current_setting('server_version_num')::integer / 10000 as version, rolsuper as "isSuperuser"
     from pg_roles where rolname = current_user`,
  );
  return must(row);
}
