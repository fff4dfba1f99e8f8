import { spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { userInfo, tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { type InstallCommand, runInstallCommands } from './installCommands.ts';

const DEBIAN = '/usr/lib/postgresql';
const OLDEST_MAJOR = 15;
/** A language that does not sort by bytes, as most servers have. */
const LANGUAGE = ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US'];
const INSTALL = ['apt-get', '-qq', 'install', '-y', '--no-install-recommends'] as const;
const CLUSTER_SETTINGS = '/etc/postgresql-common/createcluster.d';
const INSTALLATION: readonly InstallCommand[] = [
  ['apt-get', '-qq', 'update'],
  [...INSTALL, 'postgresql-common'],
  // Debian would create and start a server of its own.
  ['sh', '-c', `mkdir -p ${CLUSTER_SETTINGS} && echo "create_main_cluster = false" > ${CLUSTER_SETTINGS}/none.conf`],
  [...INSTALL, 'postgresql'],
];
const START_LIMIT_MS = 60_000;

/** Owns the database, as the operator's does, and no superuser: row-level security does not hold for one. */
const ROLE = 'sendroom';

export type PostgresServer = {
  /** An empty database, as the role that owns it. */
  url: string;
  /** The same server, as its superuser. */
  superuserUrl: string;
  pid: number;
  /** Aborts running statements. With `SIGQUIT` nothing more is written either (`pg_ctl stop -m immediate`). */
  stop: (signal?: 'SIGINT' | 'SIGQUIT') => Promise<void>;
};
type Settings = Readonly<Record<string, string>>;
/** The user that servers run as; null for the current one. */
type User = { uid: number; gid: number } | null;

/**
 * Starts a server with an empty database, in a temporary folder, reached through a socket there. With `kept`, data and
 * socket stay in that folder, and existing data is served. Installs PostgreSQL if it is missing and that is allowed;
 * otherwise throws one sentence that says what to do.
 */
export async function startPostgres(more: Settings = {}, dataFolder?: string): Promise<PostgresServer> {
  const server = await start(
    ['initdb', '-U', 'postgres', '--auth=trust', '--encoding=UTF8', ...LANGUAGE, '--no-sync'],
    more,
    dataFolder,
  );
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
  const from = ['-d', primary.superuserUrl, '--checkpoint=fast', '--write-recovery-conf'];
  return start(['pg_basebackup', ...from, '--no-sync'], more);
}

/** Starts a server on the data that `make` creates. */
async function start([make, ...how]: [string, ...string[]], more: Settings, kept?: string): Promise<PostgresServer> {
  const programs = obtainPostgres();
  const user = unprivileged();
  const folder = createFolder(user);
  const data = kept ?? join(folder, 'data');
  if (!existsSync(join(data, 'PG_VERSION'))) {
    mkdirSync(data, { mode: 0o700 });
    if (user !== null) chownSync(data, user.uid, user.gid);
    const { status, stderr } = spawnSync(join(programs, make), ['-D', data, ...how], {
      ...user,
      cwd: folder,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`PostgreSQL could not make a database: ${stderr.trim()}`);
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

/**
 * The folder of `postgres` and `initdb`. Installs them if they are missing. Throws one sentence that says what to do.
 */
export function obtainPostgres(): string {
  const found = findPrograms();
  if (found !== null) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stdout.write('No PostgreSQL here: installing the one of this distribution ...\n');
    const failure = runInstallCommands(INSTALLATION);
    if (failure !== null) process.stdout.write(`That failed: ${failure}\n`);
    const installed = findPrograms();
    if (installed !== null) return installed;
  }
  throw new Error(
    `No PostgreSQL ${OLDEST_MAJOR} or later was found: install it, or set TEST_DATABASE_URL to an empty database of a server, and run this again.`,
  );
}

function findPrograms(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => existsSync(join(folder, 'postgres')));
  const onPath = folders.map((folder) => dirname(realpathSync(join(folder, 'postgres'))));
  const packaged = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((major) => join(DEBIAN, major, 'bin')) : [];
  return [...onPath, ...packaged].find(isRecent) ?? null;
}

function isRecent(folder: string): boolean {
  if (!existsSync(join(folder, 'initdb'))) return false;
  const { stdout } = spawnSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' });
  return Number(/\d+/.exec(stdout)?.[0] ?? 0) >= OLDEST_MAJOR;
}

/** PostgreSQL refuses to run as root. */
export function unprivileged(): User {
  if (userInfo().uid !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (user === undefined) throw new Error('PostgreSQL needs a user that is not root: add one called postgres.');
  return { uid: Number(user[2]), gid: Number(user[3]) };
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
