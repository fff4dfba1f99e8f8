import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/**
 * Debian packages with their dependencies, downloaded and unpacked, never installed. So no server starts with the
 * machine, and no rights are needed.
 */
export type PackageSet = { readonly name: string; readonly packages: readonly string[] };

const CACHE_FOLDER = join(import.meta.dirname, '../../node_modules/.cache/debian-packages');
const MINUTES_MAX = 5;

/** Unpacks a set into `folder`, and downloads it first if needed. Throws the output of the program that failed. */
export function unpackPackages(set: PackageSet, folder: string): void {
  const kept = downloadPackages(set);
  for (const file of readdirSync(kept)) run('dpkg-deb', '-x', join(kept, file), folder);
}

/**
 * Downloads a set, unless it was downloaded before, and returns the folder that keeps it. Throws the output of the
 * program that failed.
 */
export function downloadPackages({ name, packages }: PackageSet): string {
  const kept = join(CACHE_FOLDER, name);
  if (!existsSync(kept)) fetchPackages(packages, kept);
  return kept;
}

/** A program, and the environment that it needs. */
export type Program = { path: string; env: NodeJS.ProcessEnv };

const FOLDERS = ['usr/bin', 'usr/sbin', 'bin', 'sbin'];

/**
 * The path of a program of this machine or, if it has none, of Debian's, unpacked into `folder`. `packages` are those
 * that contain it, without dependencies. Throws one sentence that says what is missing.
 */
export function obtainProgram(folder: string, name: string, packages: readonly string[] = [name]): Program {
  const places = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  const installed = places.map((place) => join(place, name)).find(existsSync);
  if (installed !== undefined) return { path: installed, env: process.env };
  const unpacked = join(folder, `debian-${packages[0]}`);
  try {
    if (!existsSync(unpacked)) unpackPackages({ name: packages.join('+'), packages }, unpacked);
  } catch (error) {
    const missing = `This needs ${packages.join(' and ')} of Debian, which are not here and could not be fetched`;
    throw new Error(`${missing} (${(error as Error).message}).`, { cause: error });
  }
  const path = FOLDERS.map((place) => join(unpacked, place, name)).find(existsSync);
  if (path === undefined) throw new Error(`${packages.join(' and ')} of Debian hold no ${name}.`);
  return { path, env: { ...environmentOf(unpacked), PYTHONPATH: join(unpacked, 'usr/lib/python3/dist-packages') } };
}

/**
 * Downloads a program that this machine lacks, while there is a network. Throws one sentence that says what is missing.
 */
export function fetchProgram(name: string): void {
  const folder = mkdtempSync(join(tmpdir(), `sendroom-${name}-`));
  try {
    obtainProgram(folder, name);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The environment that the programs in `folder` need. */
export function environmentOf(folder: string): NodeJS.ProcessEnv {
  // Libraries are in a folder of the architecture, and of some packages in the folder above it.
  const places = ['usr/lib', 'lib'].map((place) => join(folder, place)).filter(existsSync);
  const paths = places.flatMap((place) => [place, ...readdirSync(place).map((name) => join(place, name))]);
  return { ...process.env, LD_LIBRARY_PATH: paths.join(delimiter) };
}

/** Uses package lists of its own, because those of the machine may be missing, and belong to root. */
function fetchPackages(packages: readonly string[], kept: string): void {
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
    run('apt-get', '-qq', ...settings, 'install', '-y', '--no-install-recommends', '--download-only', ...packages);
    rmSync(join(archives, 'partial'), { recursive: true });
    rmSync(join(archives, 'lock'), { force: true });
    storePackages(archives, kept);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Renamed as a whole, so that two processes may download at once. */
function storePackages(archives: string, kept: string): void {
  const arriving = `${kept}.${process.pid}`;
  mkdirSync(CACHE_FOLDER, { recursive: true });
  cpSync(archives, arriving, { recursive: true });
  if (existsSync(kept)) rmSync(arriving, { recursive: true });
  else renameSync(arriving, kept);
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
