import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres } from '../programs/postgres.ts';
import { startInspected, type ProcessUsage } from '../../e2e/support/inspectedSendroom.ts';
import { runMixedLoad } from './mixedLoad.ts';
import { putEvents } from '../../server/contacts/events/putEvents.ts';
import { putContacts } from '../../server/contacts/store.ts';
import { openDatabase } from '../../server/database/openDatabase.ts';
import { seededRandom } from '../../server/demo/seededRandom.ts';
import { putDomains } from '../../server/domains/putDomains.ts';
import { findDomainByName } from '../../server/domains/store.ts';
import { createToken, createWorkspace } from '../../server/workspaces/store.ts';
import type { Drill, DrillResult } from './drill.ts';

const MINUTES = 10;
/** Minutes until every cache is full. */
const WARM_UP = 4;
const SAMPLE_MS = 5_000;
const CALLERS = 6;
const CONTACTS = 2_000;
const EVENTS = 20_000;
const DOMAINS = 10;
const BUSIEST = 'c0@example.com';
const MIB = 2 ** 20;
/** By how much memory varies that is freed and allocated again. */
const [RSS_MAX, HEAP_MAX] = [12, 3];

export const soak: Drill = {
  name: 'soak',
  description: `${MINUTES} minutes of everything that people and programs do, on both engines: memory does not grow`,
  minutesMax: MINUTES + 8,
  async *run(folder) {
    mkdirSync(join(folder, 'data'));
    const server = await startPostgres();
    try {
      const urls = { SQLite: `file:${join(folder, 'data', 'soak.db')}`, PostgreSQL: server.url };
      const all = Object.entries(urls).map(([engine, url]) => load(engine, url));
      for (const rows of await Promise.all(all)) yield* rows;
    } finally {
      await server.stop();
    }
  },
};

type Sample = ProcessUsage & { minutes: number };

async function load(engine: string, databaseUrl: string): Promise<DrillResult[]> {
  const data = await fill(databaseUrl);
  const sendroom = await startInspected({
    DATABASE_URL: databaseUrl,
    DEMO: 'off',
    LOG_LEVEL: 'fatal',
    // So high that it counts and never refuses.
    RATE_LIMIT: '10000000',
    // There is no resolver.
    DNS_SERVERS: '127.0.0.1:9',
    DNS_RECHECK: 'off',
  });
  try {
    const end = AbortSignal.timeout(MINUTES * 60_000);
    const samples: Sample[] = [];
    const start = performance.now();
    const sampled = (async () => {
      while (!end.aborted) {
        await delay(SAMPLE_MS);
        samples.push({ ...(await sendroom.usageAfterGc()), minutes: (performance.now() - start) / 60_000 });
      }
    })();
    const calls = await runMixedLoad({ ...data, url: sendroom.url }, CALLERS, end);
    await sampled;
    return (['rss', 'heap'] as const).map((of) => {
      const between = (from: number, to: number) =>
        median(samples.flatMap((one) => (one.minutes >= from && one.minutes < to ? [one[of] / MIB] : [])));
      const half = (MINUTES - WARM_UP) / 3;
      const [first, last] = [between(WARM_UP, WARM_UP + half), between(MINUTES - half, Infinity)];
      const most = of === 'rss' ? RSS_MAX : HEAP_MAX;
      return {
        what: `${of === 'rss' ? 'memory' : 'the heap'} on ${engine}, ${calls.toLocaleString('en')} calls in ${MINUTES} minutes`,
        expected: `grows by at most ${most} MiB after minute ${WARM_UP}, ${(MINUTES - WARM_UP - half).toFixed(0)} minutes on`,
        measured: `${first.toFixed(1)} MiB, then ${last.toFixed(1)} MiB`,
        holds: last - first <= most,
      };
    });
  } finally {
    await sendroom.stop();
  }
}

async function fill(url: string) {
  const database = await openDatabase(url);
  try {
    const now = Date.now();
    const workspace = await createWorkspace(database, { name: 'Acme', identity_field: null }, now);
    const { token } = await createToken(workspace, database, { name: 'soak', role: 'admin' }, now);
    const people = Array.from({ length: CONTACTS }, (_, index) => ({
      attributes: { email: `c${index}@example.com`, company: `Company ${index % 40}` },
    }));
    const events = Array.from({ length: EVENTS }, (_, index) => ({
      contact: index % 2 === 0 ? BUSIEST : `c${index % CONTACTS}@example.com`,
      event_name: ['email_opened', 'email_sent', 'order_paid', 'refund'][index % 4] ?? '',
      attributes: { index },
      created_at: now - index * 60_000,
    }));
    const names = Array.from({ length: DOMAINS }, (_, index) => `soak${index}.test`);
    await database.write(workspace, (scope) => putContacts(scope, people, now));
    await database.write(workspace, (scope) => putEvents(scope, events, now));
    const domains = await database.write(workspace, async (scope) => {
      await putDomains(
        scope,
        names.map((name) => ({ name })),
        now,
      );
      const found = await Promise.all(names.map((name) => findDomainByName(scope, name)));
      return found.flatMap((domain) => domain?.uuid ?? []);
    });
    return { token, workspace: workspace.uuid, busiest: BUSIEST, contacts: CONTACTS, domains, random: seededRandom(1) };
  } finally {
    await database.close();
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}
