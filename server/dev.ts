import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createServer } from 'vite';
import { readConfig } from './settings/config.ts';

// `npm run dev`: the service, restarted when its files change, behind Vite, which serves the console from its sources.
// Vite's address is the one to open; both stop together.

const { port } = readConfig({ PORT: process.env.PORT });
if (port === 0) throw new Error('npm run dev needs a PORT that Vite can be told.');
const service = `http://127.0.0.1:${port}`;

const vite = await createServer({
  root: join(import.meta.dirname, '..'),
  server: {
    proxy: {
      '^/(v1/|session/|shared/|(session|openapi\\.json|healthz|readyz)$)': { target: service, changeOrigin: false },
    },
  },
});
await vite.listen();
const [address = ''] = vite.resolvedUrls?.local ?? [];

const child = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', join(import.meta.dirname, 'main.ts'), '--without-console'],
  { stdio: 'inherit', env: { ...process.env, HOST: '127.0.0.1', PUBLIC_URL: address.replace(/\/$/, '') } },
);
let isStopping = false;
child.on('exit', (code) => {
  void vite.close().finally(() => process.exit(isStopping ? 0 : (code ?? 1)));
});
// Vite would end this process at once, while the service still stops.
process.removeAllListeners('SIGTERM');
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isStopping = true;
    child.kill(signal);
  });
}
