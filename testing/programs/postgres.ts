import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { must } from '../../contract/values/must.ts';
import { obtainPostgres, unprivileged, type User } from './postgresPrograms.ts';

/** A language that does not sort by bytes, as most servers have. */
const LANGUAGE = ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US'];
/** Parameters: the folder to copy, the folder to copy it to, and options of the first `tar`. */
const COPY = 'from=$1 to=$2; shift 2; tar -C "$from" "$@" -cf - . | tar -C "$to" -xf -';
const START_LIMIT_MS = 60_000;

/** Owns the database, as the operator's does, and no superuser: row-level security does not hold for one. */
const ROLE = 'sendroom';

export type PostgresServer = {
  /** An empty database, as the role that owns it. */
  url: string;
  /** The same server, as its superuser. */
  superuserUrl: string;
  pid: number;
  /**
   * Aborts running statements. With `SIGQUIT` nothing more is written either (`pg_ctl stop -m immediate`), nor with `SIGKILL`, after which
   * its other processes end by themselves.
   */
  stop: (signal?: 'SIGINT' | 'SIGQUIT' | 'SIGKILL') => Promise<void>;
};
export type Settings = Readonly<Record<string, string>>;
/** Writes the data of a server into the empty folder `data`, as `user`. */
type MakeData = (data: string, user: User, programs: string) => Promise<void> | void;

/**
 * Starts a server with an empty database, in a temporary folder, reached through a socket there. With `kept`, data and
 * socket stay in that folder, and existing data is served. Installs PostgreSQL if it is missing and that is allowed;
 * otherwise throws one sentence that says what to do.
 */
export async function startPostgres(more: Settings = {}, dataFolder?: string): Promise<PostgresServer> {
  const how = ['-U', 'postgres', '--auth=trust', '--encoding=UTF8', ...LANGUAGE, '--no-sync'];
  const make: MakeData = (data, user, programs) => run(user, join(programs, 'initdb'), '-D', data, ...how);
  const server = await start(make, more, dataFolder);
  await createDatabase(server.superuserUrl);
  return server;
}

/** Creates the role and its database, unless the server has them. */
export async function createDatabase(superuserUrl: string): Promise<void> {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  const { rowCount } = await client.query('select from pg_database where datname = $1', [ROLE]);
  if (rowCount === 0) {
    await client.query(`create role ${ROLE} login createdb createrole`);
    await client.query(`create database ${ROLE} owner ${ROLE}`);
  }
  await client.end();
}

/** Starts a hot standby of `primary`, which must run until it stops. */
export function startStandby(primary: PostgresServer, more: Settings = {}): Promise<PostgresServer> {
  return start((data, user) => copyData(primary, data, user), { ...more, primary_conninfo: primary.superuserUrl });
}

/** Does what `pg_basebackup` does, because not every package of a server contains it. */
async function copyData({ superuserUrl }: PostgresServer, data: string, user: User): Promise<void> {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    await client.query(`select pg_backup_start('standby', true)`);
    const exclude = ['postmaster.*', 'pg_wal/*', 'pg_replslot/*'].map((path) => `--exclude=./${path}`);
    // A file that vanishes meanwhile is no fault: the log that the standby reads accounts for it.
    run(user, 'sh', '-c', COPY, 'sh', must(rows[0]).data_directory, data, ...exclude);
    const stopped = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    for (const [name, text] of [
      ['backup_label', must(stopped.rows[0]).labelfile],
      ['standby.signal', ''],
    ] as const) {
      writeFileSync(join(data, name), text);
      if (user !== null) chownSync(join(data, name), user.uid, user.gid);
    }
  } finally {
    await client.end();
  }
}

/** Throws what the program wrote if it fails. */
function run(user: User, file: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(file, args, { ...user, cwd: tmpdir(), encoding: 'utf8' });
  if (status !== 0) throw new Error(`PostgreSQL could not make a database: ${error?.message ?? stderr.trim()}`);
}

async function start(make: MakeData, more: Settings, kept?: string): Promise<PostgresServer> {
  const programs = obtainPostgres();
  const user = unprivileged();
  const folder = createFolder(user);
  const data = kept ?? join(folder, 'data');
  if (!existsSync(join(data, 'PG_VERSION'))) {
    mkdirSync(data, { mode: 0o700 });
    if (user !== null) chownSync(data, user.uid, user.gid);
    await make(data, user, programs);
  }
  const sockets = kept ?? folder;
  const settings = { listen_addresses: '', unix_socket_directories: sockets, max_connections: 300, ...more };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return serve(folder, user, [join(programs, 'postgres'), '-D', data, ...options], sockets, 5432);
}

/**
 * Starts pgbouncer in front of every database of `server`, configured as in docs/scaling.md. Throws if it is not
 * installed; on Debian its package has that name.
 */
export async function startPgbouncer({ url }: PostgresServer): Promise<PostgresServer> {
  const user = unprivileged();
  const folder = createFolder(user);
  const settings = `[databases]
* = host=${new URL(url).searchParams.get('host')} user=${ROLE}
[pgbouncer]
pool_mode = transaction
ignore_startup_parameters = options
auth_type = any
unix_socket_dir = ${folder}
max_client_conn = 1000
`;
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, settings);
  return serve(folder, user, ['pgbouncer', file], folder, 6432);
}

function createFolder(user: User): string {
  const folder = mkdtempSync(join(tmpdir(), 'sendroom-postgres-'));
  if (user !== null) chownSync(folder, user.uid, user.gid);
  return folder;
}

/** Runs a server in `folder` until it answers in `sockets`. The folder is removed when it stops. */
async function serve(
  folder: string,
  user: User,
  [program, ...parameters]: [string, ...string[]],
  sockets: string,
  port: number,
): Promise<PostgresServer> {
  const toUrl = (name: string) => `postgres://${name}@localhost:${port}/${name}?host=${encodeURIComponent(sockets)}`;
  const superuserUrl = toUrl('postgres');
  const server = spawn(program, parameters, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  // The server ends with a run that breaks off.
  const end = () => server.kill('SIGQUIT');
  process.once('exit', end);
  let log = '';
  server.on('error', (error) => (log = error.message));
  server.stderr.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-2000)));
  const ended = new Promise((resolve) => server.once('close', resolve));
  const stop: PostgresServer['stop'] = async (signal = 'SIGINT') => {
    server.kill(signal);
    await ended;
    process.off('exit', end);
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = performance.now() + START_LIMIT_MS;
  while (!(await canConnect(superuserUrl))) {
    if (server.exitCode !== null || server.pid === undefined || performance.now() > deadline) {
      await stop();
      throw new Error(`${basename(program)} did not start: ${log}`);
    }
    await delay(20);
  }
  return { url: toUrl(ROLE), superuserUrl, pid: server.pid ?? 0, stop };
}

async function canConnect(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
