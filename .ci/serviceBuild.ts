import { basename, dirname, resolve } from 'node:path';
import type { InlineConfig, Plugin } from 'vite';

/** Builds the service as JavaScript, without its dependencies: Node runs no TypeScript below node_modules. */
export const serviceBuild: InlineConfig = {
  root: resolve(import.meta.dirname, '..'),
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  plugins: [workers()],
  build: {
    ssr: 'server/bin/sendroom.ts',
    outDir: 'bin',
    emptyOutDir: false,
    target: 'node20',
    rolldownOptions: {
      output: { entryFileNames: 'sendroom.js', chunkFileNames: '[name].js', banner: '#!/usr/bin/env node' },
    },
  },
};

/** The program of a thread is a file of its own: `new URL('thread.ts', import.meta.url)` becomes its address. */
function workers(): Plugin {
  return {
    name: 'workers',
    transform: {
      filter: { id: /\/server\/.*\.ts$/, code: 'new URL(' },
      handler(code, id) {
        return code.replaceAll(/new URL\(["']([^"':]+)\.ts["'], import\.meta\.url\)/g, (_, thread: string) => {
          const fileName = `${basename(thread)}.js`;
          this.emitFile({ type: 'chunk', id: resolve(dirname(id), `${thread}.ts`), fileName });
          return `new URL("${fileName}", import.meta.url)`;
        });
      },
    },
  };
}
