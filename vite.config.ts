import react from '@vitejs/plugin-react';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { defineConfig, minify, type Plugin } from 'vite';
import { formatSecurityPolicy } from './server/http/headers.ts';

export default defineConfig({
  plugins: [react({ compiler: true }), withoutUnused(), fontNotice(), precompress(), staticConsole()],
  // The service replaces the placeholder in every answer; Vite stamps it on scripts, styles and a meta element.
  html: { cspNonce: '__CSP_NONCE__' },
  // Files find each other relative to themselves, because the static build may be under any path of its host. Only the
  // page of a service names them from the root, because the service returns it for every address of the console.
  experimental: { renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  build: {
    assetsInlineLimit: 0,
    // Every supported browser preloads modules by itself.
    modulePreload: { polyfill: false },
    sourcemap: false,
    // The licences of what is built into the console have to be shipped with it.
    license: { fileName: 'licenses.md' },
    // The budget of the first load is a test (e2e/firstLoad.spec.ts).
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // One file for what every page needs: lazy pages share much of it, and would split it up.
            { name: 'console', tags: ['$initial'], priority: 1 },
            // And one for each list. What both need is imported by main.tsx.
            { name: 'contacts', test: /\/src\/contacts\/ContactsPage\.tsx$/ },
            { name: 'domains', test: /\/src\/domains\/DomainsPage\.tsx$/ },
            // And one for pages that few open: the first load has the name of each file.
            {
              name: 'people',
              test: /\/src\/(people|shell\/(Other)?Workspace)/,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1' },
});

/**
 * Builds dist-static from dist, for hosts that only serve files and set no headers. The page contains its policy, and
 * config.json has the address of the service. Without a server there is no nonce, so styles may be any elements. The
 * page has only one address, and names its files relative to it.
 */
function staticConsole(): Plugin {
  // Until the console has read the address of its service, and adds a second policy (src/session/remoteService.ts).
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

/**
 * Leaves out the names that libraries give their components for development tools, queries without end, the groups that Mantine hangs on its buttons,
 * and the transitions of the loader in a button, which then appears at once. Says of the router's components that making them does nothing else. Otherwise such a statement would keep a
 * component in the build that nothing uses.
 */
function withoutUnused(): Plugin {
  return {
    name: 'without-unused',
    apply: 'build',
    transform: {
      filter: { id: /\/node_modules\/(@mantine\/core|react-router|@tanstack\/query-core)\// },
      handler: (code, id) =>
        (id.endsWith('/Transition.mjs') ? WITHOUT_TRANSITION : code)
          .replace('this.#queryType === "infinite" ? infiniteQueryBehavior(this.options.pages) : ', '')
          .replaceAll(/^(\w+\.displayName = "[^"]*"|(Button|ActionIcon)\.Group(Section)? = \w+);$/gm, '')
          .replaceAll(/(?<=^const \w+ = )(?=React\$1\.(forwardRef|memo|createContext)\()/gm, '/* @__PURE__ */ '),
    },
  };
}

const WITHOUT_TRANSITION = 'export const Transition = ({ mounted, children }) => (mounted ? children({}) : null);';

/** The font is not a module, so its licence is not collected. */
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

/**
 * Minifies the script that runs before the console, because files of public/ are copied as they are. Then writes a .br and
 * a .gz beside every text file of the build, so that the service compresses nothing while it serves.
 */
function precompress(): Plugin {
  const pack = [
    { ending: '.br', compress: promisify(brotliCompress) },
    { ending: '.gz', compress: promisify(gzip) },
  ];
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = 'dist' }) {
      const script = join(dir, 'color-scheme.js');
      const { code, errors } = await minify(script, await readFile(script, 'utf8'));
      if (errors.length > 0) throw new Error(`${script} cannot be minified.`);
      await writeFile(script, code);
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
