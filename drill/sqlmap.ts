import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startPostgres } from '../.ci/programs/postgres.ts';
import { openDatabase } from '../server/database/openDatabase.ts';
import { startMain } from '../server/testing/testMain.ts';
import { createTwinTenants, listPath, LISTS, SHARED_IDENTITIES, type Tenant } from '../server/testing/testTenants.ts';
import type { Drill, DrillResult } from './drill.ts';
import { startInjectable } from './injectable.ts';
import { obtainProgram, type Program } from './programs.ts';

// Only on PostgreSQL: for SQLite, sqlmap has no test of a column to sort by.

const OPTIONS =
  '--batch --flush-session --disable-coloring --dbms=postgresql --level=5 --risk=3 --technique=BEUST --threads=4 --timeout=10 --retries=0 --ignore-code=*'.split(
    ' ',
  );
/** Seconds for one request, with all places that are tested in it. */
const TARGET_MAX = 240;
/** A place that is really tested takes far more requests. */
const REQUESTS_MIN = 200;

/** A request with a star after each place to test. */
type Target = { name: string; path: string; headers?: readonly string[]; body?: string };

export const sqlmap: Drill = {
  name: 'sqlmap',
  description: 'sqlmap finds the holes that were planted as control, and none in the service, on PostgreSQL',
  minutesMax: 25,
  async *run(folder) {
    const program = obtainProgram(folder, 'sqlmap');
    const postgres = await startPostgres({ fsync: 'off' });
    const database = await openDatabase(postgres.url);
    const [own] = await createTwinTenants(database, Date.now());
    const injectable = await startInjectable(postgres.url);
    const service = startMain({ DATABASE_URL: postgres.url, DEMO: 'off', RATE_LIMIT: '0', DNS_RECHECK: 'off' });
    try {
      for (const target of CONTROL_TARGETS) {
        const { isFound, seconds } = await runSqlmap(program, folder, injectable.url, target);
        yield {
          what: target.name,
          expected: 'found',
          measured: `${isFound ? 'found' : 'nothing'} in ${seconds} s`,
          holds: isFound,
        };
      }
      const address = await service.address;
      const lines = () => service.stderr().split('\n');
      for (const target of targetsOf(own)) {
        const before = lines().length;
        const { isFound, seconds } = await runSqlmap(program, folder, address, target);
        const count = lines().length - before;
        const measured = `${isFound ? 'found' : 'nothing'} in ${count} requests and ${seconds} s`;
        yield { what: target.name, expected: 'nothing', measured, holds: !isFound && count > REQUESTS_MIN };
      }
      yield errorsIn(lines());
    } finally {
      await service.stop();
      await injectable[Symbol.asyncDispose]();
      await database.close();
      await postgres.stop();
    }
  },
};

function errorsIn(lines: readonly string[]): DrillResult {
  const errors = lines.filter((line) => /"level":"(error|fatal)"/.test(line));
  const measured = `${errors.length} in ${lines.length} lines`;
  return { what: 'errors in the log of the service', expected: 'none', measured, holds: errors.length === 0 };
}

const CONTROL_TARGETS: readonly Target[] = [
  { name: 'planted: a column to sort by', path: '/?sort=uuid*' },
  { name: 'planted: a search', path: '/?search=a*' },
];

function targetsOf(own: Tenant): Target[] {
  const { workspace, contact, domain, token } = own;
  const email = encodeURIComponent(SHARED_IDENTITIES.email);
  const headers = [`Authorization: Bearer ${token}`];
  const json = [...headers, 'Content-Type: application/json'];
  const asked: Target[] = [
    ...LISTS.flatMap((endpoint) => {
      const { id, list } = endpoint;
      const path = listPath(endpoint, own);
      const filters = (list.filters ?? []).map((filter) => `&${filter}=true*`).join('');
      const sort = { name: `the sort of ${id}`, path: `${path}?sorting[]={"id":"${list.sortable[0]}*","desc":true*}` };
      const search = { name: `search and filter of ${id}`, path: `${path}?search=a*${filters}` };
      return [...(list.sortable.length > 0 ? [sort] : []), ...(list.search === undefined ? [] : [search])];
    }),
    { name: 'a contact in the path', path: `/v1/contacts/${email}*` },
    { name: 'the UUID of a contact, and a page', path: `/v1/contacts/${contact}*/changes?page=1*&per_page=2*` },
    { name: 'the UUID of a domain', path: `/v1/domains/${domain}*/addresses` },
    { name: 'an unsubscribe', path: `/v1/workspaces/${workspace.uuid}*/contacts/${email}*/unsubscribe`, body: '{}' },
    {
      name: 'keys and values of an update',
      path: `/v1/contacts/${email}`,
      body: '{"attributes":{"company*":"x*","customer_id":"C-1*"}}',
    },
    {
      name: 'the reason to subscribe',
      path: `/v1/workspaces/${workspace.uuid}/contacts/${email}/subscribe`,
      body: '{"reason":"asked*"}',
    },
  ];
  const console = ['Sendroom-Console: 1', 'Content-Type: application/json'];
  return [
    ...asked.map((target) => ({ ...target, headers: target.body === undefined ? headers : json })),
    { name: 'the token', path: '/v1/workspace', headers: [`Authorization: Bearer ${token}*`] },
    { name: 'the cookie of a session', path: '/session', headers: ['Sendroom-Console: 1', 'Cookie: sendroom=x*'] },
    { name: 'a sign-in', path: '/session', headers: console, body: '{"token":"x*","workspace":"y*"}' },
  ];
}

async function runSqlmap(
  { path: program, env }: Program,
  folder: string,
  address: string,
  { name, path, headers = [], body }: Target,
): Promise<{ isFound: boolean; seconds: number }> {
  const output = join(folder, name.replaceAll(/\W+/g, '-'));
  const request = ['-u', new URL(address).origin + path, ...headers.flatMap((header) => ['-H', header])];
  const start = performance.now();
  const child = spawn(
    program,
    [...request, ...(body === undefined ? [] : ['--data', body]), ...OPTIONS, '--output-dir', output],
    { env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const late = setTimeout(() => child.kill('SIGKILL'), TARGET_MAX * 1000);
  await once(child, 'close');
  clearTimeout(late);
  const isFound = said.includes('sqlmap identified the following injection point');
  if (!isFound && !said.includes('do not appear to be injectable'))
    throw new Error(`sqlmap came to no end with ${name}: ${said.slice(-500)}`);
  return { isFound, seconds: Math.round((performance.now() - start) / 1000) };
}
