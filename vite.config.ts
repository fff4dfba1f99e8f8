import react from '@vitejs/plugin-react';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import mantine from 'postcss-preset-mantine';
import variables from 'postcss-simple-vars';
import { defineConfig, type Plugin } from 'vite';
import { drawStateIcon, type StateIcon } from './src/ui/stateIcons.ts';

export default defineConfig({
  plugins: [react({ compiler: true }), fontLicences()],
  // The service replaces the placeholder in every response; Vite stamps it on scripts, styles and a meta element.
  html: { cspNonce: '__CSP_NONCE__' },
  // Files find each other relative to themselves, because the static build may be under any path of its host. Only the
  // page of a service names them from the root, because the service returns it for every address of the console.
  experimental: { renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  css: {
    postcss: {
      plugins: [
        mantine({
          mixins: {
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
          },
        }),
        variables({ variables: { 'breakpoint-narrow': '600px', 'breakpoint-wide': '1100px' } }),
      ],
    },
  },
  build: {
    // The content security policy allows no fonts from `data:`.
    assetsInlineLimit: 0,
    // Every supported browser preloads modules.
    modulePreload: { polyfill: false },
    // The licences of what is built into the console have to ship with it.
    license: { fileName: 'licenses.md' },
    // The budget of the first page is a test (e2e/pages/firstLoad.spec.ts).
    chunkSizeWarningLimit: 1000,
    // One file for the first page. Lazy pages share parts of it, which would otherwise become some 30 files.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'console', tags: ['$initial'] }] } } },
  },
  server: { host: '127.0.0.1' },
});

/** Fonts aren't modules, so `build.license` doesn't collect their licences. */
function fontLicences(): Plugin {
  const fonts = ['inter', 'noto-sans-arabic', 'noto-sans-hebrew'];
  return {
    name: 'font-licences',
    apply: 'build',
    async generateBundle() {
      const folder = join(import.meta.dirname, 'node_modules/@fontsource-variable');
      const licences = await Promise.all(fonts.map((font) => readFile(join(folder, font, 'LICENSE'), 'utf8')));
      this.emitFile({ type: 'asset', fileName: 'licenses-font.txt', source: licences.join('\n\n') });
    },
  };
}
