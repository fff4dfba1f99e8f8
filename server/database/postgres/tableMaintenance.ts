import type { Client } from 'pg';
import { TABLE_DESCRIPTIONS } from '../schema/tableDescriptions.ts';
import { isSessionOurs } from './postgresConnections.ts';

/** All tables, with that of the search index, which only this engine has. */
export const SERVER_TABLES: readonly string[] = [...Object.keys(TABLE_DESCRIPTIONS), 'contact_search'];

/** What the server says while it runs a statement. */
type Notice = { severity?: string | undefined; message?: string | undefined; detail?: string | undefined };

/** Connects for statements that may take long, whatever the server allows. A session that others use too keeps its limit. */
export async function connectForMaintenance(client: Client): Promise<void> {
  await client.connect();
  if (await isSessionOurs(client)) await client.query('set statement_timeout = 0');
}

/** Runs `statement`, and gives what the server said about it: a table that the role may not maintain is skipped with a warning. */
export async function runMaintenance(client: Client, statement: string): Promise<Notice[]> {
  const notices: Notice[] = [];
  const onNotice = (notice: Notice) => void notices.push(notice);
  client.on('notice', onNotice);
  try {
    await client.query(statement);
  } finally {
    client.off('notice', onNotice);
  }
  return notices;
}
