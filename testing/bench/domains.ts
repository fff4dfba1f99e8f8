import { gzipSync } from 'node:zlib';
import type { ListQuery } from '../../contract/list.ts';
import type { CheckedLine } from '../../server/domains/checks/checkedLine.ts';
import type { DetailedDomainReport } from '../../contract/domains/domainHistory.ts';
import { must } from '../../contract/values/must.ts';
import { startSendroom } from '../../e2e/support/startSendroom.ts';
import type { Database } from '../../server/database/database.ts';
import { openDatabase } from '../../server/database/openDatabase.ts';
import type { Workspace } from '../../server/database/workspace.ts';
import { getDomainReport } from '../../server/domains/history/listReports.ts';
import { putVerdicts } from '../../server/domains/putVerdicts.ts';
import { listWorkspaces } from '../../server/workspaces/store.ts';
import {
  CALM_DOMAIN,
  DAY,
  DOMAINS,
  FLAPPING_DOMAIN,
  FREQUENT_CODE,
  FREQUENT_PROVIDER,
  openDomainStores,
  RARE_CODE,
  RARE_PROVIDER,
  SEARCHED,
} from './domainStores.ts';
import { type Case, firstPage, measureCases, sorted } from './listCases.ts';
import { median } from './measure/generateLoad.ts';
import { costOf } from './measure/processorTime.ts';
import type { BenchmarkRow } from './measure/table.ts';
import { type Engine, ENGINES, makeToken, type Stores } from './stores.ts';

// Domains with a year of history over HTTP, as ratios to a first page of the list of domains, and what a check costs to store.

/** Of the table of domains. */
const PER_PAGE = 25;
const NEAR = 'at most 3';
const FAR = 'at most 5';
const ROUNDS = 5;
const CHECKS = 200;

const DOMAIN_PAGE: Case = { ...firstPage('domains', '/v1/domains'), query: { per_page: PER_PAGE } };
const ALL_DOMAINS: Case = {
  ...DOMAIN_PAGE,
  what: 'domains, each page of 100',
  depth: 'all',
  query: { per_page: 100 },
};

const page = (path: string, what: string, goal: string, depth: number, query: ListQuery = {}): Case => {
  return { what, path, depth, goal, query: { per_page: PER_PAGE, ...query }, base: DOMAIN_PAGE };
};
const reports = (what: string, goal: string, depth: number, query: ListQuery = {}) =>
  page('/v1/domain-reports', `reports, ${what}`, goal, depth, query);
const filtered = (what: string, filters: ListQuery['filters']) => reports(what, FAR, 0, { filters });
const single = (what: string, path: string): Case => ({ what, path, depth: null, goal: NEAR, base: DOMAIN_PAGE });

/** `lastLook` is when the first domain was checked. */
function casesOf(lastLook: number): Case[] {
  const since = (days: number) => new Date(lastLook - days * DAY).toISOString();
  const changes = (what: string, goal: string, depth: number, query: ListQuery = {}) =>
    page('/v1/domain-changes', `changes, ${what}`, goal, depth, query);
  const incidents = (what: string, goal: string, depth: number, query: ListQuery = {}) =>
    page('/v1/incidents', `incidents, ${what}`, goal, depth, query);
  return [
    DOMAIN_PAGE,
    reports('first page', NEAR, 0),
    reports('by name', NEAR, 0, sorted('name')),
    reports('last page', NEAR, 1),
    reports('in the middle', FAR, 0.5),
    reports('by name, in the middle', FAR, 0.5, sorted('name')),
    reports('last changed first', NEAR, 0, sorted('-changed_at')),
    filtered('that need fixing', { state: 'failing' }),
    filtered('with advice', { state: 'warning' }),
    filtered('of a frequent code (a fifth)', { code: FREQUENT_CODE }),
    filtered('of a rare code (20)', { code: RARE_CODE }),
    filtered('for the owner', { turn: 'owner' }),
    filtered('for the provider (20)', { turn: 'provider' }),
    filtered('of a frequent provider (two fifths)', { provider: FREQUENT_PROVIDER }),
    filtered('of a rare provider (100)', { provider: RARE_PROVIDER }),
    filtered('changed since yesterday', { changed_since: since(1) }),
    filtered('changed in 7 days', { changed_since: since(7) }),
    reports('search with few hits (100)', FAR, 0, { search: SEARCHED }),
    reports('search with no hit', FAR, 0, { search: 'nothing' }),
    { ...reports('each page of 100', NEAR, 0), depth: 'all', query: { per_page: 100 }, base: ALL_DOMAINS },
    single('report of a domain', `/v1/domain-reports/${CALM_DOMAIN}`),
    single('report of one that flaps', `/v1/domain-reports/${FLAPPING_DOMAIN}`),
    page(`/v1/domains/${FLAPPING_DOMAIN}/history`, 'history of one that flaps, 90 days', NEAR, 0, {
      filters: { from: since(90) },
    }),
    changes('first page', NEAR, 0),
    changes('in the middle', FAR, 0.5),
    changes('last page', NEAR, 1),
    changes('of 7 days', FAR, 0, { filters: { from: since(7) } }),
    changes('that are worse', FAR, 0, { filters: { direction: 'worse' } }),
    changes('search with few hits', FAR, 0, { search: SEARCHED }),
    incidents('first page', NEAR, 0),
    incidents('in the middle', FAR, 0.5),
    incidents('that are open', FAR, 0, { filters: { state: 'open' } }),
    single('summary', '/v1/domains/summary'),
  ];
}

export async function measureDomains(folder: string): Promise<BenchmarkRow[]> {
  const stores = await openDomainStores(folder);
  try {
    const rows: BenchmarkRow[] = [];
    for (const engine of ENGINES) {
      const lastLook = await onStore(stores, engine, async (db, workspace) => {
        const { checked_at } = must(await getDomainReport(workspace, db, FLAPPING_DOMAIN));
        return Date.parse(must(checked_at));
      });
      rows.push(...(await measureCases(engine, stores, [DOMAINS], casesOf(lastLook))));
      rows.push(...(await measureBytes(engine, stores)));
      rows.push(await measureStoring(engine, stores));
    }
    return rows;
  } finally {
    await stores.stop();
  }
}

async function onStore<Result>(
  stores: Stores,
  engine: Engine,
  work: (db: Database, workspace: Workspace) => Promise<Result>,
): Promise<Result> {
  const db = await openDatabase(stores.urlOf(engine, DOMAINS));
  try {
    const [workspace] = await listWorkspaces(db);
    return await work(db, must(workspace));
  } finally {
    await db.close();
  }
}

/** As JSON, and as a proxy would send it. */
async function measureBytes(engine: Engine, stores: Stores): Promise<BenchmarkRow[]> {
  const databaseUrl = stores.urlOf(engine, DOMAINS);
  const headers = { authorization: `Bearer ${await makeToken(databaseUrl)}` };
  const { url, stop } = await startSendroom({ DATABASE_URL: databaseUrl, DEMO: 'off' });
  try {
    const rows: BenchmarkRow[] = [];
    for (const [what, path] of [
      ['domains', '/v1/domains'],
      ['reports', '/v1/domain-reports'],
    ]) {
      for (const count of [PER_PAGE, 100]) {
        const response = await fetch(`${url}${path}?per_page=${count}`, { headers });
        const body = Buffer.from(await response.arrayBuffer());
        const [whole, zipped] = [body, gzipSync(body)].map(({ length }) => (length / 1000).toFixed(1));
        const text = `${whole} kB, ${zipped} kB gzip`;
        rows.push([`${engine}: ${what}, a page of ${count}`, text]);
      }
    }
    return rows;
  } finally {
    await stop();
  }
}

/** What a check costs to store that finds the same as the one before. */
async function measureStoring(engine: Engine, stores: Stores): Promise<BenchmarkRow> {
  const costs = await onStore(stores, engine, async (db, workspace) => {
    const report = must(await getDomainReport(workspace, db, CALM_DOMAIN));
    const lines = linesOf(report);
    let at = Math.max(Date.now(), Date.parse(must(report.checked_at)));
    const rounds = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const store = async () => {
        for (let check = 0; check < CHECKS; check++) await putVerdicts(workspace, db, CALM_DOMAIN, lines, ++at, DAY);
      };
      rounds.push(await costOf(engine === 'SQLite' ? null : stores.serverPid, store));
    }
    // The first round warms up.
    return rounds.slice(1);
  });
  const perSecond = CHECKS / median(costs.map(({ clock }) => clock));
  const micros = (median(costs.map(({ processor }) => processor)) / CHECKS) * 1e6;
  return [
    `${engine}: checks that find the same, stored a second`,
    `${perSecond.toFixed(0)}; processor ${micros.toFixed(0)} µs each`,
  ];
}

function linesOf({ domain, verdicts }: DetailedDomainReport): CheckedLine[] {
  return verdicts.map(({ kind, subject, index, finding }) => {
    if (kind === 'record') {
      const place = must(index);
      return { kind, domain: domain.name, index: place, record: must(domain.dns[place]), finding, ttl: 300 };
    }
    return { kind, domain: domain.name, about: subject, finding } as CheckedLine;
  });
}
