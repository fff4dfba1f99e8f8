import { Client } from 'pg';
import { clientConfig } from './postgresConnections.ts';
import { toDatabaseError } from './postgresErrors.ts';
import { connectForMaintenance, runMaintenance, SERVER_TABLES } from './tableMaintenance.ts';

/**
 * Has the server look at a sample of each table, from which it plans statements. It would do so by itself, but minutes later. Gives a
 * sentence where that failed, as for a role that does not own the tables; null where all of them were looked at.
 */
export async function analyzeTables(url: URL): Promise<string | null> {
  const client = new Client(clientConfig(url));
  // Without a listener a connection that breaks would end the process. The statement fails as well.
  client.on('error', () => {});
  try {
    await connectForMaintenance(client);
    const [first] = await runMaintenance(client, `analyze ${SERVER_TABLES.join(', ')}`);
    return first === undefined ? null : describe(first);
  } catch (error) {
    return describe(toDatabaseError(error, 'writes') as Error);
  } finally {
    await client.end();
  }
}

function describe({ message = '' }: { message?: string | undefined }): string {
  return `The database has no new statistics of its tables (${message.replace(/\.$/, '')}). Until it makes them, requests may be slow: let the owner of the tables run "analyze".`;
}
