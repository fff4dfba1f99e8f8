import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

// What oxlint.config.ts forbids, and allows, in files of the project that exist only here.

const IMPORTS = 'eslint(no-restricted-imports)';
const GLOBALS = 'eslint(no-restricted-globals)';
const PROPERTIES = 'eslint(no-restricted-properties)';

const forbidden: [path: string, code: string, rule: string][] = [
  ['contract/list.ts', `export { useState } from 'react';`, IMPORTS],
  ['contract/values/field.ts', `export { readFile } from 'node:fs/promises';`, IMPORTS],
  ['contract/list.test.ts', `export { theme } from '../src/ui/theme.ts';`, IMPORTS],
  ['server/app.ts', `export { paths } from '../src/url/paths.ts';`, IMPORTS],
  ['server/main.ts', `export const { paths } = await import('../src/url/paths.ts');`, IMPORTS],
  ['server/dns/conversation/dnsClient.ts', `export { RESOLVERS } from '../../../testing/lab/addresses.ts';`, IMPORTS],
  ['server/dns/spf/judgeSpf.ts', `export { listDomains } from '../../domains/store.ts';`, IMPORTS],
  ['server/acceptance/crash.test.ts', `export { rowsOf } from '../../testing/drill/table.ts';`, IMPORTS],
  ['server/http/createApp.ts', `export { listDomains } from '../domains/store.ts';`, IMPORTS],
  ['server/http/serve.ts', `export { startMain } from '../testing/testMain.ts';`, IMPORTS],
  ['server/contacts/store.ts', `export { openPostgres } from '../database/postgres/openPostgres.ts';`, IMPORTS],
  ['server/database/database.ts', `export { listContacts } from '../contacts/listContacts.ts';`, IMPORTS],
  ['server/database/schema/schema.ts', `export { foldSearch } from '../search/textSearch.ts';`, IMPORTS],
  ['server/database/sqlite/openSqlite.ts', `export { openPostgres } from '../postgres/openPostgres.ts';`, IMPORTS],
  ['testing/lab/lab.ts', `export { steps } from '../../e2e/support/steps.ts';`, IMPORTS],
  ['testing/drill/soak.ts', `export { paths } from '../../src/url/paths.ts';`, IMPORTS],
  ['testing/drill/drill.ts', `export { median } from '../bench/measure/generateLoad.ts';`, IMPORTS],
  ['testing/bench/checks.ts', `export { startLab } from '../lab/lab.ts';`, IMPORTS],
  ['e2e/support/steps.ts', `export { findContact } from '../../server/contacts/store.ts';`, IMPORTS],
  ['testing/programs/browser.ts', `export { startMain } from '../../server/testing/testMain.ts';`, IMPORTS],
  ['src/app/routes.tsx', `export { join } from 'node:path';`, IMPORTS],
  ['src/app/pages.tsx', `export type { Config } from '../../server/settings/config.ts';`, IMPORTS],
  ['src/ui/values/StatusBadge.tsx', `export type { Domain } from '#contract/domains/domain.ts';`, IMPORTS],
  ['src/ui/Payload.tsx', `export { useQuery } from '@tanstack/react-query';`, IMPORTS],
  ['src/api/curl.ts', `export { DataTable } from '../table/DataTable.tsx';`, IMPORTS],
  ['src/table/DataTable.tsx', `export { contactsQuery } from '../contacts/queries.ts';`, IMPORTS],
  ['src/testing/testServer.ts', `export { buildApp } from '../../server/app.ts';`, IMPORTS],
  ['src/api/json.ts', `export { json } from '../testing/testServer.ts';`, IMPORTS],
  ['src/listParser/mail/readMail.ts', `export { Page } from '../../app/routes.tsx';`, IMPORTS],
  ['src/contacts/queries.ts', `await fetch('/v1/contacts');`, GLOBALS],
  ['src/contacts/other.ts', `await globalThis.fetch('/v1/contacts');`, PROPERTIES],
  ['src/ui/A.tsx', `export const a = <b dangerouslySetInnerHTML={{ __html: '' }} />;`, 'react(no-danger)'],
  ['src/ui/B.tsx', `document.body.innerHTML = 'text';`, PROPERTIES],
  ['src/ui/C.tsx', `new Range().createContextualFragment('text');`, PROPERTIES],
  ['src/ui/D.tsx', `export const a = <iframe title="a" sandbox="" srcDoc="text" />;`, 'react(forbid-dom-props)'],
  ['src/session/session.ts', `localStorage.setItem('token', 'text');`, GLOBALS],
  ['src/session/cache.ts', `await caches.open('answers');`, GLOBALS],
  ['src/session/env.ts', `if (process.env.CI) close();`, GLOBALS],
  ['src/contacts/timeline/History.tsx', `new URLSearchParams('').set('history', '2');`, GLOBALS],
  ['src/contacts/copy.ts', `export const copy = (parsed: object) => Object.assign({}, parsed);`, PROPERTIES],
  ['contract/eval.ts', `export const run = (text: string) => globalThis.eval(text) as unknown;`, 'eslint(no-eval)'],
  ['server/contacts/run.ts', `export const run = (text: string) => new Function('row', text);`, 'eslint(no-new-func)'],
  [
    'server/http/body/jsonBody.ts',
    `export const plain = (value: object) => Object.setPrototypeOf(value, null);`,
    PROPERTIES,
  ],
  ['server/domains/putDomains.ts', `await fetch('https://provider.example');`, GLOBALS],
  ['server/domains/store.ts', `export const all = (db: { unscoped: unknown }) => db.unscoped;`, PROPERTIES],
  ['server/contacts/scope.ts', `export const all = ({ kysely }: { kysely: unknown }) => kysely;`, PROPERTIES],
];

const allowed: [path: string, code: string][] = [
  [
    'src/contacts/ContactPage.tsx',
    `export { paths } from '../url/paths.ts';\nexport { Contact } from '#contract/contact.ts';`,
  ],
  ['src/api/client.test.ts', `export { createServer } from 'node:http';`],
  ['src/api/client.ts', `await fetch('/v1/contacts');`],
  [
    'src/ui/Badge.tsx',
    `export { Badge } from '@mantine/core';\nexport { isInvisible } from '#contract/values/invisibleCharacters.ts';`,
  ],
  ['server/gateway/upstream.ts', `await fetch('https://upstream.example');`],
  ['server/http/rateLimitStore.ts', `export const copy = (left: object) => Object.assign({}, left);`],
  ['server/testing/testDns.ts', `export { needNamespace } from '../../testing/programs/namespace.ts';`],
  ['server/database/scope.ts', `export const all = (db: { unscoped: unknown }) => db.unscoped;`],
];

const ROOT = join(import.meta.dirname, '..');
let folder: string;
/** Rules by the files that break them. */
const found = new Map<string, string[]>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendroom-lint-'));
  await copyFile(join(ROOT, 'oxlint.config.ts'), join(folder, 'oxlint.config.ts'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [path, code] of [...forbidden, ...allowed]) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), `${code}\n`);
  }
  const program = join(ROOT, 'node_modules/.bin/oxlint');
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile(program, ['--format=json'], { cwd: folder }, (_, stdout) => resolve(stdout));
  const { diagnostics } = JSON.parse(await promise) as { diagnostics: { code: string; filename: string }[] };
  for (const { code, filename } of diagnostics) found.set(filename, [...(found.get(filename) ?? []), code]);
});
afterAll(() => rm(folder, { recursive: true }));

test.each(forbidden)('%s may not say: %s', (path, _, rule) => {
  expect(found.get(path)).toContain(rule);
});

test.each(allowed)('%s may say: %s', (path) => {
  expect(found.get(path) ?? []).toEqual([]);
});
