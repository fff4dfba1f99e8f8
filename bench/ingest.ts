import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../.ci/programs/postgres.ts';
import { startSendroom } from '../e2e/startSendroom.ts';
import { EVENTS_MAX } from '../contract/ingest.ts';
import { chunks } from '../server/database/chunks.ts';
import { openDatabase } from '../server/database/openDatabase.ts';
import { createToken } from '../server/workspaces/store.ts';
import { median } from './generateLoad.ts';
import { importFile } from './imports.ts';
import { secondsOf } from './processorTime.ts';
import type { BenchmarkRow } from './table.ts';
import { createContacts, eventLines } from './writtenRows.ts';

const EVENTS = 100_000;
const ROUNDS = 2;

/** Seconds. */
type Round = { imported: number; sent: number };

/**
 * Events that a program sends to the service in the largest batches, one request after the other, against the import of the same
 * events by the admin command's code, into a store of its own. The two alternate.
 */
export async function measureIngest(folder: string): Promise<BenchmarkRow[]> {
  const all = [...eventLines(EVENTS)];
  const file = join(folder, 'events.ndjson');
  writeFileSync(file, all.join(''));
  const given = process.env['TEST_DATABASE_URL'];
  const server = given ? { url: given, stop: async () => {} } : await startPostgres();
  const rows: BenchmarkRow[] = [];
  try {
    const schemaAt = (name: string) => {
      const url = new URL(server.url);
      url.searchParams.set('options', `-c search_path=${name}`);
      return url.href;
    };
    const engines: [string, (name: string) => Promise<string>][] = [
      ['SQLite', async (name) => `file:${join(folder, `${name}.db`)}`],
      [
        'PostgreSQL',
        async (name) => {
          const { Client } = await import('pg');
          const client = new Client({ connectionString: server.url });
          await client.connect();
          await client.query(`create schema ${name}`);
          await client.end();
          return schemaAt(name);
        },
      ],
    ];
    for (const [engine, createStore] of engines) {
      const rounds: Round[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const imported = await importEvents(await createStore(`imported${round}`), file);
        rounds.push({ imported, sent: await sendEvents(await createStore(`sent${round}`), all) });
      }
      const perSecond = (part: keyof Round) =>
        Math.round(EVENTS / median(rounds.map((one) => one[part]))).toLocaleString('en');
      const ratio = median(rounds.map(({ imported, sent }) => imported / sent)).toFixed(2);
      const measured = `${perSecond('sent')} / ${perSecond('imported')} a second, ${ratio}`;
      rows.push([
        `events sent in batches of ${EVENTS_MAX} on ${engine}, against their import`,
        measured,
        'at least 0.3',
      ]);
    }
  } finally {
    await server.stop();
  }
  return rows;
}

async function importEvents(url: string, file: string): Promise<number> {
  const database = await openDatabase(url);
  try {
    const workspace = await createContacts(database);
    return await secondsOf(() => importFile(database, workspace, file, 'added', { resource: 'events', rows: EVENTS }));
  } finally {
    await database.close();
  }
}

async function sendEvents(url: string, all: readonly string[]): Promise<number> {
  const database = await openDatabase(url);
  const workspace = await createContacts(database);
  const { token } = await createToken(workspace, database, { name: 'bench', role: 'ingest' }, Date.now());
  await database.close();
  const sendroom = await startSendroom({ DATABASE_URL: url, DEMO: 'off' });
  try {
    return await secondsOf(async () => {
      for (const chunk of chunks(all, EVENTS_MAX)) {
        const response = await fetch(`${sendroom.url}/v1/events`, {
          method: 'POST',
          body: chunk.join(''),
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
        });
        const { meta } = (await response.json()) as { meta?: { recorded: number } };
        if (meta?.recorded !== chunk.length) throw new Error(`A batch was answered with ${response.status}.`);
      }
    });
  } finally {
    await sendroom.stop();
  }
}
