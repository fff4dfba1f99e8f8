import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'pg';

/**
 * The control: a server that puts its input into its SQL, as ours must not. A scanner that finds nothing here would
 * find nothing elsewhere. `?sort=` is a column to sort by, `?search=` a text in quotes.
 */
export async function startInjectable(databaseUrl: string): Promise<AsyncDisposable & { url: string }> {
  const pool = new Pool({ connectionString: databaseUrl, max: 8, options: '-c sendroom.workspace=*' });
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://x');
    const search = searchParams.get('search') ?? '';
    const sort = searchParams.get('sort') ?? 'uuid';
    pool
      .query<object>(`select uuid from contacts where search_key like '%${search}%' order by ${sort} limit 10`)
      .then(({ rows }) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rows)))
      .catch(() => response.writeHead(500).end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await pool.end();
    },
  };
}
