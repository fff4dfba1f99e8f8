import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Everything the built console depends on; a change in one of these asks for a new build. */
const SOURCES = [
  'contract',
  'index.html',
  'package-lock.json',
  'postcss.config.mjs',
  'public',
  'server/headers.ts',
  'src',
  'vite.config.ts',
];
const FINGERPRINT = '.sources';

/**
 * Builds the console into `dist` unless it is there already, made from the very same sources. Gives the folder to
 * serve. `announce` hears one sentence before the build starts.
 */
export async function ensureConsole(root: string, announce: (sentence: string) => void): Promise<string> {
  const dist = join(root, 'dist');
  const fingerprint = await fingerprintOf(root);
  if ((await readIfThere(join(dist, FINGERPRINT))) === fingerprint) return dist;
  announce('Building the console ...');
  // Not at the top: a service with a finished build runs without Vite and the other development dependencies.
  const { build } = await import('vite');
  await build({ root, logLevel: 'warn' });
  await writeFile(join(dist, FINGERPRINT), fingerprint);
  return dist;
}

async function fingerprintOf(root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of (await Promise.all(SOURCES.map((source) => filesIn(root, source)))).flat()) {
    const content = await readFile(join(root, path));
    hash.update(`${path} ${content.byteLength}\n`).update(content);
  }
  return hash.digest('hex');
}

/** The files at or below `path`, in an order that does not depend on the file system; tests are no part of a build. */
async function filesIn(root: string, path: string): Promise<string[]> {
  const entries = await readdir(join(root, path), { withFileTypes: true, recursive: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOTDIR') return null;
    throw error;
  });
  if (entries === null) return [path];
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted();
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}
