import { hash } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Pool, type PoolClient } from 'pg';

// The database of plainService.ts, on node:sqlite or pg as each is usually used.

type Value = string | number;
type Run = <Row>(sql: string, values: readonly Value[]) => Promise<Row[]>;
export type PlainDatabase = {
  read: Run;
  write: <Result>(work: (run: Run) => Promise<Result>) => Promise<Result>;
  /** What makes a read of a row lock it. */
  forUpdate: string;
  close: () => Promise<void>;
};

export function plainTables(url: string): string[] {
  const id = url.startsWith('file:') ? 'integer primary key' : 'bigserial primary key';
  return [
    'create table tokens (hash text primary key, uuid text not null, workspace_id bigint not null)',
    `create table contacts (id ${id}, workspace_id bigint not null, uuid text not null unique, email text not null,
    subscribed integer not null, attributes text not null, created_at bigint not null, updated_at bigint not null,
    unique (workspace_id, email))`,
    `create table history (id ${id}, workspace_id bigint not null, contact_id bigint not null, at bigint not null, actor text not null,
    action text not null, changes text not null)`,
    'create index history_of_contact on history (contact_id, id)',
    `create table events (uuid text primary key, workspace_id bigint not null, contact_id bigint not null, created_at bigint not null,
    event_name text not null, attributes text not null)`,
    'create index events_of_contact on events (contact_id, created_at)',
  ];
}

export async function openPlainDatabase(url: string): Promise<PlainDatabase> {
  return url.startsWith('file:') ? onSqlite(url.slice('file:'.length)) : onPostgres(url);
}

/** Its statements block, so one transaction follows the other. */
function onSqlite(file: string): PlainDatabase {
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  const statements = new Map<string, StatementSync>();
  const run: Run = async <Row>(sql: string, values: readonly Value[]) =>
    statements.getOrInsertComputed(sql, () => database.prepare(sql)).all(...values) as Row[];
  let last: Promise<unknown> = Promise.resolve();
  const transact = async <Result>(work: (run: Run) => Promise<Result>) => {
    database.exec('begin immediate');
    try {
      const result = await work(run);
      database.exec('commit');
      return result;
    } catch (error) {
      database.exec('rollback');
      throw error;
    }
  };
  const write: PlainDatabase['write'] = (work) => {
    const result = last.then(() => transact(work));
    last = result.catch(() => {});
    return result;
  };
  return { read: run, write, forUpdate: '', close: async () => database.close() };
}

const runOn =
  (client: Pool | PoolClient): Run =>
  async <Row>(sql: string, values: readonly Value[]) => {
    let place = 0;
    const text = sql.replaceAll('?', () => `$${++place}`);
    return (await client.query({ name: hash('md5', text), text, values: [...values] })).rows as Row[];
  };

function onPostgres(url: string): PlainDatabase {
  const pool = new Pool({ connectionString: url, max: 10 });
  return {
    read: runOn(pool),
    forUpdate: ' for update',
    close: () => pool.end(),
    async write(work) {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const result = await work(runOn(client));
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    },
  };
}
