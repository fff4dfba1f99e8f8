import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { ensureConsole } from '../server/console/consoleBuild.ts';

// Runs before `npm pack`: builds the console, and the commands as JavaScript.

const ROOT = join(import.meta.dirname, '..');

// Vite would take it from the environment.
process.env.NODE_ENV = 'production';
await ensureConsole(ROOT, console.error);
for (const configFile of ['vite.dnsCheck.config.ts', 'vite.service.config.ts']) {
  await build({ root: ROOT, configFile: join(ROOT, configFile), logLevel: 'warn' });
}
// npm does this only for packages that it installs; the image unpacks the tarball.
for (const command of ['sendroom', 'sendroom-dns-check']) await chmod(join(ROOT, 'bin', `${command}.js`), 0o755);
