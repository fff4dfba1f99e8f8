import { randomUUIDv7 } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { recordEvent } from '../../server/contacts/events/ingest.ts';
import { openDatabase } from '../../server/database/openDatabase.ts';
import { type BenchServer, connectSuperuser, urlOf } from './benchServer.ts';
import { median } from './measure/generateLoad.ts';
import { type Cost, costOf } from './measure/processorTime.ts';
import type { BenchmarkRow } from './measure/table.ts';
import { CONTACTS, createContacts, START } from './writtenRows.ts';

/** Events that are recorded one by one in a round. */
const SINGLES = 500;
const SINGLE_ROUNDS = 5;

export async function measureSingleEvents(folder: string, server: BenchServer): Promise<BenchmarkRow[]> {
  return [...(await onSqlite(join(folder, 'single.db'))), ...(await onPostgres(server))];
}

/**
 * One event on its own as the service records it, against a bare row with the same indexes, each in a transaction of its own. The two
 * alternate, in the same database.
 */
async function measure(
  engine: string,
  url: string,
  serverPid: number | null,
  insertBare: (row: readonly (string | number)[]) => void | Promise<unknown>,
): Promise<BenchmarkRow[]> {
  const database = await openDatabase(url);
  const costs: { own: Cost; bare: Cost }[] = [];
  try {
    const workspace = await createContacts(database);
    const attributes = { campaign: 'c-1', subject: 'Your order' };
    for (let round = 0; round < SINGLE_ROUNDS; round++) {
      const own = await costOf(serverPid, async () => {
        for (let index = 0; index < SINGLES; index++) {
          const event = { event_name: `name_${index % 40}`, attributes };
          await recordEvent(workspace, database, `c${index}@example.com`, event, START + index);
        }
      });
      const bare = await costOf(serverPid, async () => {
        for (let index = 0; index < SINGLES; index++)
          await insertBare([
            workspace.id,
            // Contacts that the others do not touch.
            CONTACTS - index,
            START + index,
            randomUUIDv7(),
            `name_${index % 40}`,
            JSON.stringify(attributes),
          ]);
      });
      costs.push({ own, bare });
    }
  } finally {
    await database.close();
  }
  const micros = (part: 'own' | 'bare', of: keyof Cost) =>
    ((median(costs.map((cost) => cost[part][of])) / SINGLES) * 1_000_000).toFixed(0);
  const ratio = (of: keyof Cost) => median(costs.map(({ own, bare }) => own[of] / bare[of])).toFixed(2);
  const against = (of: keyof Cost) => `${micros('own', of)} / ${micros('bare', of)} µs, ${ratio(of)}`;
  return [
    [`one event on ${engine}, against a bare row`, against('clock'), 'at most 1.5'],
    ['processor time of it', against('processor')],
  ];
}

const INSERT_EVENT = 'insert into events (workspace_id, contact_id, created_at, uuid, event_name, attributes)';

async function onSqlite(file: string): Promise<BenchmarkRow[]> {
  await (await openDatabase(`file:${file}`)).close();
  const bare = new DatabaseSync(file, { timeout: 5000 });
  bare.exec('pragma synchronous = full');
  const insert = bare.prepare(`${INSERT_EVENT} values (?, ?, ?, ?, ?, ?)`);
  try {
    return await measure('SQLite', `file:${file}`, null, (row) => void insert.run(...row));
  } finally {
    bare.close();
  }
}

async function onPostgres(server: BenchServer): Promise<BenchmarkRow[]> {
  const client = await connectSuperuser(server);
  await client.query(`create schema bench_single authorization ${new URL(server.url).username}`);
  const text = `${INSERT_EVENT.replace('events', 'bench_single.events')} values ($1, $2, $3, $4, $5, $6)`;
  try {
    const insert = (row: readonly (string | number)[]) => client.query({ name: 'bare', text, values: [...row] });
    return await measure('PostgreSQL', urlOf(server, 'bench_single'), server.pid, insert);
  } finally {
    await client.query('drop schema bench_single cascade');
    await client.end();
  }
}
