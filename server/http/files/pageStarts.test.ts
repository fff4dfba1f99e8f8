import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PAGE_STARTS } from './pageStarts.ts';

test("a page's source is one that a route loads, or its files would silently come late", () => {
  const routes = readFileSync(join(import.meta.dirname, '../../../src/app/routes.tsx'), 'utf8');
  const sources = Object.values(PAGE_STARTS).flatMap(({ source }) => source ?? []);
  expect(sources).not.toEqual([]);
  for (const source of sources) expect(routes).toContain(`import('${source.replace('src/', '../')}')`);
});
