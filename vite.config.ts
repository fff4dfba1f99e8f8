import react from '@vitejs/plugin-react';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import mantine from 'postcss-preset-mantine';
import variables from 'postcss-simple-vars';
import { defineConfig, type Plugin } from 'vite';
import { drawStateIcon, type StateIcon } from './src/ui/stateIcons.ts';

/** What the first paint needs comes first: style sheet, font and data. Comments stay here. */
const pageHead: Plugin = {
  name: 'page-head',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replace('<script type="module"', '$& fetchpriority="low"').replaceAll(/^ +\/\/ .*\n/gm, ''),
  },
};

/** Fonts aren't modules, so `build.license` doesn't collect their licences. */
const fontLicences: Plugin = {
  name: 'font-licences',
  apply: 'build',
  async generateBundle() {
    const paths = ['inter', 'noto-sans-arabic', 'noto-sans-hebrew'].map((font) =>
      join(import.meta.dirname, 'node_modules/@fontsource-variable', font, 'LICENSE'),
    );
    const licences = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
    this.emitFile({ type: 'asset', fileName: 'licenses-font.txt', source: licences.join('\n\n') });
  },
};

const BREAKPOINTS = { 'breakpoint-narrow': '600px', 'breakpoint-wide': '1100px' };

/** Of style sheets. */
const mixins = {
  // Hidden, but still read by screen readers.
  'visually-hidden': {
    position: 'absolute',
    width: '1px',
    height: '1px',
    overflow: 'hidden',
    'clip-path': 'inset(50%)',
  },
  // The color of a state, and its icon in that color, because an image can't use variables.
  tone: (_rule: unknown, name: StateIcon, color: string) => ({
    [`--${name}`]: color,
    [`--${name}-icon`]: drawStateIcon(name, color),
  }),
};

/** For the console, which loads the whole file only when somebody opens it. */
const changelog = readFileSync(join(import.meta.dirname, 'CHANGELOG.md'), 'utf8');
const NEWEST_VERSION = /^## \[([^\]]+)\]/m.exec(changelog)?.[1] ?? '';

export default defineConfig({
  define: { NEWEST_VERSION: JSON.stringify(NEWEST_VERSION) },
  plugins: [react({ compiler: true }), pageHead, fontLicences],
  // The service replaces the placeholder in every response; Vite stamps it on scripts, styles and a meta element.
  html: { cspNonce: '__CSP_NONCE__' },
  // Files find each other relative to themselves, because the static build may be under any path of its host. Only the
  // page of a service names them from the root, because the service returns it for every address of the console.
  experimental: { renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  css: { postcss: { plugins: [mantine({ mixins }), variables({ variables: BREAKPOINTS })] } },
  build: {
    // The content security policy allows no fonts from `data:`.
    assetsInlineLimit: 0,
    // Every supported browser preloads modules.
    modulePreload: { polyfill: false },
    // The licences of what is built into the console have to ship with it.
    license: { fileName: 'licenses.md' },
    chunkSizeWarningLimit: 1000, // e2e/pages/firstLoad.spec.ts tests the budget of the first page.
    // One file for the first page, and few for the list of contacts: 8 of 13 requests. Parts of less than 8 kB that others
    // share are joined.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'console', tags: ['$initial'], priority: 1 },
            { name: 'page', test: /useMutation|src\/ui\/Section/, priority: 0.7 },
            {
              name: 'chart',
              test: /src\/(ui\/(values\/(BarChart|Fact)|format\/(sentenceTime|labelOr))|identity\/describe)/,
              priority: 0.65,
            },
            { name: 'identity', test: /src\/identity\/parse\//, minShareCount: 2, priority: 0.6 },
            {
              name: 'contacts',
              test: /src\/(contacts\/(find\/FindBox|ContactTabs)|identity\/selectedContacts)/,
              priority: 0.5,
            },
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 8000 },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1' },
});
