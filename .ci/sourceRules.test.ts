import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { findViolations, findCircles } from './sourceRules.ts';

// The projects that the benchmark compares with have rules of their own.
const SOURCES = ['{contract,server,src,e2e,lab,drill,.ci}/**/*.{ts,tsx}', 'bench/*.ts'];

test('every source file keeps the rules', async () => {
  const paths = await Array.fromAsync(glob(SOURCES));
  expect(paths.length).toBeGreaterThan(20);
  const faults = await Promise.all(paths.map(async (path) => findViolations(path, await readFile(path, 'utf8'))));
  expect(faults.flat()).toEqual([]);
});

test('no file imports itself in a circle', async () => {
  const paths = await Array.fromAsync(glob(SOURCES));
  const sources = await Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8')] as const));
  expect(findCircles(new Map(sources))).toEqual([]);
});

test('a circle is found, also one of types', () => {
  const sources = new Map([
    ['server/a.ts', `import { b } from './b.ts';`],
    ['server/b.ts', `export * from './c.ts';`],
    ['server/c.ts', `import type { A } from './a.ts';`],
    ['server/d.ts', `import { a } from './a.ts';`],
  ]);
  expect(findCircles(sources)).toEqual([['server/a.ts', 'server/b.ts', 'server/c.ts', 'server/a.ts']]);
});

test.each([
  ['contract/list.ts', `import { useState } from 'react';`],
  ['contract/list.ts', `import { readFile } from 'node:fs/promises';`],
  ['contract/list.test.ts', `import { theme } from '../src/ui/theme.ts';`],
  ['server/app.ts', `import { paths } from '../src/url/paths.ts';`],
  ['server/app.ts', `const { paths } = await import('../src/url/paths.ts');`],
  ['server/contacts/store.ts', `export { steps } from '../../e2e/steps.ts';`],
  ['server/dns/dnsClient.ts', `import { RESOLVERS } from '../../lab/addresses.ts';`],
  ['lab/lab.ts', `import { steps } from '../e2e/steps.ts';`],
  ['server/acceptance/crash.engine.process.test.ts', `import { rowsOf } from '../../drill/table.ts';`],
  ['server/http/createApp.ts', `import { listDomains } from '../domains/store.ts';`],
  ['server/contacts/store.ts', `import { openPostgres } from '../database/postgres/openPostgres.ts';`],
  ['server/database/database.ts', `import { listContacts } from '../contacts/listContacts.ts';`],
  ['server/http/createApp.ts', `import { startMain } from '../testing/testMain.ts';`],
  ['drill/soak.ts', `import { paths } from '../src/url/paths.ts';`],
  ['e2e/steps.ts', `import { startLab } from '../lab/lab.ts';`],
  ['src/app/routes.tsx', `import type { Config } from '../../server/settings/config.ts';`],
  ['src/app/routes.tsx', `import { join } from 'node:path';`],
  ['e2e/steps.ts', `import { paths } from '../src/url/paths.ts';`],
  ['e2e/steps.ts', `import { findContact } from '../server/contacts/store.ts';`],
  ['src/ui/StatusBadge.tsx', `import type { Domain } from '#contract/domain.ts';`],
  ['src/ui/StatusBadge.tsx', `import { useQuery } from '@tanstack/react-query';`],
  ['src/api/client.ts', `import { DataTable } from '../table/DataTable.tsx';`],
  ['src/table/DataTable.tsx', `import { contactsQuery } from '../contacts/queries.ts';`],
  ['src/testing/testServer.ts', `import { buildApp } from '../../server/app.ts';`],
  ['src/api/client.ts', `import { json } from '../testing/testServer.ts';`],
  ['src/desk/DeskPage.tsx', `import { Pages } from '../app/routes.tsx';`],
  ['src/session/session.ts', `import { Shell } from '../shell/Shell.tsx';`],
  ['src/paths.ts', `import { useState } from 'react';`],
  ['src/domains/DomainPage.tsx', `import { contactsQuery } from '../contacts/queries.ts';`],
  ['src/contacts/ContactPage.tsx', `const page = () => import('../domains/DomainPage.tsx');`],
])('%s may not say: %s', (path, text) => {
  expect(findViolations(path, text)).toEqual([expect.stringContaining('must not import')]);
});

test.each([
  ['src/contacts/queries.ts', `await fetch('/v1/contacts');`],
  ['src/contacts/queries.ts', `await globalThis.fetch('/v1/contacts');`],
  ['src/ui/Payload.tsx', `export const a = <b dangerouslySetInnerHTML={{ __html: '' }} />;`],
  ['src/ui/Payload.tsx', `element.innerHTML = text;`],
  ['src/ui/Payload.tsx', `range.createContextualFragment(text);`],
  ['src/ui/Payload.tsx', `export const a = <iframe srcDoc={text} />;`],
  ['src/session/session.ts', `localStorage.setItem('token', token);`],
  ['src/session/session.ts', `await caches.open('answers');`],
  ['src/contacts/queries.ts', `eval(text);`],
  ['server/contacts/store.ts', `const run = new Function('row', text);`],
  ['contract/list.ts', `globalThis.eval(text);`],
  ['src/session/session.ts', `if (process.env.CI) leave();`],
  ['src/contacts/History.tsx', `new URLSearchParams(current).set('history', '2');`],
  ['server/contacts/store.ts', `Object.assign(before, changes);`],
  ['src/contacts/attributeChanges.ts', `Object.assign({}, parsed);`],
  ['server/http/jsonBody.ts', `Object.setPrototypeOf(value, null);`],
  ['server/domains/putDomains.ts', `await fetch(domain.provider);`],
  ['server/gateway/forward.ts', `await fetch(address);`],
  ['server/domains/store.ts', `await db.unscoped.read((trx) => trx.selectFrom('domains').execute());`],
  ['server/contacts/store.ts', `await scope.kysely.selectFrom('contacts').selectAll().execute();`],
])('%s may not do: %s', (path, text) => {
  expect(findViolations(path, text)).toEqual([expect.stringMatching(/ uses \w+, but /)]);
});

test.each(['src/utils.ts', 'server/lib/fold.ts', 'src/contacts/types.ts', 'src/hooks/useX.ts', 'contract/index.ts'])(
  'no file is called %s',
  (path) => {
    expect(findViolations(path, '')).toEqual([expect.stringContaining('says nothing about what is inside')]);
  },
);

test.each([
  ['src/contacts/ContactPage.tsx', `import { DataTable } from '../table/DataTable.tsx';`],
  ['src/contacts/ContactPage.tsx', `import { paths } from '../url/paths.ts';`],
  ['src/contacts/ContactPage.tsx', `import { Contact } from '#contract/contact.ts';`],
  ['src/api/client.service.test.ts', `import { createServer } from 'node:http';`],
  ['server/gateway/upstream.ts', `await fetch(address);`],
  ['server/testing/testUpstream.ts', `await fetch(address);`],
  ['server/http/rateLimitStore.ts', `Object.assign(window, { left });`],
  ['src/contacts/attributeChanges.ts', `const copy = { ...parsed, evaluation: 'eval' };`],
  ['src/api/client.ts', `await fetch(path, { prefetch: 'localStorage' });`],
  ['src/ui/StatusBadge.tsx', `import { Badge } from '@mantine/core';\nimport classes from './StatusBadge.module.css';`],
  ['server/testing/testDns.ts', `import { needNamespace } from '../../lab/namespace.ts';`],
  ['server/contacts/routes.ts', `import { findContact } from './store.ts';\nimport Fastify from 'fastify';`],
])('%s may say: %s', (path, text) => {
  expect(findViolations(path, text)).toEqual([]);
});
