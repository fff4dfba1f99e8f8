import { chromium, request, type Browser } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { obtainBrowser } from '../programs/browser.ts';
import { FIRST_LOAD_BUDGETS, measureFirstLoad, type StorageState } from '../../e2e/support/firstLoad.ts';
import { startSendroom } from '../../e2e/support/startSendroom.ts';
import { fetchNameServers } from '../programs/nameServers.ts';
import { measureVerify } from './verify.ts';
import { measureContactLists } from './contactLists.ts';
import { measureContactFilters } from './contactFilters.ts';
import { measureDomains } from './domains.ts';
import { measureRequestRates } from './requestRates.ts';
import { measureImports } from './imports.ts';
import { measureInteractions } from './interactions.ts';
import { measurePeers } from './peers.ts';
import { measureShards } from './shards.ts';
import { measureWorkers } from './workers.ts';
import { measureWaits } from './measure/waits.ts';
import { measureWrites } from './writes.ts';
import { formatTable, type BenchmarkRow } from './measure/table.ts';

// npm run bench [-- part ...]: one table of medians and ratios. Absolute times depend on the machine; ratios and bytes
// do not.

type Part = (folder: string) => Promise<BenchmarkRow[]>;

const parts: Record<string, Part> = {
  load: (folder) => inBrowser(folder, firstLoad),
  interactions: (folder) => inBrowser(folder, measureInteractions),
  service: measureRequestRates,
  lists: measureContactLists,
  filters: measureContactFilters,
  domains: measureDomains,
  waits: measureWaits,
  writes: measureWrites,
  shards: measureShards,
  workers: measureWorkers,
  import: measureImports,
  verify: measureVerify,
  dns: measureDnsChecks,
  peers: (folder) => inBrowser(folder, measurePeers),
};

async function main(names: string[]): Promise<void> {
  const unknown = names.find((name) => !(name in parts));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}": say ${Object.keys(parts).join(', ')}.`);
  const folder = await mkdtemp(join(tmpdir(), 'sendroom-bench-'));
  // Root runs PostgreSQL as another user, whose data is in it.
  await chmod(folder, 0o711);
  const missing: string[] = [];
  try {
    for (const [name, part] of Object.entries(parts)) {
      if (names.length > 0 && !names.includes(name)) continue;
      try {
        await measurePart(name, part, folder);
      } catch (error) {
        // The others are measured all the same. Its cause may be a report of 100 kB.
        console.error((error as Error).stack);
        missing.push(`${name} was not measured: ${(error as Error).message}`);
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  for (const sentence of missing) console.error(sentence);
  if (missing.length > 0) process.exitCode = 1;
}

async function measurePart(name: string, part: Part, folder: string): Promise<void> {
  console.log(`\n${name} (load of the machine before it: ${loadavg()[0]?.toFixed(2)})`);
  const began = performance.now();
  const rows = await part(folder);
  if (rows.length > 0) console.log(formatTable(rows));
  console.log(`(${Math.round((performance.now() - began) / 1000)} s)`);
}

/** In the network namespace of the lab, where name servers are on port 53 and nothing can be fetched. It prints its own rows. */
async function measureDnsChecks(): Promise<BenchmarkRow[]> {
  fetchNameServers();
  const { status } = spawnSync(process.execPath, ['testing/lab/run.ts', process.execPath, 'testing/lab/benchmark.ts'], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('see above.');
  return [];
}

type InBrowser = (browser: Browser, url: string, session: StorageState) => Promise<BenchmarkRow[]>;

async function inBrowser(folder: string, measure: InBrowser): Promise<BenchmarkRow[]> {
  const sendroom = await startSendroom({ DATABASE_URL: `file:${join(folder, 'demo.db')}` });
  const browser = await chromium.launch({
    executablePath: obtainBrowser(console.log, 'full'),
    args: ['--disable-gpu'],
  });
  try {
    return await measure(browser, sendroom.url, await redeem(sendroom.signInLink));
  } finally {
    await browser.close();
    await sendroom.stop();
  }
}

/** The session of the sign-in link, which any number of browser contexts may use. */
async function redeem(link: string): Promise<StorageState> {
  const { origin, hash } = new URL(link);
  const context = await request.newContext({ baseURL: origin });
  const code = new URLSearchParams(hash.slice(1)).get('code');
  const answer = await context.post('/session', { headers: { 'sendroom-console': '1' }, data: { code } });
  if (!answer.ok()) throw new Error(`The sign-in link returned ${answer.status()}.`);
  return context.storageState();
}

async function firstLoad(browser: Browser, url: string, session: StorageState): Promise<BenchmarkRow[]> {
  const load = await measureFirstLoad(browser, `${url}/domains`, session);
  const { js, css, requests } = FIRST_LOAD_BUDGETS.domains;
  return [
    ['first load of /domains, JavaScript', `${(load.js / 1000).toFixed(1)} kB gzip`, `at most ${js / 1000}`],
    ['first load of /domains, CSS', `${(load.css / 1000).toFixed(1)} kB gzip`, `at most ${css / 1000}`],
    ['first load of /domains, requests', String(load.requests.length), `at most ${requests}`],
    ['first load of /domains, layout shift', load.layoutShift.toFixed(3), '0'],
  ];
}

await main(process.argv.slice(2));
