import react from '@vitejs/plugin-react';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

export default defineConfig({
  plugins: [react({ compiler: true }), precompress()],
  // The service replaces the placeholder in every answer; Vite stamps it on scripts, styles and a meta element.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    assetsInlineLimit: 0,
    sourcemap: false,
    // What the first load may weigh is a test (e2e/firstLoad.spec.ts).
    chunkSizeWarningLimit: 1000,
    // One file for everything the first load needs: pages opened later share much of it, and would split it up.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'console', tags: ['$initial'] }] } } },
  },
  server: { host: '127.0.0.1' },
});

/** Writes a .br and a .gz beside every text file of the build, so that the service compresses nothing while it serves. */
function precompress(): Plugin {
  const pack = [
    { ending: '.br', compress: promisify(brotliCompress) },
    { ending: '.gz', compress: promisify(gzip) },
  ];
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = 'dist' }) {
      const files = await readdir(dir, { recursive: true });
      const texts = files.filter((file) => /\.(js|css|svg|json)$/.test(file));
      await Promise.all(
        texts.flatMap((file) =>
          pack.map(async ({ ending, compress }) => {
            const path = join(dir, file);
            await writeFile(path + ending, await compress(await readFile(path)));
          }),
        ),
      );
    },
  };
}
