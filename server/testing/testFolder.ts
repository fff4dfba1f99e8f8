import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type TestFolder = AsyncDisposable & { path: string };

export async function createTestFolder(files: Readonly<Record<string, string | Uint8Array>>): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), 'sendroom-folder-'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
