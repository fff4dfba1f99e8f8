import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// Reads package-lock.json: finds what would let unknown code in, and the dependencies of packages.

const ROOT = join(import.meta.dirname, '..');

export type Manifest = {
  name: string;
  dependencies?: Readonly<Record<string, string>>;
  devDependencies?: Readonly<Record<string, string>>;
  optionalDependencies?: Readonly<Record<string, string>>;
  bundleDependencies?: readonly string[];
  /** The packages that may run a program during installation (`npm help install-scripts`). */
  allowScripts?: Readonly<Record<string, boolean>>;
};

export type LockEntry = {
  version: string;
  integrity?: string;
  resolved?: string;
  license?: string;
  hasInstallScript?: boolean;
  dependencies?: Readonly<Record<string, string>>;
  optionalDependencies?: Readonly<Record<string, string>>;
};

/** By folder, such as `node_modules/pg`; the empty one is the project itself. */
export type Lock = { readonly packages: Readonly<Record<string, LockEntry>> };

export const readManifest = () => readJson('package.json') as Manifest;
export const readLock = () => readJson('package-lock.json') as Lock;

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

export const nameOf = (folder: string) => folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** A sentence for each error in the lock file and its manifest. */
export function findLockErrors(lock: Lock, manifest: Manifest): string[] {
  const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = manifest;
  const { bundleDependencies = [], allowScripts = {} } = manifest;
  const faults: string[] = [];
  for (const [folder, entry] of Object.entries(lock.packages)) {
    if (folder !== '') {
      if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? '')) faults.push(`${folder} has no integrity.`);
      if (entry.resolved !== undefined) faults.push(`${folder} names an address to load it from.`);
    }
    if (entry.hasInstallScript && allowScripts[nameOf(folder)] === undefined)
      faults.push(`${folder} has an install script, which allowScripts does not name.`);
    // npm silently leaves out what the registry did not have at that moment, and never looks for it again.
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const found = lock.packages[resolveFrom(lock, folder, name) ?? ''];
      const isThere = found !== undefined && (!/^\d/.test(version) || found.version === version);
      if (!isThere) faults.push(`${folder} has ${name} ${version} for another platform, and the lock does not.`);
    }
  }
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
    if (!/^\d+\.\d+\.\d+$/.test(version)) faults.push(`package.json asks for ${name} ${version}, no exact version.`);
  }
  if (bundleDependencies.toSorted().join() !== Object.keys(dependencies).toSorted().join())
    faults.push('bundleDependencies are not the dependencies.');
  return faults;
}

/** The folders of the packages `names`, resolved from the folder `from`, and of all their dependencies. */
export function collectDependencies(
  lock: Lock,
  names: readonly string[],
  from = '',
  reached = new Set<string>(),
): Set<string> {
  for (const name of names) {
    const folder = resolveFrom(lock, from, name);
    if (folder === null || reached.has(folder)) continue;
    reached.add(folder);
    const { dependencies, optionalDependencies } = lock.packages[folder] ?? {};
    collectDependencies(lock, Object.keys({ ...dependencies, ...optionalDependencies }), folder, reached);
  }
  return reached;
}

/** As Node resolves a package: in the folder itself, then in each parent. */
function resolveFrom({ packages }: Lock, folder: string, name: string): string | null {
  const found = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
  if (found in packages) return found;
  if (folder === '') return null;
  return resolveFrom({ packages }, folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1)), name);
}
