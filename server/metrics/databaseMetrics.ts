import type { Database } from '../database/database.ts';
import { backlogOf } from '../domains/backlog.ts';
import type { Readiness } from '../http/readiness.ts';
import { sampled } from './sampled.ts';
import { countSessions } from '../sessions/countSessions.ts';
import { addGauge, type Metrics } from './metrics.ts';

type Watched = { database: Database; isReady: Readiness; now: () => number };

/** How often the data is asked what it holds, and how long for an answer: a scrape never waits for the database. */
const NOW_AND_THEN = { lasts: 5_000, patience: 1_000 };

/** Adds what can be said of the data and of the way to it. What nobody knows now is left out. */
export function watchDatabase(metrics: Metrics, { database, isReady, now }: Watched): void {
  addGauge(metrics, { name: 'sendroom_ready', help: 'Whether /readyz is 200.' }, () =>
    isReady().then(
      () => 1,
      () => 0,
    ),
  );
  watchPools(metrics, database);
  watchSpace(metrics, database);

  const backlog = sampled(() => backlogOf(database, now()), NOW_AND_THEN);
  const due = {
    name: 'sendroom_recheck_due',
    help: 'Domains that are due to be checked again, or for the first time.',
  };
  addGauge(metrics, due, () => numberOf(backlog(), ({ due }) => due));
  const lag = { name: 'sendroom_recheck_lag_seconds', help: 'How late the check is that has been due longest.' };
  addGauge(metrics, lag, () => numberOf(backlog(), ({ lag }) => lag));

  const sessions = sampled(() => countSessions(database, now()), NOW_AND_THEN);
  const open = { name: 'sendroom_sessions', help: 'Sessions of the console that are open, in all processes together.' };
  addGauge(metrics, open, () => numberOf(sessions(), (count) => count));
}

const aboutPools = (part: string, help: string, ...labels: string[]) => ({
  name: `sendroom_database_${part}`,
  help,
  labels: ['pool', ...labels],
});

function watchPools(metrics: Metrics, database: Database): void {
  addGauge(metrics, aboutPools('connections', 'Connections to the database, used or idle.', 'state'), () =>
    database
      .pools()
      .flatMap(({ name: pool, used, idle }) => [
        [{ pool, state: 'used' }, used] as const,
        [{ pool, state: 'idle' }, idle] as const,
      ]),
  );
  addGauge(metrics, aboutPools('connections_max', 'Connections that there may be.'), () =>
    database.pools().map(({ name: pool, max }) => [{ pool }, max] as const),
  );
  addGauge(metrics, aboutPools('waiting', 'Reads and writes that wait for a connection.'), () =>
    database.pools().map(({ name: pool, waiting }) => [{ pool }, waiting] as const),
  );
}

/** Of a database that is a file. */
function watchSpace(metrics: Metrics, database: Database): void {
  const space = sampled(() => database.space(), NOW_AND_THEN);
  const helps = {
    file: 'Size of the file of the database.',
    wal: 'Size of the write-ahead log of the file.',
    disk_free: 'What is left on the disk of the file.',
    disk_size: 'Size of the disk of the file.',
  };
  for (const [part, help] of Object.entries(helps)) {
    addGauge(metrics, { name: `sendroom_database_${part}_bytes`, help }, () =>
      numberOf(space(), (found) => found?.[part as keyof typeof helps] ?? null),
    );
  }
}

function numberOf<Answer>(answer: Promise<Answer>, read: (answer: Answer) => number | null): Promise<number | null> {
  return answer.then(read).catch(() => null);
}
