import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { must } from '../../contract/values/must.ts';
import { BUSIEST_CONTACT, CONTACTS, openContactStores } from './contactStores.ts';
import { type Engine, ENGINES, makeToken, type Stores } from './stores.ts';
import { type InspectedSendroom, startInspected } from '../../e2e/support/inspectedSendroom.ts';
import { generateLoad, median } from './measure/generateLoad.ts';
import { childrenSeconds } from './measure/processorTime.ts';
import type { BenchmarkRow } from './measure/table.ts';

const ROUNDS = 4;
/** Of a round of one server: a number and no time, so that code is as warm on a busy machine as on a quiet one. */
const ROUND_REQUESTS = 10_000;
const CONNECTIONS = 8;

const GOALS: Record<Engine, string> = { SQLite: 'at least 0.25', PostgreSQL: 'at least 0.08' };

/** A server that answers the same request, and its results of each round. */
type MeasuredServer = {
  name: Engine | 'bare node:http';
  url: URL;
  headers: Record<string, string>;
  /** Seconds of processor time that its process has used. */
  used: () => Promise<number>;
  rounds: Round[];
};

/** Requests a second, and the microseconds of processor time that one took of its process and of the server of PostgreSQL. */
type Round = { perSecond: number; own: number; database: number };

/** Requests a second of the first page of events. */
export async function measureRequestRates(folder: string): Promise<BenchmarkRow[]> {
  const stores = await openContactStores(folder);
  try {
    return await measureServers(stores);
  } finally {
    await stores.stop();
  }
}

/** One process on each engine and the bare server, alternating, so that other work on the machine affects all. */
async function measureServers(stores: Stores): Promise<BenchmarkRow[]> {
  const services: InspectedSendroom[] = [];
  const runners: MeasuredServer[] = [];
  let bare: BareServer | null = null;
  try {
    for (const name of ENGINES) {
      const databaseUrl = stores.urlOf(name, must(CONTACTS[1]));
      const headers = { authorization: `Bearer ${await makeToken(databaseUrl)}` };
      const service = await startInspected({ DATABASE_URL: databaseUrl, DEMO: 'off', METRICS: '127.0.0.1:0' });
      services.push(service);
      const used = async () => (await service.usage()).cpuSeconds;
      runners.push({
        name,
        url: new URL(`/v1/contacts/${BUSIEST_CONTACT}/events?per_page=10`, service.url),
        headers,
        used,
        rounds: [],
      });
    }
    const bodies = await Promise.all(runners.map(async ({ url, headers }) => (await fetch(url, { headers })).text()));
    if (new Set(bodies.map(({ length }) => length)).size !== 1) throw new Error('The engines give different pages.');
    bare = await startBareServer(bodies[0] ?? '');
    runners.push({ name: 'bare node:http', url: bare.url, headers: {}, used: bare.used, rounds: [] });
    for (let round = 0; round <= ROUNDS; round++) {
      for (const runner of runners) {
        const result = await oneRound(runner, stores.serverPid);
        // The first round warms up.
        if (round > 0) runner.rounds.push(result);
      }
    }
    return rowsOf(runners);
  } finally {
    bare?.stop();
    await Promise.all(services.map((service) => service.stop()));
  }
}

async function oneRound({ name, url, headers, used }: MeasuredServer, serverPid: number): Promise<Round> {
  const before = { own: await used(), database: childrenSeconds(serverPid) };
  // PostgreSQL needs the processor that a generator without sleep would use.
  const { times, perSecond } = await generateLoad(
    { url, headers },
    CONNECTIONS,
    { requests: ROUND_REQUESTS },
    name === 'PostgreSQL',
  );
  const own = (await used()) - before.own;
  const database = childrenSeconds(serverPid) - before.database;
  return { perSecond, own: (own / times.length) * 1e6, database: (database / times.length) * 1e6 };
}

function rowsOf(runners: readonly MeasuredServer[]): BenchmarkRow[] {
  const floor = runners.at(-1);
  return runners.flatMap(({ name, rounds }): BenchmarkRow[] => {
    const perSecond = median(rounds.map((round) => round.perSecond));
    const own = median(rounds.map((round) => round.own)).toFixed(1);
    const database = median(rounds.map((round) => round.database)).toFixed(0);
    const cost = name === 'PostgreSQL' ? `${own} µs, and ${database} µs of the server` : `${own} µs`;
    const measured: BenchmarkRow[] = [
      [`events, first page, ${name}: requests a second`, perSecond.toFixed(0)],
      [`${name}: processor time of a request`, cost],
    ];
    if (name === 'bare node:http') return measured;
    const shareOf = (part: (round: Round, bare: Round) => number) =>
      median(rounds.map((round, index) => part(round, floor?.rounds[index] ?? round))).toFixed(3);
    return [
      ...measured,
      [`${name}: share of the bare server`, shareOf((round, bare) => round.perSecond / bare.perSecond), GOALS[name]],
      [`${name}: the same by processor time`, shareOf((round, bare) => bare.own / round.own), GOALS[name]],
    ];
  });
}

type BareServer = { url: URL; used: () => Promise<number>; stop: () => void };

async function startBareServer(body: string): Promise<BareServer> {
  const server = fork(join(import.meta.dirname, 'bareServer.ts'));
  const ask = async (message: string) => {
    server.send(message);
    return ((await once(server, 'message')) as [number])[0];
  };
  const url = new URL(`http://127.0.0.1:${await ask(body)}/`);
  return { url, used: () => ask('processor time'), stop: () => void server.kill() };
}
