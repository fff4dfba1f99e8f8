import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectDependencies, nameOf, type Lock, type Manifest } from './lockFile.ts';

// The shipped packages: those that the service needs to run, and those built into the console, which are development
// dependencies.

const ROOT = join(import.meta.dirname, '..');
const SPECIFIER = /(?:\bfrom |\bimport |\bimport\(|@import |\burl\()['"]([^'".#/][^'"]*)['"]/g;

export type ShippedPackage = {
  name: string;
  version: string;
  /** An SPDX expression, from the package. */
  licence: string;
  part: 'service' | 'console' | 'both';
};

/** Sorted by name. */
export function listShippedPackages(lock: Lock, { dependencies, optionalDependencies }: Manifest): ShippedPackage[] {
  const service = collectDependencies(lock, Object.keys({ ...dependencies, ...optionalDependencies }));
  const console = collectDependencies(lock, listConsolePackages());
  return [...service.union(console)]
    .map((folder) => ({
      name: nameOf(folder),
      version: lock.packages[folder]?.version ?? '',
      licence: lock.packages[folder]?.license ?? 'unknown',
      part: partOf(service.has(folder), console.has(folder)),
    }))
    .toSorted((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

function partOf(isService: boolean, isConsole: boolean): ShippedPackage['part'] {
  if (isService && isConsole) return 'both';
  return isService ? 'service' : 'console';
}

/** The packages that the sources of the console import. Which of them are in the bundle is decided by the bundler. */
function listConsolePackages(): string[] {
  const sources = globSync(['src/**/*.{ts,tsx,css}', 'contract/**/*.ts'], { cwd: ROOT }).filter(
    (path) => !/(\.test\.tsx?|\/test\w+\.tsx?)$/.test(path),
  );
  const specifiers = sources.flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(SPECIFIER)].map(([, specifier = '']) => specifier),
  );
  const names = specifiers.map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '');
  return [...new Set(names)].filter((name) => !name.startsWith('node:'));
}
