import { verifyWorkspace } from '../../server/cli/admin/verify.ts';
import { openDatabase } from '../../server/database/openDatabase.ts';
import { startService } from '../../server/testing/processes/testMain.ts';
import { createWriters, findUnclearAnswers } from '../../server/testing/testWriters.ts';
import type { Drill, DrillResult } from './drill.ts';
import { PatroniCluster } from './patroniCluster.ts';
import type { ClusterNode } from './patroniSettings.ts';

const WRITERS = 6;
/** Milliseconds after each write, which leave processor time to the others. */
const PAUSE_MS = 20;
/** Acknowledged writes before and after each failover. */
const WRITES = 60;
const WHOLE_LIMIT_MS = 90_000;

type FailoverScenario = {
  what: string;
  times: number;
  /** Makes the primary fail. The returned function ends the fault once there is another primary. */
  begin: (cluster: PatroniCluster, primary: ClusterNode) => Promise<() => void> | (() => void);
};

const FAULTS: readonly FailoverScenario[] = [
  {
    what: 'kill -9 of the primary',
    times: 20,
    begin: (cluster, primary) => {
      cluster.killPostgres(primary);
      return () => {};
    },
  },
  {
    what: 'switchover',
    times: 10,
    begin: async (cluster, primary) => {
      await cluster.switchOver(primary);
      return () => {};
    },
  },
  {
    what: 'the primary and its Patroni stand still, and go on once there is another primary',
    times: 10,
    begin: (cluster, primary) => cluster.freeze(primary),
  },
  {
    what: 'kill -9 of Patroni, while its primary goes on',
    times: 10,
    begin: (cluster, primary) => {
      cluster.killPatroni(primary);
      return () => cluster.startPatroni(primary);
    },
  },
];

export const failover: Drill = {
  name: 'failover',
  description: 'two PostgreSQL with Patroni, 50 failovers while two services write',
  minutesMax: 40,
  run: (folder) => failOver(folder, FAULTS),
};

async function* failOver(folder: string, faults: readonly FailoverScenario[]): AsyncGenerator<DrillResult> {
  await using cluster = await PatroniCluster.start(folder);
  const { writers, workspace } = await createWriters(cluster.url, WRITERS);
  const services = await Promise.all([startService(cluster.url), startService(cluster.url)]);
  const addresses = services.map(({ address }) => address);
  const lost: string[] = [];
  let found = 0;
  let more = 0;

  for (const { what, times, begin } of faults) {
    const gaps: number[] = [];
    for (let time = 0; time < times; time++) {
      const { primary } = await cluster.waitUntilHealthy(WHOLE_LIMIT_MS);
      writers.start(addresses, PAUSE_MS);
      await writers.waitForWrites(WRITES);
      const start = performance.now();
      const end = await begin(cluster, primary);
      await cluster.waitForNewPrimary(primary, WHOLE_LIMIT_MS);
      // Without a second node nothing is acknowledged; that is why nothing is lost.
      end();
      await writers.waitForWrites(WRITES);
      gaps.push(writers.longestGap(start));
      console.log(`  ${what}: ${formatSeconds(gaps.at(-1) ?? 0)} s`);
      await cluster.waitUntilHealthy(WHOLE_LIMIT_MS);
      await writers.stop();
      const compared = await writers.compare(addresses[time % 2] ?? '');
      lost.push(...compared.faults);
      found += compared.found;
      more += compared.more;
    }
    yield {
      what: `${what}, ${times} times`,
      expected: 'writes are acknowledged again within 60 s',
      measured: `${formatSeconds(median(gaps))} s without an acknowledged write (median), ${formatSeconds(Math.max(...gaps))} s at most`,
      holds: Math.max(...gaps) < 60_000,
    };
  }

  yield {
    what: 'acknowledged writes',
    expected: '0 lost, none twice, none that was refused',
    measured: `${found} acknowledged and found, ${more} more of which nobody was told; ${lost[0] ?? '0 lost'}`,
    holds: lost.length === 0 && found === writers.acknowledged,
  };
  const wrong = findUnclearAnswers(writers.answers);
  const refused = writers.answers.filter(({ status }) => status !== 200).length;
  yield {
    what: 'refusals meanwhile',
    expected: 'each is a 503 with Retry-After, none broken off, none hung',
    measured: `${refused} refused, ${wrong.length} of them otherwise${wrong[0] === undefined ? '' : ` (${wrong[0].status})`}`,
    holds: wrong.length === 0,
  };
  yield {
    what: 'the services',
    expected: 'both still run',
    measured: `${services.filter(({ isRunning }) => isRunning()).length} run`,
    holds: services.every(({ isRunning }) => isRunning()),
  };
  const database = await openDatabase(cluster.url);
  const faultsOfLog = await verifyWorkspace(workspace, database);
  await database.close();
  yield {
    what: 'every contact and its log',
    expected: 'agree',
    measured: faultsOfLog[0] ?? 'agree',
    holds: faultsOfLog.length === 0,
  };
  await Promise.all(services.map((service) => service.kill()));
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function formatSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
