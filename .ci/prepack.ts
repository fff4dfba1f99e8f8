import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { ensureConsole } from '../server/console/consoleBuild.ts';

// What `npm pack` does before: the console, and the commands as JavaScript.

const ROOT = join(import.meta.dirname, '..');

// Vite takes it from whoever calls.
process.env.NODE_ENV = 'production';
await ensureConsole(ROOT, console.error);
for (const configFile of ['vite.dnsCheck.config.ts', 'vite.service.config.ts']) {
  await build({ root: ROOT, configFile: join(ROOT, configFile), logLevel: 'warn' });
}
// npm does so only where it installs them; an image unpacks the tarball.
for (const command of ['sendroom', 'sendroom-dns-check']) await chmod(join(ROOT, 'bin', `${command}.js`), 0o755);
