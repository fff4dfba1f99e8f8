import { mkdtempDisposable, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { writeNewFile } from './files.ts';

const newFolder = () => mkdtempDisposable(join(tmpdir(), 'sendroom-files-'));

test('a file gets its name when it is complete, and is made where only its owner can look', async () => {
  await using folder = await newFolder();
  const file = join(folder.path, 'out');
  const result = await writeNewFile(file, async (path) => {
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
    await writeFile(path, 'whole');
    expect(await readdir(folder.path)).not.toContain('out');
    return 7;
  });
  expect([result, await readFile(file, 'utf8'), await readdir(folder.path)]).toEqual([7, 'whole', ['out']]);
});

test('no file is overwritten, whether it was there before or is created meanwhile', async () => {
  await using folder = await newFolder();
  const file = join(folder.path, 'out');
  let calls = 0;
  const write = async (path: string) => {
    calls++;
    await writeFile(path, 'new');
    await writeFile(file, 'precious', { flag: 'wx' });
  };
  for (let round = 0; round < 2; round++) {
    await expect(writeNewFile(file, write)).rejects.toThrow(`${file} exists already: nothing is overwritten.`);
    expect([await readFile(file, 'utf8'), await readdir(folder.path)]).toEqual(['precious', ['out']]);
  }
  // Nothing is begun where there is a file already.
  expect(calls).toBe(1);
});

test('of two writers of one file the first that ends succeeds, and the file is its own', async () => {
  await using folder = await newFolder();
  const file = join(folder.path, 'out');
  const both = Promise.withResolvers<void>();
  const first = writeNewFile(file, async (path) => {
    await writeFile(path, 'first');
    await both.promise;
  });
  const second = writeNewFile(file, async (path) => {
    await writeFile(path, 'second');
    both.resolve();
    await first;
  });
  await first;
  await expect(second).rejects.toThrow('exists already');
  expect([await readFile(file, 'utf8'), await readdir(folder.path)]).toEqual(['first', ['out']]);
});

test('an error of the writer leaves nothing, and a folder that is not there is a sentence', async () => {
  await using folder = await newFolder();
  const fails = writeNewFile(join(folder.path, 'out'), async (path) => {
    await writeFile(path, 'half');
    throw new Error('It broke.');
  });
  await expect(fails).rejects.toThrow('It broke.');
  expect(await readdir(folder.path)).toEqual([]);
  const file = join(folder.path, 'no/out');
  await expect(writeNewFile(file, () => Promise.resolve())).rejects.toThrow(`The folder of ${file} does not exist.`);
});
