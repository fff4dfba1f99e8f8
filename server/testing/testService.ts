import type { AddressInfo } from 'node:net';
import { buildApp } from '../app.ts';
import { readConfig } from '../settings/config.ts';
import { DnsClient } from '../dns/conversation/dnsClient.ts';
import type { Database } from '../database/database.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { createMigratedStorage, type TestStorage } from './testDatabase.ts';

export type TestService = AsyncDisposable & {
  url: string;
  port: number;
  database: Database;
  clock: { now: number };
  log: string[];
  call: (path: string, init?: CallInit) => Promise<Response>;
};

export type CallInit = Omit<RequestInit, 'headers'> & {
  headers?: Record<string, string>;
  token?: string;
  json?: unknown;
};

type Options = {
  place?: TestStorage;
  /** Without a rate limit among them there is none, and each call has its own address. */
  settings?: Record<string, string>;
  consoleDir?: string;
  metrics?: Metrics;
  dnsClient?: DnsClient;
};

export function callAt(url: string, path: string, { token, json, headers, ...init }: CallInit = {}): Promise<Response> {
  return fetch(url + path, {
    redirect: 'error',
    ...init,
    ...(json !== undefined && { body: JSON.stringify(json) }),
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
  });
}

let addresses = 0;

/** An unused client address, sent as a proxy does: failed authentications are counted for each address. */
function newAddress(): { 'x-forwarded-for': string } {
  const number = addresses++;
  return { 'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` };
}

export async function startTestService({
  place: given,
  settings = {},
  consoleDir,
  metrics,
  dnsClient = new DnsClient({ resolvers: [] }),
}: Options = {}): Promise<TestService> {
  const place = given ?? (await createMigratedStorage());
  const database = await openDatabase(place.url, { isService: true });
  const clock = { now: Date.UTC(2026, 10, 21, 9) };
  const log: string[] = [];
  const app = await buildApp({
    database,
    config: readConfig({ RATE_LIMIT: '0', TRUST_PROXY: '127.0.0.1', DNS_RECHECK: 'off', ...settings }),
    consoleDir: consoleDir ?? null,
    metrics: metrics ?? null,
    logStream: { write: (line) => void log.push(line) },
    now: () => clock.now,
    dnsClientFor: () => dnsClient,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  return {
    url,
    port,
    database,
    clock,
    log,
    call: (path, init) =>
      callAt(url, path, {
        ...init,
        headers: { ...(settings.RATE_LIMIT === undefined && newAddress()), ...init?.headers },
      }),
    async [Symbol.asyncDispose]() {
      await app.close();
      await database.close();
      await place[Symbol.asyncDispose]();
    },
  };
}
