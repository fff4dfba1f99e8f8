import { BUSIEST, makeToken, openEventStores } from './eventStores.ts';
import { type InspectedSendroom, startInspected } from './inspect.ts';
import { generateLoad, median } from './generateLoad.ts';
import { childrenSeconds } from './processorTime.ts';
import type { BenchmarkRow } from './table.ts';

const SIZE = 10_000;
const ROUNDS = 4;
/** Of a round, of all processes in it: a number and no time, as in eventRequests.ts. */
const ROUND_REQUESTS = 12_000;
/** Enough that a process that has them all to itself never waits for a request. */
const CONNECTIONS = 24;

/** For one round: requests a second, and microseconds of processor time of a request. */
type Round = { perSecond: number; service: number; database: number; both: number };

/**
 * One process on a PostgreSQL against two of them, alternating, with the first page of the list of events. Each of the two has as many
 * callers as the one, so that it always has a queue, as on a machine with more work than processors; then they share the callers of one,
 * so that fewer requests arrive together. The cost of a request is counted in processor time, because database, generator and processes
 * share the processors.
 */
export async function measureProcesses(folder: string): Promise<BenchmarkRow[]> {
  const stores = await openEventStores(folder, [SIZE]);
  const databaseUrl = stores.urlOf('PostgreSQL', SIZE);
  const services: InspectedSendroom[] = [];
  try {
    const token = await makeToken(databaseUrl);
    for (let count = 0; count < 2; count++) {
      services.push(await startInspected({ DATABASE_URL: databaseUrl, DEMO: 'off', RATE_LIMIT: '10000000' }));
    }
    const headers = { authorization: `Bearer ${token}` };
    const targets = services.map((service) => {
      const url = new URL(`/v1/contacts/${BUSIEST}/events?per_page=10`, service.url);
      return { service, url, headers };
    });
    const answers = () => Promise.all(targets.map(async ({ url }) => (await fetch(url, { headers })).text()));
    const [expected] = await answers();

    const one: Round[] = [];
    const two: Round[] = [];
    const divided: Round[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const alone = targets.slice(round % 2, 1 + (round % 2));
      const measured = [
        [one, await measureRound(alone, CONNECTIONS, stores.serverPid)],
        [two, await measureRound(targets, CONNECTIONS, stores.serverPid)],
        [divided, await measureRound(targets, CONNECTIONS / 2, stores.serverPid)],
      ] as const;
      // The first round warms up.
      if (round > 0) for (const [rounds, result] of measured) rounds.push(result);
    }
    for (const answer of await answers()) if (answer !== expected) throw new Error('The answers of the two differ.');
    return [
      ...rowsOf(`one process with ${CONNECTIONS} callers -> two with ${CONNECTIONS} each`, one, two, 'at most x 1.1'),
      ...rowsOf(`one process with ${CONNECTIONS} callers -> two with ${CONNECTIONS / 2} each`, one, divided),
    ];
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    await stores.stop();
  }
}

type Target = { service: InspectedSendroom; url: URL; headers: Record<string, string> };

/** `connections` of each target. Throws unless every answer is a 200. */
async function measureRound(targets: readonly Target[], connections: number, serverPid: number): Promise<Round> {
  const serviceSeconds = async () => {
    const usages = await Promise.all(targets.map(({ service }) => service.usage()));
    return usages.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  };
  const before = { service: await serviceSeconds(), database: childrenSeconds(serverPid) };
  const loads = await Promise.all(
    targets.map((target) => generateLoad(target, connections, { requests: ROUND_REQUESTS / targets.length }, true)),
  );
  const requests = loads.reduce((sum, { times }) => sum + times.length, 0);
  const service = (((await serviceSeconds()) - before.service) / requests) * 1e6;
  const database = ((childrenSeconds(serverPid) - before.database) / requests) * 1e6;
  const perSecond = loads.reduce((sum, { perSecond }) => sum + perSecond, 0);
  return { perSecond, service, database, both: service + database };
}

function rowsOf(which: string, one: readonly Round[], two: readonly Round[], goal = ''): BenchmarkRow[] {
  const compare = (part: keyof Round, unit: string) => {
    const [alone = 0, both = 0] = [one, two].map((rounds) => median(rounds.map((round) => round[part])));
    const ratio = median(one.map((round, index) => (two[index]?.[part] ?? Number.NaN) / round[part]));
    return `${alone.toFixed(0)} -> ${both.toFixed(0)}${unit}, x ${ratio.toFixed(2)}`;
  };
  return [
    [`events list, ${which}: requests a second`, compare('perSecond', '')],
    ['processor time of a request: the service', compare('service', ' µs')],
    ['processor time of a request: the database', compare('database', ' µs')],
    ['processor time of a request: both', compare('both', ' µs'), goal],
  ];
}
