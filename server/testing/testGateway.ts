import type { AddressInfo } from 'node:net';
import { readConfig } from '../settings/config.ts';
import { DnsClient } from '../dns/conversation/dnsClient.ts';
import { buildGateway } from '../gateway/buildGateway.ts';
import { UPSTREAM_LIMITS, type UpstreamLimits } from '../gateway/upstream.ts';

export type TestGateway = AsyncDisposable & {
  url: string;
  port: number;
  clock: { now: number };
  log: string[];
};

type Options = {
  upstream: string;
  settings?: Record<string, string>;
  limits?: Partial<UpstreamLimits>;
  dnsClient?: DnsClient;
};

export async function startTestGateway({
  upstream,
  settings = {},
  limits = {},
  dnsClient = new DnsClient({ resolvers: [] }),
}: Options): Promise<TestGateway> {
  const config = readConfig({ RATE_LIMIT: '0', UPSTREAM_URL: upstream, ...settings });
  const clock = { now: Date.UTC(2026, 10, 21, 9) };
  const log: string[] = [];
  const app = await buildGateway({
    config,
    consoleDir: null,
    logStream: { write: (line) => void log.push(line) },
    upstreamUrl: config.upstreamUrl as URL,
    upstreamLimits: { ...UPSTREAM_LIMITS, ...limits },
    now: () => clock.now,
    dnsClient,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, clock, log, [Symbol.asyncDispose]: () => app.close() };
}
