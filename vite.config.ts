import react from '@vitejs/plugin-react';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { formatSecurityPolicy } from './server/http/headers.ts';

export default defineConfig({
  plugins: [react({ compiler: true }), fontNotice(), precompress(), staticConsole()],
  // The service replaces the placeholder in every answer; Vite stamps it on scripts, styles and a meta element.
  html: { cspNonce: '__CSP_NONCE__' },
  // Files find each other by where they are themselves: the static build lies under whatever path its host gives it. Only
  // the page names them from the root, because the service answers with it under every address of the console.
  experimental: { renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  build: {
    assetsInlineLimit: 0,
    // Every browser that the console runs in preloads modules by itself.
    modulePreload: { polyfill: false },
    sourcemap: false,
    // What is built into the console asks for its notice.
    license: { fileName: 'licenses.md' },
    // What the first load may weigh is a test (e2e/firstLoad.spec.ts).
    chunkSizeWarningLimit: 1000,
    // One file for everything the first load needs: pages opened later share much of it, and would split it up.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'console', tags: ['$initial'] }] } } },
  },
  server: { host: '127.0.0.1' },
});

/**
 * Makes dist-static of dist, for hosts that serve files and set no headers: the page brings its policy along, and
 * config.json says where the service is. There is no nonce without a server, so that styles may be any elements. The page
 * is asked for under one address only, and names its files from there.
 */
function staticConsole(): Plugin {
  // Until the console has read which service it is, and says so in a second policy (src/session/remoteService.ts).
  const anywhere = "'self' https: http://localhost:* http://127.0.0.1:*";
  const head = `<meta http-equiv="Content-Security-Policy" content="${formatSecurityPolicy("'unsafe-inline'", anywhere)}" />
    <meta name="referrer" content="no-referrer" />
    <meta name="sendroom-elsewhere" />`;
  return {
    name: 'static-console',
    apply: 'build',
    async closeBundle() {
      const { root, build } = this.environment.config;
      const [dist, target] = [join(root, build.outDir), join(root, `${build.outDir}-static`)];
      await rm(target, { recursive: true, force: true });
      await cp(dist, target, { recursive: true, filter: (path) => !/\.(br|gz)$|\/\.sources$/.test(path) });
      const page = await readFile(join(dist, 'index.html'), 'utf8');
      const plain = page
        .replaceAll(/<meta property="csp-nonce"[^>]*>\s*| nonce="__CSP_NONCE__"/g, '')
        .replaceAll(/(src|href)="\//g, '$1="./');
      await writeFile(join(target, 'index.html'), plain.replace(/(<meta charset="utf-8" \/>)/, `$1\n    ${head}`));
      await writeFile(join(target, 'config.json'), '{ "base_url": "https://api.example.com" }\n');
    },
  };
}

/** The font is no module, whose licence would be collected. */
function fontNotice(): Plugin {
  return {
    name: 'font-notice',
    apply: 'build',
    async generateBundle() {
      const source = await readFile(join(import.meta.dirname, 'node_modules/@fontsource-variable/inter/LICENSE'));
      this.emitFile({ type: 'asset', fileName: 'licenses-font.txt', source });
    },
  };
}

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
