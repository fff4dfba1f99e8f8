import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const PROGRAMS = ['knotd', 'knotc', 'named', 'named-checkzone', 'dnssec-keygen', 'dnssec-signzone'] as const;
export type Program = (typeof PROGRAMS)[number];

export type Programs = { paths: Record<Program, string>; env: NodeJS.ProcessEnv };

const PACKAGES = ['knot', 'bind9'];
const KEPT = join(import.meta.dirname, '../../../node_modules/.cache/name-servers');
const MINUTES_MAX = 5;

/**
 * The name servers of this machine; where it has none, Debian's, unpacked into `folder`. Nothing is installed, so that no
 * server starts with the machine, and that it takes no rights. Throws one sentence that says what to do.
 */
export function obtainPrograms(folder: string): Programs {
  const system = (process.env.PATH ?? '').split(delimiter);
  const here = find([...system, '/usr/sbin', '/usr/bin'], process.env);
  if (here !== null) return here;
  try {
    if (!existsSync(KEPT)) fetchPackages();
    for (const file of readdirSync(KEPT)) run('dpkg-deb', '-x', join(KEPT, file), folder);
  } catch (error) {
    throw new Error(
      `The DNS lab needs ${PACKAGES.join(' and ')} of Debian, which are not here and could not be fetched: install them and run this again (${(error as Error).message}).`,
      { cause: error },
    );
  }
  const libraries = readdirSync(join(folder, 'usr/lib')).map((name) => join(folder, 'usr/lib', name));
  const env = { ...process.env, LD_LIBRARY_PATH: libraries.join(delimiter) };
  const unpacked = find([join(folder, 'usr/sbin'), join(folder, 'usr/bin')], env);
  if (unpacked === null) throw new Error(`The packages in ${KEPT} lack a name server: delete them and run this again.`);
  return unpacked;
}

function find(folders: readonly string[], env: NodeJS.ProcessEnv): Programs | null {
  const paths = PROGRAMS.map((name) => [name, folders.map((folder) => join(folder, name)).find(existsSync)] as const);
  if (paths.some(([, path]) => path === undefined)) return null;
  return { paths: Object.fromEntries(paths) as Programs['paths'], env };
}

/** With lists of packages of its own, for those of the machine may be missing, and belong to root. */
function fetchPackages(): void {
  const work = mkdtempSync(join(tmpdir(), 'sendroom-packages-'));
  const archives = join(work, 'archives');
  const settings = [
    `Dir::State=${work}`,
    `Dir::State::lists=${work}/lists`,
    'Dir::State::status=/var/lib/dpkg/status',
    `Dir::Cache=${work}`,
    `Dir::Cache::archives=${archives}`,
    'Debug::NoLocking=true',
    'APT::Sandbox::User=',
    'APT::Update::Error-Mode=any',
  ].flatMap((setting) => ['-o', setting]);
  try {
    for (const place of [join(work, 'lists/partial'), join(archives, 'partial')]) mkdirSync(place, { recursive: true });
    run('apt-get', '-qq', ...settings, 'update');
    run('apt-get', '-qq', ...settings, 'install', '-y', '--no-install-recommends', '--download-only', ...PACKAGES);
    rmSync(join(archives, 'partial'), { recursive: true });
    rmSync(join(archives, 'lock'), { force: true });
    keep(archives);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** All of them or none, also when two processes fetch at once. */
function keep(archives: string): void {
  const arriving = `${KEPT}.${process.pid}`;
  cpSync(archives, arriving, { recursive: true });
  if (existsSync(KEPT)) rmSync(arriving, { recursive: true });
  else renameSync(arriving, KEPT);
}

function run(file: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(file, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: MINUTES_MAX * 60_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) throw new Error(error?.message ?? stderr.trim().split('\n')[0] ?? `${file} ended with ${status}`);
}
