import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Everything that the built console depends on. A change in one of these requires a new build. */
const SOURCES = [
  'CHANGELOG.md',
  'contract',
  'index.html',
  'package-lock.json',
  'public',
  'server/console',
  'server/http/files/headers.ts',
  'server/http/files/pageStarts.ts',
  'shared.html',
  'src',
  'vite.config.ts',
];
const FINGERPRINT = '.sources';

/** There is no console to serve. The message is one sentence for the operator. */
export class ConsoleMissingError extends Error {
  override readonly name = 'ConsoleMissingError';
}

/**
 * Returns the folder of the built console. With sources, it is built first unless it was built from the same ones;
 * `announce` is called with a sentence before. An installed package has no sources, and contains the built console.
 * Throws `ConsoleMissingError`.
 */
export async function ensureConsole(root: string, announce: (sentence: string) => void): Promise<string> {
  const dist = join(root, 'dist');
  if (!existsSync(join(root, 'src'))) return dist;
  if ((await readOptionalFile(join(dist, FINGERPRINT))) === (await hashSources(root))) return dist;
  if (!isInstalled('vite')) {
    throw new ConsoleMissingError(
      'The console is not built, and what builds it is not installed: npm ci && npm run build',
    );
  }
  announce('Building the console ...');
  await buildInSubprocess(root);
  return dist;
}

/** Stores what the console in `folder` was built from: the fingerprint that was taken before the build. */
export async function writeFingerprint(folder: string, fingerprint: string): Promise<void> {
  await writeFile(join(folder, FINGERPRINT), fingerprint);
}

/**
 * Puts `made` where `folder` is, while other processes may do the same with theirs: the last one stays. Both have to be in
 * one file system.
 */
export async function replaceFolder(made: string, folder: string): Promise<void> {
  const former = `${made}-former`;
  do {
    await rm(former, { recursive: true, force: true });
    await move(folder, former, ['ENOENT']);
    // Another process may have put its own there meanwhile.
  } while (!(await move(made, folder, ['ENOTEMPTY', 'EEXIST'])));
}

/** False where it failed for one of the reasons in `harmless`. */
async function move(from: string, to: string, harmless: readonly string[]): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (harmless.includes(String(codeOf(error)))) return false;
    throw error;
  }
}

/** In a separate process, whose memory is freed at its end: a build takes several times the memory of the service. */
async function buildInSubprocess(root: string): Promise<void> {
  const script = join(import.meta.dirname, 'buildConsole.ts');
  // Warnings and errors go to standard error.
  const child = spawn(process.execPath, [script, root], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new ConsoleMissingError('The console could not be built.');
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch (error) {
    if (codeOf(error) === 'MODULE_NOT_FOUND') return false;
    throw error;
  }
}

/** The fingerprint of the sources of the console: a SHA-256 over their paths and contents, in hex. */
export async function hashSources(root: string): Promise<string> {
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

async function readOptionalFile(path: string): Promise<string | null> {
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
