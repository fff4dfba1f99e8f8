import { availableParallelism } from 'node:os';
import { BUSIEST, makeToken, openEventStores } from './eventStores.ts';
import { type InspectedSendroom, startInspected } from './inspect.ts';
import { generateLoad, median } from './generateLoad.ts';
import { machineSeconds } from './processorTime.ts';
import type { BenchmarkRow } from './table.ts';

const SIZE = 10_000;
const ROUNDS = 8;
const ROUND_SECONDS = 3;
/** In all; enough that no process ever waits for a request. */
const CONNECTIONS = 24;

/** For one round: requests a second, and microseconds of processor time of a request. */
type Round = { perSecond: number; service: number; generator: number; all: number };

/**
 * Two processes on one PostgreSQL against one of them, alternating, with the first page of the list of events. The
 * database and the load generator run on the same processors. If one process keeps those busy, a second one cannot
 * double the speed; the cost of a request to the processes shows what it would be with a database on processors of its
 * own.
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
    for (let round = 0; round <= ROUNDS; round++) {
      const alone = await measureRound(targets.slice(round % 2, 1 + (round % 2)));
      const both = await measureRound(targets);
      // The first round warms up.
      if (round === 0) continue;
      one.push(alone);
      two.push(both);
    }
    for (const answer of await answers()) if (answer !== expected) throw new Error('The answers of the two differ.');
    return rowsOf(one, two);
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    await stores.stop();
  }
}

type Target = { service: InspectedSendroom; url: URL; headers: Record<string, string> };

/** Throws unless every answer is a 200. */
async function measureRound(targets: readonly Target[]): Promise<Round> {
  const serviceSeconds = async () => {
    const usages = await Promise.all(targets.map(({ service }) => service.usage()));
    return usages.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  };
  const used = async () => {
    const { user, system } = process.cpuUsage();
    return { service: await serviceSeconds(), generator: (user + system) / 1e6, all: machineSeconds() };
  };
  const before = await used();
  const loads = await Promise.all(
    targets.map((target) => generateLoad(target, CONNECTIONS / targets.length, { seconds: ROUND_SECONDS }, true)),
  );
  const after = await used();
  const requests = loads.reduce((sum, { times }) => sum + times.length, 0);
  const each = (part: keyof typeof before) => ((after[part] - before[part]) / requests) * 1e6;
  return {
    perSecond: loads.reduce((sum, { perSecond }) => sum + perSecond, 0),
    service: each('service'),
    generator: each('generator'),
    all: each('all'),
  };
}

function rowsOf(one: readonly Round[], two: readonly Round[]): BenchmarkRow[] {
  const of = (part: keyof Round) => [one, two].map((rounds) => median(rounds.map((round) => round[part])));
  const ratio = (part: keyof Round) =>
    median(one.map((round, index) => (two[index]?.[part] ?? Number.NaN) / round[part])).toFixed(2);
  const cost = (what: string, part: keyof Round): BenchmarkRow => {
    const [alone = 0, both = 0] = of(part);
    return [`processor time of a request: ${what}`, `${alone.toFixed(0)} -> ${both.toFixed(0)} µs, x ${ratio(part)}`];
  };
  const [alone = 0, both = 0] = of('perSecond');
  const processors = availableParallelism();
  const [serviceAlone = 0, serviceBoth = 0] = of('service');
  return [
    [
      `events list, one process -> two, everything on ${processors} processors: requests a second`,
      `${alone.toFixed(0)} -> ${both.toFixed(0)}, x ${ratio('perSecond')}`,
    ],
    cost('the service', 'service'),
    cost('what generates the load', 'generator'),
    cost('all that ran, with the database', 'all'),
    [
      'two against one, where the processors of the service are the limit',
      `x ${((2 * serviceAlone) / serviceBoth).toFixed(2)}`,
      'at least x 1.6',
    ],
  ];
}
