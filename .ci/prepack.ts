import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type InlineConfig } from 'vite';
import { ensureConsole } from '../server/console/consoleBuild.ts';
import { serviceBuild } from './serviceBuild.ts';

// Runs before `npm pack`: builds the console, and the commands as JavaScript.

const ROOT = join(import.meta.dirname, '..');

/** The DNS check as one file without imports, for Node versions that run no TypeScript. It empties the folder. */
const dnsCheckBuild: InlineConfig = {
  root: ROOT,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: 'server/bin/dnsCheck.ts',
    outDir: 'bin',
    target: 'node20',
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      output: { entryFileNames: 'sendroom-dns-check.js', codeSplitting: false, banner: '#!/usr/bin/env node' },
    },
  },
};

// Vite would take it from the environment.
process.env.NODE_ENV = 'production';
await ensureConsole(ROOT, console.error);
await build(dnsCheckBuild);
await build(serviceBuild);
// npm does this only for packages that it installs; the image unpacks the tarball.
for (const command of ['sendroom', 'sendroom-dns-check']) await chmod(join(ROOT, 'bin', `${command}.js`), 0o755);
