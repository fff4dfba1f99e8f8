import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

const FORMATS = [
  { ending: '.br', compress: promisify(brotliCompress) },
  { ending: '.gz', compress: promisify(gzip) },
];

/** Writes a compressed copy next to each text file in `folder`, so that the service doesn't compress while it serves. */
export async function compressFiles(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true });
  const texts = files.filter((file) => /\.(js|css|svg|json)$/.test(file)).map((file) => join(folder, file));
  await Promise.all(
    texts.flatMap((path) =>
      FORMATS.map(async ({ ending, compress }) => writeFile(path + ending, await compress(await readFile(path)))),
    ),
  );
}
