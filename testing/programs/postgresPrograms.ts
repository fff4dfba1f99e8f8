import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { type InstallCommand, runInstallCommands } from './installCommands.ts';
import { installOnce } from './installOnce.ts';

// PostgreSQL of this machine or, with `TEST_POSTGRES=18`, of a package of testing/programs/postgresql.

const DEBIAN = '/usr/lib/postgresql';
const OLDEST_MAJOR = 15;
const INSTALL = ['apt-get', '-qq', 'install', '-y', '--no-install-recommends'] as const;
const CLUSTER_SETTINGS = '/etc/postgresql-common/createcluster.d';
const INSTALLATION: readonly InstallCommand[] = [
  ['apt-get', '-qq', 'update'],
  [...INSTALL, 'postgresql-common'],
  // Debian would create and start a server of its own.
  ['sh', '-c', `mkdir -p ${CLUSTER_SETTINGS} && echo "create_main_cluster = false" > ${CLUSTER_SETTINGS}/none.conf`],
  [...INSTALL, 'postgresql'],
];

const PACKAGES = join(import.meta.dirname, 'postgresql');
const PREFIX = 'postgres-';
/** The values of TEST_POSTGRES. */
export const PACKAGED_MAJORS: readonly string[] = Object.keys(
  (JSON.parse(readFileSync(join(PACKAGES, 'package.json'), 'utf8')) as { dependencies: object }).dependencies,
).map((name) => name.slice(PREFIX.length));

/** The user that servers run as; null for the current one. */
export type User = { uid: number; gid: number } | null;

/**
 * The folder of `postgres` and `initdb` that tests run. Installs them if they are missing. Throws one sentence that says
 * what to do.
 */
export function obtainPostgres(): string {
  const major = process.env.TEST_POSTGRES;
  return major ? obtainPackaged(major) : obtainInstalled();
}

/** The folder of all programs of this machine's PostgreSQL, as `obtainPostgres` returns it. */
export function obtainInstalled(): string {
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

/** Why this machine cannot run the packages, as a sentence; null when it can. */
export function describeMissingPackages(): string | null {
  if (process.platform === 'linux' && process.arch === 'x64') return null;
  return `The packages of PostgreSQL ${PACKAGED_MAJORS.join(', ')} are for Linux on x64, so tests run on this machine's PostgreSQL only.`;
}

/** The folder of `postgres` and `initdb` of a major in PACKAGED_MAJORS. The packages contain no other client programs. */
export function obtainPackaged(major: string): string {
  const missing = describeMissingPackages();
  if (missing !== null) throw new Error(missing);
  if (!PACKAGED_MAJORS.includes(major))
    throw new Error(`TEST_POSTGRES is ${major}, which is none of ${PACKAGED_MAJORS.join(', ')}.`);
  installOnce(PACKAGES);
  const folder = join(PACKAGES, 'node_modules', PREFIX + major);
  linkLibraries(folder);
  const programs = join(folder, 'native/bin');
  const { status, stderr, error } = spawnSync(join(programs, 'postgres'), ['--version'], {
    ...unprivileged(),
    cwd: '/',
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new Error(`PostgreSQL's user cannot run ${programs}/postgres: ${error?.message ?? stderr.trim()}`);
  return programs;
}

/** As the package's install script does, which isn't run. A package of npm holds no links. */
function linkLibraries(folder: string): void {
  const text = readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    const link = join(folder, target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

export function findPrograms(): string | null {
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
