import { setTimeout as delay } from 'node:timers/promises';
import { must } from '../../contract/values/must.ts';
import { seededRandom } from '../../server/demo/seededRandom.ts';
import { describeMissingCitus, hostOf, onNode } from '../programs/citus.ts';
import { median, quantile } from './measure/generateLoad.ts';
import { type Load, type Measured, type Place, type Placed, SlowedCluster, sum } from './measure/slowedCluster.ts';
import type { BenchmarkRow } from './measure/table.ts';
import { eventsOf, firstPage, type MakeRequest, unsubscribe, update } from './writtenRows.ts';

// How far workers carry where workspaces are distributed over machines (docs/citus.md).

const WORKERS = 4;
const SHARE = 0.1;
/** Of workspaces of one size, so that nothing but the number of workers differs. */
const EQUAL = Array.from({ length: 48 }, () => 200);
const LARGEST = 20_000;
const UNEQUAL = Array.from({ length: 1000 }, (_, rank) => Math.max(1, Math.round(LARGEST / (rank + 1) ** 1.5)));
/** A workspace of at most so many contacts is small. */
const SMALL = 20;
/** For each worker. */
const CALLERS = 8;
const ROUNDS = 3;
const SECONDS = 7;
const WARM_SECONDS = 12;
const LONG_SECONDS = 16;

const EVENTS_AT_ONCE = 1000;
const someEvents = eventsOf(100);
/** Five first pages, three updates, an unsubscribe and 100 events. */
const MIX = [firstPage, update, firstPage, unsubscribe, firstPage, update, firstPage, someEvents, firstPage, update];

const percents = (shares: readonly number[]) => `${shares.map((share) => Math.round(share * 100)).join(', ')} %`;
const ofShare = ({ used }: Measured) => used.workers.map((each) => each / SHARE);

export async function measureWorkers(): Promise<BenchmarkRow[]> {
  const missing = describeMissingCitus();
  if (missing !== null) throw new Error(missing);
  await using slowed = await SlowedCluster.start(WORKERS, SHARE);
  const one = await slowed.with({ name: 'one', workers: 1, sizes: [LARGEST, ...EQUAL] }, async (place) => ({
    growth: await measureGrowth(slowed, place),
    largest: await measureLargest(slowed, place),
  }));
  const two = await slowed.with({ name: 'two', workers: 2, sizes: EQUAL }, (place) => measureGrowth(slowed, place));
  const four = await slowed.with({ name: 'four', workers: WORKERS, sizes: EQUAL }, async (place) => ({
    growth: await measureGrowth(slowed, place),
    idle: await measureIdle(slowed, place),
  }));
  const many = await slowed.with({ name: 'many', workers: WORKERS, sizes: UNEQUAL }, async (place) => ({
    rows: [
      ...(await describeEvenness(slowed, place)),
      ...(await measureUneven(slowed, place)),
      ...(await measureNeighbours(slowed, place)),
    ],
    largest: await measureLargest(slowed, place),
  }));
  return [
    ...growthRows([one.growth, two, four.growth]),
    ...costRows(four.growth, four.idle),
    ...many.rows,
    ...largestRows(one.largest, many.largest),
    ['the machine at its busiest', percents([slowed.busiest]), 'at most 90 %'],
    ['refused requests', String(slowed.refused), '0'],
  ];
}

/** The mix on any of `among`. */
function anyOf(among: readonly Placed[], callers: number, mix: readonly MakeRequest[] = MIX): Load {
  const random = seededRandom(5);
  return { callers, next: (number) => ({ workspace: random.pick(among), make: must(mix[number % mix.length]) }) };
}

/** At full speed, so that each session knows each shard. */
async function warmUp(slowed: SlowedCluster, place: Place, load: Load, seconds = WARM_SECONDS): Promise<void> {
  await slowed.measure(place, [load], seconds, null);
}

type Growth = { workers: number; rounds: Measured[] };

/** The mix on each worker in turn. */
async function measureGrowth(slowed: SlowedCluster, place: Place): Promise<Growth> {
  const { workers, workspaces } = place;
  const callers = CALLERS * workers;
  const loads = Array.from({ length: workers }, (_, at) =>
    anyOf(
      workspaces.filter(({ size, worker }) => size < LARGEST && worker === at),
      callers,
    ),
  );
  const load: Load = { callers, next: (number) => must(loads[number % workers]).next(Math.floor(number / workers)) };
  await warmUp(slowed, place, load);
  const rounds: Measured[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await slowed.measure(place, [load], SECONDS));
  return { workers, rounds };
}

/** At full speed, after the services have closed sessions that have been idle for 10 s. */
async function measureIdle(slowed: SlowedCluster, place: Place): Promise<Measured> {
  await delay(15_000);
  return slowed.measure(place, [], SECONDS, null);
}

const perSecondOf = ({ rounds }: Growth) => median(rounds.map(({ perSecond }) => perSecond));

function growthRows(growths: readonly Growth[]): BenchmarkRow[] {
  return growths.map((growth) => {
    const perSecond = perSecondOf(growth);
    const used = median(growth.rounds.map((each) => sum(ofShare(each).slice(0, growth.workers)) / growth.workers));
    return [
      `${growth.workers} x ${percents([SHARE])} of a processor for workers: requests a second`,
      `${perSecond.toFixed(1)}, x ${(perSecond / perSecondOf(must(growths[0]))).toFixed(2)}; they used ${percents([used])} of that`,
      growth.workers === 1 ? '' : `at least ${growth.workers * 0.85}`,
    ];
  });
}

/** What a request costs, and what services cost without one. */
function costRows({ rounds }: Growth, { used: idle }: Measured): BenchmarkRow[] {
  const millis = (cost: (measured: Measured) => number) => `${(median(rounds.map(cost)) * 1000).toFixed(2)} ms`;
  const parts = [
    millis(({ used, perSecond }) => (sum(used.workers) - sum(idle.workers)) / perSecond),
    millis(({ used, perSecond }) => (used.coordinator - idle.coordinator) / perSecond),
    millis(({ used, perSecond }) => (used.services - idle.services) / perSecond),
  ];
  const still = [sum(idle.workers), idle.coordinator, idle.services].map((each) => `${(each * 1000).toFixed(1)} ms`);
  return [
    ['one of these requests: processor time of worker, coordinator, service', parts.join(', ')],
    ['a second without requests: that of all workers, coordinator, services', still.join(', ')],
  ];
}

const contactsOf = (among: readonly Placed[]) => sum(among.map(({ size }) => size));

/** How hashing spreads the workspaces over shards and workers. */
async function describeEvenness({ cluster }: SlowedCluster, { name, workspaces }: Place): Promise<BenchmarkRow[]> {
  const sizes = await onNode(
    cluster.coordinator,
    `select nodename, sum(shard_size) as bytes from citus_shards where table_name::text like '${name}.%' group by 1`,
  );
  const megabytes = cluster.workers.map((worker) => {
    const found = sizes.find(({ nodename }) => nodename === hostOf(worker));
    return Math.round(Number(found?.bytes ?? 0) / 1e6);
  });
  const byWorker = (among: readonly Placed[], amount: (of: readonly Placed[]) => number) =>
    percents(cluster.workers.map((_, at) => amount(among.filter(({ worker }) => worker === at)) / amount(among)));
  const shards = Object.values(Object.groupBy(workspaces, ({ shard }) => shard)).map((among = []) => contactsOf(among));
  return [
    [
      `${workspaces.length} workspaces of ${workspaces.at(-1)?.size} to ${LARGEST} contacts: of each worker`,
      byWorker(workspaces, ({ length }) => length),
    ],
    ['their contacts', byWorker(workspaces, contactsOf)],
    ['their contacts without the largest workspace', byWorker(workspaces.slice(1), contactsOf)],
    ['their bytes', `${megabytes.join(', ')} MB`],
    [`contacts of the fullest of ${shards.length} shards, of the median`, `${Math.max(...shards)}, ${median(shards)}`],
  ];
}

async function measureUneven(slowed: SlowedCluster, place: Place): Promise<BenchmarkRow[]> {
  const { workspaces, workers } = place;
  const callers = CALLERS * workers;
  await warmUp(slowed, place, anyOf(workspaces, callers));
  const byContacts = workspaces.flatMap((one) => Array.from({ length: one.size }, () => one));
  const rows: BenchmarkRow[] = [];
  for (const [name, among] of [
    ['each equally often', workspaces],
    ['each as often as it has contacts', byContacts],
  ] as const) {
    const measured = await slowed.measure(place, [anyOf(among, callers)], SECONDS);
    rows.push([
      `${name}: requests a second; what each worker used of its share`,
      `${measured.perSecond.toFixed(1)}; ${percents(ofShare(measured))}`,
    ]);
  }
  return rows;
}

/** What small workspaces notice of the largest: on its worker, and on the others. */
async function measureNeighbours(slowed: SlowedCluster, place: Place): Promise<BenchmarkRow[]> {
  const largest = must(place.workspaces[0]);
  const small = place.workspaces.filter(({ size }) => size <= SMALL);
  const [near, far] = [true, false].map((isNear) =>
    anyOf(
      small.filter(({ worker }) => (worker === largest.worker) === isNear),
      1,
      [firstPage, update],
    ),
  ) as [Load, Load];
  const rows: BenchmarkRow[] = [];
  for (const [name, others] of [
    ['busy', [anyOf([largest], CALLERS)]],
    ['idle', []],
  ] as const) {
    const { times } = await slowed.measure(place, [near, far, ...others], LONG_SECONDS);
    const [nearby, away] = times.map((each) =>
      [0.5, 0.95].map((share) => quantile(each, share).toFixed(0)).join(' / '),
    );
    rows.push([
      `small workspaces, the largest ${name}: p50 / p95 on its worker; on others`,
      `${nearby} ms; ${away} ms`,
    ]);
  }
  return rows;
}

const ALONE: readonly (readonly [name: string, make: MakeRequest, units: number, callers: number])[] = [
  ['first pages', firstPage, 1, CALLERS],
  ['updates', update, 1, CALLERS],
  [`events in batches of ${EVENTS_AT_ONCE}`, eventsOf(EVENTS_AT_ONCE), EVENTS_AT_ONCE, 2],
];

/** One workspace alone. */
async function measureLargest(slowed: SlowedCluster, place: Place): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const [, make, , callers] of ALONE) {
    const load = anyOf(place.workspaces.slice(0, 1), callers, [make]);
    await warmUp(slowed, place, load, SECONDS / 4);
    measured.push(await slowed.measure(place, [load], SECONDS));
  }
  return measured;
}

function largestRows(one: readonly Measured[], all: readonly Measured[]): BenchmarkRow[] {
  return ALONE.map(([name, , units], at) => {
    const [alone, among] = [must(one[at]), must(all[at])];
    const rates = [alone, among].map(({ perSecond }) => (perSecond * units).toFixed(1));
    return [
      `${name} of the largest a second: one worker, ${WORKERS} workers; these used`,
      `${rates.join(', ')}, x ${(among.perSecond / alone.perSecond).toFixed(2)}; ${percents(ofShare(among))}`,
      'about 1',
    ];
  });
}
