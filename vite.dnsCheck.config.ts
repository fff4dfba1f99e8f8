import { defineConfig } from 'vite';

// Builds the command as one file without imports: Node runs no TypeScript below node_modules, and an older one none at
// all.
export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: 'server/installed/dnsCheck.ts',
    outDir: 'bin',
    target: 'node20',
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      output: { entryFileNames: 'sendroom-dns-check.js', codeSplitting: false, banner: '#!/usr/bin/env node' },
    },
  },
});
