import type { Plugin, Rolldown } from 'vite';
import { PAGE_STARTS } from '../http/files/pageStarts.ts';

type Bundle = Rolldown.OutputBundle;

/**
 * Names the files of each page in `index.html`, so that the browser requests them together with the first file. The service sends those of
 * the requested page only (`server/http/files/staticFiles.ts`).
 */
export const pagePreloads: Plugin = {
  name: 'page-preloads',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {}, chunk: first }) {
      const loaded = new Set(filesOf(bundle, first?.fileName));
      return Object.values(PAGE_STARTS).flatMap(({ source }) => {
        if (source === null) return [];
        const page = Object.values(bundle).find(
          (each) => each.type === 'chunk' && each.facadeModuleId?.endsWith(source),
        );
        return filesOf(bundle, page?.fileName)
          .filter((file) => !loaded.has(file))
          .map((file) => ({
            tag: 'link',
            attrs: {
              'data-page': source,
              ...(file.endsWith('.css') ? { rel: 'preload', as: 'style' } : { rel: 'modulepreload' }),
              crossorigin: true,
              href: `/${file}`,
            },
          }));
      });
    },
  },
};

/** A chunk, what it imports, and their style sheets. */
function filesOf(bundle: Bundle, file = '', found = new Set<string>()): string[] {
  const chunk = bundle[file];
  if (chunk?.type !== 'chunk' || found.has(file)) return [...found];
  found.add(file);
  for (const sheet of chunk.viteMetadata?.importedCss ?? []) found.add(sheet);
  for (const imported of chunk.imports) filesOf(bundle, imported, found);
  return [...found];
}
