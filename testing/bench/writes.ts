import { fork } from 'node:child_process';
import { hash, randomUUID, randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { startPostgres } from '../programs/postgres.ts';
import { openDatabase } from '../../server/database/openDatabase.ts';
import { urlOf } from './benchServer.ts';
import { type Engine, ENGINES } from './stores.ts';
import { generateLoad, median, quantile } from './measure/generateLoad.ts';
import { startInspected } from '../../e2e/support/inspectedSendroom.ts';
import { childrenSeconds } from './measure/processorTime.ts';
import type { BenchmarkRow } from './measure/table.ts';
import { openPlainDatabase, plainTables } from './plainDatabase.ts';
import {
  CONTACTS,
  createFilled,
  eventsOf,
  type Filled,
  type MakeRequest,
  oneEvent,
  START,
  unsubscribe,
  update,
} from './writtenRows.ts';

// Writes over HTTP, compared with a plain service on the same engine with the same contacts (plainService.ts).

const ROUNDS = 3;
const CALLERS = 8;
const EVENTS_AT_ONCE = 500;
const CROWDS = [16, 300];
const CROWD_SECONDS = 5;
const READERS = 12;
const WRITERS = 4;
/** Enough that none is unsubscribed twice. */
const SIZE = 10_000;
type Service = {
  url: string;
  workspace: Filled;
  /** Seconds of processor time that its process has used. */
  used: () => Promise<number>;
  stop: () => Promise<void> | void;
};
type Write = { name: string; requests: number; make: MakeRequest };

const UPDATE: Write = { name: 'update of a company', requests: 1000, make: update };
const WRITES: readonly Write[] = [
  UPDATE,
  { name: 'unsubscribe', requests: 1000, make: unsubscribe },
  { name: 'one event', requests: 1000, make: oneEvent },
  { name: `${EVENTS_AT_ONCE} events`, requests: 20, make: eventsOf(EVENTS_AT_ONCE) },
];
const GOALS: Record<Engine, string> = { SQLite: 'at most 3', PostgreSQL: 'at most 2.5' };

export async function measureWrites(folder: string): Promise<BenchmarkRow[]> {
  const server = await startPostgres();
  const rows: BenchmarkRow[] = [];
  try {
    for (const engine of ENGINES) {
      const [own, plain] = ['own', 'plain'].map((name) =>
        engine === 'SQLite' ? `file:${join(folder, `${name}.db`)}` : urlOf(server, name),
      ) as [string, string];
      const databasePid = engine === 'SQLite' ? null : server.pid;
      if (engine === 'PostgreSQL') await createSchemas(server.url);
      const services = { own: await startOwn(own), plain: await startPlain(plain) };
      try {
        rows.push(...(await measureCosts(engine, services, databasePid)));
        rows.push(...(await measureCrowds(engine, services)));
        rows.push(await measureBesideReaders(engine, services.own));
      } finally {
        await services.own.stop();
        await services.plain.stop();
      }
    }
    return rows;
  } finally {
    await server.stop();
  }
}

async function createSchemas(url: string): Promise<void> {
  const database = await openPlainDatabase(url);
  for (const name of ['own', 'plain']) await database.read(`create schema ${name}`, []);
  await database.close();
}

async function startOwn(url: string): Promise<Service> {
  const database = await openDatabase(url);
  const workspace = await createFilled(database, SIZE);
  await database.analyze();
  await database.close();
  const sendroom = await startInspected({ DATABASE_URL: url, DEMO: 'off' });
  return {
    ...sendroom,
    workspace,
    used: async () => (await sendroom.usage()).cpuSeconds,
  };
}

async function startPlain(url: string): Promise<Service> {
  const database = await openPlainDatabase(url);
  for (const table of plainTables(url)) await database.read(table, []);
  const secret = randomUUID();
  await database.write(async (run) => {
    await run('insert into tokens (hash, uuid, workspace_id) values (?, ?, 1)', [hash('sha256', secret), randomUUID()]);
    const insert = `insert into contacts (workspace_id, uuid, email, subscribed, attributes, created_at, updated_at) values (1, ?, ?, 1, ?, ?, ?)`;
    for (const { attributes } of CONTACTS.slice(0, SIZE))
      await run(insert, [randomUUIDv7(), attributes.email, JSON.stringify(attributes), START, START]);
  });
  await database.close();
  const child = fork(join(import.meta.dirname, 'plainService.ts'));
  const ask = async (message: string) => {
    child.send(message);
    return ((await once(child, 'message')) as [number])[0];
  };
  return {
    url: `http://127.0.0.1:${await ask(url)}`,
    workspace: { uuid: randomUUID(), size: SIZE, headers: { authorization: `Bearer ${secret}` } },
    used: () => ask('processor time'),
    stop: () => void child.kill(),
  };
}

type Services = { own: Service; plain: Service };

/** Numbers of requests, so that none repeats another. */
let begun = 0;

function send(service: Service, { make }: Write, callers: number, until: { requests: number } | { seconds: number }) {
  const first = begun;
  begun += 'requests' in until ? until.requests : 100_000;
  const { headers } = service.workspace;
  const requestOf = (number: number) => {
    const { path, ...sent } = make(service.workspace, first + number);
    return { ...sent, url: new URL(path, service.url), headers, mayRefuse: true };
  };
  return generateLoad(requestOf, callers, until, true);
}

/** By processor time of both processes; the services alternate, so that other work on the machine affects both. */
async function measureCosts(engine: Engine, services: Services, databasePid: number | null): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const write of WRITES) {
    const costs: { own: number; plain: number }[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const cost = async (service: Service) => {
        const used = async () => (await service.used()) + (databasePid === null ? 0 : childrenSeconds(databasePid));
        const before = await used();
        const { refused } = await send(service, write, CALLERS, { requests: write.requests });
        if (refused > 0) throw new Error(`${refused} writes of ${CALLERS} callers were refused.`);
        return (((await used()) - before) / write.requests) * 1e6;
      };
      const costOfRound = { own: await cost(services.own), plain: await cost(services.plain) };
      // The first round warms up.
      if (round > 0) costs.push(costOfRound);
    }
    const micros = (which: 'own' | 'plain') => median(costs.map((cost) => cost[which])).toFixed(0);
    const ratio = median(costs.map(({ own, plain }) => own / plain)).toFixed(2);
    const goal = write.requests === 1000 ? GOALS[engine] : undefined;
    rows.push([
      `${engine}, ${write.name}: processor time`,
      `${micros('own')} / ${micros('plain')} µs, x ${ratio}`,
      goal,
    ]);
  }
  return rows;
}

async function measureCrowds(engine: Engine, services: Services): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const callers of CROWDS) {
    const own = await send(services.own, UPDATE, callers, { seconds: CROWD_SECONDS });
    const plain = await send(services.plain, UPDATE, callers, { seconds: CROWD_SECONDS });
    rows.push([
      `${engine}, ${callers} callers of one workspace: updates a second`,
      `${own.perSecond.toFixed(0)} / ${plain.perSecond.toFixed(0)}, x ${(own.perSecond / plain.perSecond).toFixed(2)}, refused ${own.refused}`,
      'at least 0.6',
    ]);
  }
  return rows;
}

async function measureBesideReaders(engine: Engine, service: Service): Promise<BenchmarkRow> {
  const url = new URL('/v1/contacts?per_page=50', service.url);
  const [writes, reads] = await Promise.all([
    send(service, UPDATE, WRITERS, { seconds: CROWD_SECONDS }),
    generateLoad(
      { url, headers: service.workspace.headers, mayRefuse: true },
      READERS,
      { seconds: CROWD_SECONDS },
      true,
    ),
  ]);
  return [
    `${engine}, ${WRITERS} writers and ${READERS} readers: p99 of a write`,
    `${quantile(writes.times, 0.99).toFixed(0)} ms, ${writes.perSecond.toFixed(0)} writes and ${reads.perSecond.toFixed(0)} reads a second`,
    'under 200 ms',
  ];
}
