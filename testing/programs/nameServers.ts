import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { downloadPackages, environmentOf, type PackageSet, unpackPackages } from './debianPackages.ts';

const NAME_SERVERS: PackageSet = { name: 'name-servers-and-nsupdate', packages: ['knot', 'bind9', 'bind9-dnsutils'] };
/** pyspf and libopendmarc, which judge records independently (testing/lab/secondOpinion.ts). */
export const SECOND_OPINIONS: PackageSet = {
  name: 'second-opinions',
  packages: ['python3-spf', 'python3-dns', 'libopendmarc2'],
};
const IP: PackageSet = { name: 'ip', packages: ['iproute2'] };

const PROGRAMS = [
  'knotd',
  'knotc',
  'named',
  'named-checkzone',
  'nsupdate',
  'dnssec-keygen',
  'dnssec-signzone',
  'dnssec-dsfromkey',
] as const;
export type NameServerProgram = (typeof PROGRAMS)[number];

export type NameServers = { paths: Record<NameServerProgram, string>; env: NodeJS.ProcessEnv };

/**
 * The name servers of this machine; what it lacks of them is Debian's, unpacked into `folder`. Throws one sentence that says what to do.
 */
export function obtainNameServers(folder: string): NameServers {
  const here = find(systemFolders(), process.env);
  if (here !== null) return here;
  unpack(NAME_SERVERS, folder);
  // apt does not download what this machine has installed.
  const places = [join(folder, 'usr/sbin'), join(folder, 'usr/bin'), ...systemFolders()];
  const unpacked = find(places, environmentOf(folder));
  if (unpacked === null)
    throw new Error(`Of ${PROGRAMS.join(', ')} one is missing: install knot, bind9 and bind9-dnsutils.`);
  return unpacked;
}

/**
 * Downloads what the lab needs and this machine lacks, while there is a network. Throws one sentence that says what to
 * do.
 */
export function fetchNameServers(): void {
  const folder = mkdtempSync(join(tmpdir(), 'sendroom-name-servers-'));
  try {
    obtainNameServers(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Downloads the packages of the second opinions, while there is a network. */
export function fetchSecondOpinions(): void {
  downloadPackages(SECOND_OPINIONS);
}

/**
 * Path of `ip`: that of this machine, or of a folder that this process removes at its end. Throws one sentence that
 * says what to do.
 */
export function obtainIp(): string {
  const here = systemFolders().map((folder) => join(folder, 'ip'));
  const found = here.find(existsSync);
  if (found !== undefined) return found;
  const folder = mkdtempSync(join(tmpdir(), 'sendroom-ip-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  unpack(IP, folder);
  // The unpacked program needs its libraries, and no other program may see them.
  const wrapper = join(folder, 'ip');
  const { LD_LIBRARY_PATH = '' } = environmentOf(folder);
  const program = ['sbin/ip', 'bin/ip', 'usr/sbin/ip', 'usr/bin/ip'].map((path) => join(folder, path)).find(existsSync);
  writeFileSync(wrapper, script(program ?? '', LD_LIBRARY_PATH), { mode: 0o755 });
  return wrapper;
}

const script = (program: string, libraries: string) =>
  `#!/bin/sh\nLD_LIBRARY_PATH='${libraries}' exec '${program}' "$@"\n`;

function systemFolders(): string[] {
  return [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin', '/sbin'];
}

function unpack(set: PackageSet, folder: string): void {
  download(set);
  unpackPackages(set, folder);
}

function download(set: PackageSet): void {
  try {
    downloadPackages(set);
  } catch (error) {
    throw new Error(
      `The DNS lab needs ${set.packages.join(' and ')} of Debian, which are not here and could not be fetched: install them and run this again (${(error as Error).message}).`,
      { cause: error },
    );
  }
}

function find(folders: readonly string[], env: NodeJS.ProcessEnv): NameServers | null {
  const paths = PROGRAMS.map((name) => [name, folders.map((folder) => join(folder, name)).find(existsSync)] as const);
  if (paths.some(([, path]) => path === undefined)) return null;
  return { paths: Object.fromEntries(paths) as NameServers['paths'], env };
}
