import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { SettingError, type Config } from '../settings/config.ts';
import type { Log } from '../settings/log.ts';
import type { Metrics } from './metrics.ts';

type MetricsServer = { url: string; close: () => Promise<void> };

const SCRAPERS_MAX = 16;
const SECOND = 1000;
/** Milliseconds for which a connection is open at most, however it is kept busy: others have to find room. */
const CONNECTION_MS = 10 * SECOND;
const LIMITS = {
  headersTimeout: 5 * SECOND,
  requestTimeout: 5 * SECOND,
  connectionsCheckingInterval: SECOND,
  maxHeaderSize: 8 * 1024,
};

/** At an address of its own. Throws `SettingError` where it cannot listen there. */
export async function startMetricsServer(
  metrics: Metrics,
  address: NonNullable<Config['metrics']>,
  log: Log,
): Promise<MetricsServer> {
  const server = createServer(LIMITS, (request, response) => void answerScrape(request, response, metrics, log));
  server.maxConnections = SCRAPERS_MAX;
  // Node answers pipelined requests all at once, and a scrape takes some milliseconds.
  server.maxRequestsPerSocket = 1;
  server.on('connection', (socket) => void setTimeout(() => socket.destroy(), CONNECTION_MS).unref());
  await listenForMetrics(server, address);
  const { address: host, family, port } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${host}]` : host}:${port}/metrics`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Throws `SettingError` where `server` cannot listen there. */
export async function listenForMetrics(server: Server, address: NonNullable<Config['metrics']>): Promise<void> {
  server.listen(address);
  await once(server, 'listening').catch((error: unknown) => {
    throw new SettingError(describeListenError((error as NodeJS.ErrnoException).code), { cause: error });
  });
}

async function answerScrape(
  request: IncomingMessage,
  response: ServerResponse,
  metrics: Metrics,
  log: Log,
): Promise<void> {
  // `maxRequestsPerSocket` only says so.
  response.setHeader('connection', 'close');
  const exists = request.url?.split('?', 1)[0] === '/metrics';
  if (!exists || (request.method !== 'GET' && request.method !== 'HEAD')) {
    response.writeHead(exists ? 405 : 404).end();
    return;
  }
  try {
    const text = await metrics.metrics();
    response.writeHead(200, { 'content-type': metrics.contentType, 'x-content-type-options': 'nosniff' }).end(text);
  } catch (error) {
    log.error({ err: error }, 'scrape failed');
    response.writeHead(500).end();
  }
}

function describeListenError(code: string | undefined): string {
  if (code === 'EADDRINUSE') return 'The address in METRICS is already in use. Set another port.';
  if (code === 'EACCES') return "This user can't listen on the port in METRICS. Set one above 1023.";
  return 'METRICS is not an address of this machine.';
}
