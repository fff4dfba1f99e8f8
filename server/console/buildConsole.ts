import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { build } from 'vite';
import { compressFiles } from './compressFiles.ts';
import { hashSources, replaceFolder, writeFingerprint } from './consoleBuild.ts';
import { pagePreloads } from './pagePreloads.ts';
import { makeStaticConsole } from './staticConsole.ts';

// `npm run build`. `npm start` runs it too, if the console is not built from the present sources. It builds into a folder of
// its own, so that two services may start at once: each build takes the place of the one before as a whole.

// Vite would take it from the environment: a shell set up for development would build a development console.
process.env.NODE_ENV = 'production';
const [, , root = join(import.meta.dirname, '../..')] = process.argv;
const fingerprint = await hashSources(root);
const modules = join(root, 'node_modules');
await mkdir(modules, { recursive: true });
const own = await mkdtemp(join(modules, '.console-'));
const built = join(own, 'dist');
try {
  await build({ root, plugins: [pagePreloads], build: { outDir: relative(root, built), emptyOutDir: true } });
  // On its own, so that it loads nothing of the console. The console's build has collected the licences of both.
  const shared = { license: false, rolldownOptions: { input: 'shared.html' }, emptyOutDir: false };
  await build({ root, build: { ...shared, outDir: relative(root, built) } });
  await makeStaticConsole(built, `${built}-static`);
  await compressFiles(built);
  await writeFingerprint(built, fingerprint);
  await replaceFolder(`${built}-static`, join(root, 'dist-static'));
  await replaceFolder(built, join(root, 'dist'));
} finally {
  await rm(own, { recursive: true, force: true });
}
