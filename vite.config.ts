import unicodeRanges from '@fontsource-variable/inter/unicode.json' with { type: 'json' };
import react from '@vitejs/plugin-react';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import subsetFont from 'subset-font';
import { defineConfig, minify, type Plugin } from 'vite';
import { listContacts } from './contract/additions.ts';
import { listDomains } from './contract/interface.ts';
import { formatListQuery, type ListQuery } from './contract/list.ts';
import { listChanges } from './contract/auditLog.ts';
import { getOverview } from './contract/overview.ts';
import { formatSecurityPolicy, listInlineScripts } from './server/http/files/headers.ts';

export default defineConfig({
  plugins: [
    react({ compiler: true }),
    withoutUnused(),
    lighterFont(),
    fontNotice(),
    pageStarts(),
    precompress(),
    staticConsole(),
  ],
  // The service replaces the placeholder in every answer; Vite stamps it on scripts, styles and a meta element.
  html: { cspNonce: '__CSP_NONCE__' },
  // Files find each other relative to themselves, because the static build may be under any path of its host. Only the
  // page of a service names them from the root, because the service returns it for every address of the console.
  experimental: { renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  // TanStack's store takes a substitute for what React itself has had since 18.
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  build: {
    assetsInlineLimit: 0,
    // Every supported browser preloads modules by itself.
    modulePreload: { polyfill: false },
    sourcemap: false,
    // The licences of what is built into the console have to be shipped with it.
    license: { fileName: 'licenses.md' },
    // The budget of the first load is a test (e2e/pages/firstLoad.spec.ts).
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        // The first load has the name of each file. Six letters of its hash tell versions apart as well as eight;
        // the bundler needs seven where there are more than 64 scripts.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:6][extname]',
        codeSplitting: {
          groups: [
            // One file for what every page needs: lazy pages share much of it, and would split it up.
            { name: 'console', tags: ['$initial'], priority: 1 },
            // And one for each list. What both need is imported by main.tsx.
            { name: 'contacts', test: /\/src\/contacts\/ContactsPage\.tsx$/ },
            { name: 'domains', test: /\/src\/domains\/DomainsPage\.tsx$/ },
            // And one for pages that few open.
            {
              name: 'people',
              test: /\/src\/(members|shell\/(Other)?Workspace)/,
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
  const headOf = (page: string) => {
    const policy = formatSecurityPolicy(listInlineScripts(page), "'unsafe-inline'", anywhere);
    return `<meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="referrer" content="no-referrer" />
    <meta name="sendroom-elsewhere" />`;
  };
  return {
    name: 'static-console',
    apply: 'build',
    // Not `closeBundle`, which is called after a failed build too: its error would take the place of the first one.
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const { root, build } = this.environment.config;
        const [dist, target] = [join(root, build.outDir), join(root, `${build.outDir}-static`)];
        await rm(target, { recursive: true, force: true });
        await cp(dist, target, {
          recursive: true,
          filter: (path) => !/\.(br|gz)$|\/\.sources$|\/worker\.js$/.test(path),
        });
        const page = await readFile(join(dist, 'index.html'), 'utf8');
        const plain = page
          .replaceAll(
            /<meta property="csp-nonce"[^>]*>\s*| nonce="__CSP_NONCE__"|<script type="application\/json" id="pages"[^>]*>.*?<\/script>/g,
            '',
          )
          .replaceAll(/(src|href)="\//g, '$1="./');
        await writeFile(
          join(target, 'index.html'),
          plain.replace('<meta charset="utf-8" />', (charset) => `${charset}\n    ${headOf(plain)}`),
        );
        await writeFile(join(target, 'config.json'), '{ "base_url": "https://api.example.com" }\n');
      },
    },
  };
}

/** A page that a service can begin before the console is there. */
type PageStart = {
  /** Its heading. */
  title: string;
  /** Whether something stands in one line between the heading and what the page shows. */
  hasToolbar: boolean;
  file: string;
  /** The id of the operation without which there is no such page. */
  needs: string | null;
  /** What it reads first where its URL has no query: a test compares (e2e/pages/firstLoad.spec.ts). */
  reads: string | null;
};

const rows = (path: string, query: ListQuery) => `${path}?${formatListQuery({ page: 1, per_page: 25, ...query })}`;

const PAGE_STARTS: Readonly<Record<string, PageStart>> = {
  '/': { title: 'Overview', hasToolbar: false, file: 'src/overview/StartPage.tsx', needs: getOverview.id, reads: null },
  '/contacts': {
    title: 'Contacts',
    hasToolbar: true,
    file: 'src/contacts/ContactsPage.tsx',
    needs: listContacts.id,
    reads: rows(listContacts.path, { sorting: [{ id: 'created_at', desc: true }] }),
  },
  '/domains': {
    title: 'Domains',
    hasToolbar: true,
    file: 'src/domains/DomainsPage.tsx',
    needs: null,
    reads: rows(listDomains.path, {}),
  },
  '/desk': { title: 'Bulk unsubscribe', hasToolbar: false, file: 'src/bulk/BulkPage.tsx', needs: null, reads: null },
  '/activity': {
    title: 'Activity',
    hasToolbar: true,
    file: 'src/auditLog/ActivityPage.tsx',
    needs: listChanges.id,
    reads: null,
  },
};

/** Puts into the page, for the service, what it can begin before the console is there (server/http/files/staticFiles.ts). */
function pageStarts(): Plugin {
  return {
    name: 'page-starts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const chunks = Object.values(bundle).filter((it) => it.type === 'chunk');
        const initial = new Set(
          chunks.filter(({ isEntry }) => isEntry).flatMap(({ fileName, imports }) => [fileName, ...imports]),
        );
        const starts = Object.entries(PAGE_STARTS).map(([path, { file, ...start }]) => {
          const page = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${file}`)));
          if (page === undefined) throw new Error(`${file} is in no file of the build.`);
          const files = [page.fileName, ...page.imports].filter((name) => !initial.has(name));
          const parts = chunks.filter(({ fileName }) => files.includes(fileName));
          const styles = parts.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
          return [path, { ...start, scripts: files, styles: [...new Set(styles)] }];
        });
        const json = JSON.stringify(Object.fromEntries(starts)).replaceAll('<', '\\u003c');
        // What the frame is painted with comes first.
        const ordered = html.replace('<script type="module"', '$& fetchpriority="low"');
        return ordered.replace(
          '<title>',
          () => `<script type="application/json" id="pages">${json}</script>\n    <title>`,
        );
      },
    },
  };
}

/**
 * Leaves out the names that libraries give their components for development tools, infinite queries, colours that the console does not use, the groups that Mantine hangs on its buttons,
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
          .replaceAll(OTHER_COLOURS, '')
          .replaceAll(OTHER_SHADES, '')
          .replaceAll(/^(\w+\.displayName = "[^"]*"|(Button|ActionIcon)\.Group(Section)? = \w+);$/gm, '')
          .replaceAll(/(?<=^const \w+ = )(?=React\$1\.(forwardRef|memo|createContext)\()/gm, '/* @__PURE__ */ '),
    },
  };
}

/** In Mantine's style sheet; the console has a theme of its own. */
const OTHER_COLOURS = /\s*--mantine-color-(pink|grape|violet|indigo|cyan|green|lime|yellow|orange)-[\w-]+:[^;]*;/g;

/** The same in Mantine's theme. */
const OTHER_SHADES = /^\t(pink|grape|violet|indigo|cyan|green|lime|yellow|orange): \[[^\]]*\],?$/gm;

const WITHOUT_TRANSITION = 'export const Transition = ({ mounted, children }) => (mounted ? children({}) : null);';

/**
 * Leaves out of the font that every page loads what is lighter or heavier than any text of the console, and letters that other
 * files have: 18 of 48 kB, which the script of the console would wait for. In the style sheet it has the weights of the others: a
 * browser takes faces of other weights for another font, and would look for no letter in them.
 */
function lighterFont(): Plugin {
  return {
    name: 'lighter-font',
    apply: 'build',
    async generateBundle(_, bundle) {
      const [font, ...others] = Object.values(bundle).filter(({ fileName }) => fileName.includes('inter-latin-wght'));
      if (font?.type !== 'asset' || typeof font.source === 'string' || others.length > 0)
        throw new Error('The font of the first page is not in the build.');
      font.source = await subsetFont(font.source, lettersOf(unicodeRanges.latin), {
        targetFormat: 'woff2',
        variationAxes: { wght: { min: 400, max: 700, default: 400 } },
      });
    },
  };
}

/** The letters of a `unicode-range`, as in "U+0-FF,U+131". */
function lettersOf(range: string): string {
  const codes = range.split(',').flatMap((part) => {
    const [first = 0, last = first] = part
      .replace('U+', '')
      .split('-')
      .map((code) => Number.parseInt(code, 16));
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
  return String.fromCodePoint(...codes);
}

/** The fonts are not modules, so their licences are not collected. */
function fontNotice(): Plugin {
  return {
    name: 'font-notice',
    apply: 'build',
    async generateBundle() {
      const folder = join(import.meta.dirname, 'node_modules/@fontsource-variable');
      const licences = FONTS.map((font) => readFile(join(folder, font, 'LICENSE'), 'utf8'));
      this.emitFile({
        type: 'asset',
        fileName: 'licenses-font.txt',
        source: (await Promise.all(licences)).join('\n\n'),
      });
    },
  };
}

/** Those of src/ui/global.css. */
const FONTS = ['inter', 'noto-sans-arabic', 'noto-sans-hebrew'];

/**
 * Puts the script that runs before the console into the page: asking for it would hold up everything else. Then writes a .br and a .gz next to
 * every text file of the build, so that the service compresses nothing while it serves.
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
      const script = join(dir, 'start.js');
      const { code, errors } = await minify(script, await readFile(script, 'utf8'));
      if (errors.length > 0) throw new Error(`${script} cannot be minified.`);
      await rm(script);
      const page = join(dir, 'index.html');
      const element = /<script src="\/start\.js"[^>]*><\/script>/;
      await writeFile(
        page,
        (await readFile(page, 'utf8')).replace(element, () => `<script>${code.trim()}</script>`),
      );
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
