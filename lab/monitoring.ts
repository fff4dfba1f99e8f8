import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { environmentOf, type PackageSet, unpackPackages } from './debianPackages.ts';

const PACKAGES: PackageSet = { name: 'prometheus', packages: ['prometheus'] };

/** Paths of the programs, and the environment that they need. */
export type Monitoring = { prometheus: string; promtool: string; env: NodeJS.ProcessEnv };

/** Prometheus of this machine; where it has none, Debian's, unpacked into `folder`. Throws one sentence that says what to do. */
export function obtainMonitoring(folder: string): Monitoring {
  const here = find((process.env.PATH ?? '').split(delimiter), process.env);
  if (here !== null) return here;
  try {
    unpackPackages(PACKAGES, folder);
  } catch (error) {
    throw new Error(
      `The checks of the alerts need prometheus of Debian, which is not here and could not be fetched: install it and run this again (${(error as Error).message}).`,
      { cause: error },
    );
  }
  const unpacked = find([join(folder, 'usr/bin')], environmentOf(folder));
  if (unpacked === null) throw new Error('The package prometheus lacks a program: run npm ci and this again.');
  return unpacked;
}

/** Fetches it where this machine lacks it, while there is a network. */
export function fetchMonitoring(): void {
  const folder = mkdtempSync(join(tmpdir(), 'sendroom-monitoring-'));
  try {
    obtainMonitoring(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function find(folders: readonly string[], env: NodeJS.ProcessEnv): Monitoring | null {
  const folder = folders.find((each) => ['prometheus', 'promtool'].every((name) => existsSync(join(each, name))));
  if (folder === undefined) return null;
  return { prometheus: join(folder, 'prometheus'), promtool: join(folder, 'promtool'), env };
}
