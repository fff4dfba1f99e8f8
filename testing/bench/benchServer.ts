import { Client } from 'pg';
import type { PostgresServer } from '../programs/postgres.ts';

/** `pid` is null for a server of somebody else, whose processor time is not known. */
export type BenchServer = Pick<PostgresServer, 'url' | 'superuserUrl'> & { pid: number | null };

/** The address of the server, with everything in `schema`. */
export function urlOf(server: BenchServer, schema: string): string {
  const at = new URL(server.url);
  at.searchParams.set('options', `-c search_path=${schema}`);
  return at.href;
}

/** As the superuser, who sees all rows despite row-level security and may use `copy`. */
export async function connectSuperuser(server: BenchServer): Promise<Client> {
  const everywhere = new URL(server.superuserUrl);
  everywhere.pathname = new URL(server.url).pathname;
  const client = new Client({ connectionString: everywhere.href });
  await client.connect();
  return client;
}
