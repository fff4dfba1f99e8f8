import { DOMAIN_STATES } from '#contract/domains/domainState.ts';
import type { Database } from './database/database.ts';
import { countDomains, readBacklog } from './domains/checks/backlog.ts';
import type { ReadinessCheck } from './http/readiness.ts';
import { memoizeWithTtl } from './http/authentication/memoizeWithTtl.ts';
import { addGauge, type Metrics } from './metrics/metrics.ts';
import { countSessions } from './sessions/store.ts';
import { readUpkeep } from './workspaces/upkeep.ts';

type DatabaseMetricsSources = { database: Database; isReady: ReadinessCheck; now: () => number };

/** How often the database is read, and the timeout: a scrape never waits long for the database. */
const SAMPLING_LIMITS = { ttlMs: 5_000, timeoutMs: 1_000 };

/** Adds the metrics of the database and its connections. Values that cannot be read are left out. */
export function registerDatabaseMetrics(metrics: Metrics, { database, isReady, now }: DatabaseMetricsSources): void {
  addGauge(metrics, { name: 'sendroom_ready', help: '1 if /readyz returns 200.' }, () =>
    isReady().then(
      () => 1,
      () => 0,
    ),
  );
  watchPools(metrics, database);
  watchSpace(metrics, database);

  const backlog = memoizeWithTtl(() => readBacklog(database, now()), SAMPLING_LIMITS);
  const due = {
    name: 'sendroom_recheck_due',
    help: 'Domains that are due for a check.',
  };
  addGauge(metrics, due, () => readOrNull(backlog(), ({ due }) => due));
  const lag = { name: 'sendroom_recheck_lag_seconds', help: 'Age of the most overdue check.' };
  addGauge(metrics, lag, () => readOrNull(backlog(), ({ lagSeconds }) => lagSeconds));

  watchDomains(metrics, database);
  watchUpkeep(metrics, database, now);

  const sessions = memoizeWithTtl(() => countSessions(database, now()), SAMPLING_LIMITS);
  const open = { name: 'sendroom_sessions', help: 'Open console sessions, of all processes.' };
  addGauge(metrics, open, () => readOrNull(sessions(), (count) => count));
}

const toPoolMetric = (part: string, help: string, ...labels: string[]) => ({
  name: `sendroom_database_${part}`,
  help,
  labels: ['pool', ...labels],
});

function watchPools(metrics: Metrics, database: Database): void {
  addGauge(metrics, toPoolMetric('connections', 'Connections to the database, used or idle.', 'state'), () =>
    database
      .pools()
      .flatMap(({ name: pool, used, idle }) => [
        [{ pool, state: 'used' }, used] as const,
        [{ pool, state: 'idle' }, idle] as const,
      ]),
  );
  addGauge(metrics, toPoolMetric('connections_max', 'Maximum number of connections.'), () =>
    database.pools().map(({ name: pool, max }) => [{ pool }, max] as const),
  );
  addGauge(metrics, toPoolMetric('waiting', 'Reads and writes that wait for a connection.'), () =>
    database.pools().map(({ name: pool, waiting }) => [{ pool }, waiting] as const),
  );
}

/** The domains of all workspaces. */
function watchDomains(metrics: Metrics, database: Database): void {
  const counts = memoizeWithTtl(() => countDomains(database), SAMPLING_LIMITS);
  const domains = {
    name: 'sendroom_domains',
    help: 'Domains by state, ignoring accepted faults.',
    labels: ['state'],
  };
  addGauge(metrics, domains, () =>
    counts().then(
      (known) => DOMAIN_STATES.map((state) => [{ state }, known[state]] as const),
      () => null,
    ),
  );
  const accepted = { name: 'sendroom_faults_accepted', help: 'Accepted faults of domains.' };
  addGauge(metrics, accepted, () => readOrNull(counts(), (known) => known.accepted));
  const incidents = { name: 'sendroom_incidents_open', help: 'Confirmed faults of domains that are not over.' };
  addGauge(metrics, incidents, () => readOrNull(counts(), (known) => known.incidents));
}

/** When commands of the operator last succeeded, and how far the standby is behind. */
function watchUpkeep(metrics: Metrics, database: Database, now: () => number): void {
  const upkeep = memoizeWithTtl(() => readUpkeep(database, now()), SAMPLING_LIMITS);
  const backup = { name: 'sendroom_backup_age_seconds', help: 'Time since the last backup that was recorded.' };
  addGauge(metrics, backup, () => readOrNull(upkeep(), ({ backupAge }) => toSeconds(backupAge)));
  const verification = {
    name: 'sendroom_verification_age_seconds',
    help: 'Time since the workspace that was verified longest ago was verified without errors.',
  };
  addGauge(metrics, verification, () => readOrNull(upkeep(), ({ verificationAge }) => toSeconds(verificationAge)));
  const lag = memoizeWithTtl(() => database.standbyLag(), SAMPLING_LIMITS);
  const standby = { name: 'sendroom_standby_lag_seconds', help: 'How far DATABASE_READ_URL is behind the primary.' };
  addGauge(metrics, standby, () => readOrNull(lag(), toSeconds));
}

/** Sizes of a database that is a file. */
function watchSpace(metrics: Metrics, database: Database): void {
  const space = memoizeWithTtl(() => database.space(), SAMPLING_LIMITS);
  const helps = {
    file: 'Size of the database file.',
    wal: "Size of the database file's write-ahead log.",
    disk_free: 'Free space on the disk of the database file.',
    disk_size: 'Size of the disk of the database file.',
  };
  for (const [part, help] of Object.entries(helps)) {
    addGauge(metrics, { name: `sendroom_database_${part}_bytes`, help }, () =>
      readOrNull(space(), (found) => found?.[part as keyof typeof helps] ?? null),
    );
  }
}

function readOrNull<Value>(value: Promise<Value>, read: (value: Value) => number | null): Promise<number | null> {
  return value.then(read).catch(() => null);
}

const toSeconds = (ms: number | null) => (ms === null ? null : ms / 1000);
