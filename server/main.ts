import type { FastifyInstance } from 'fastify';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { buildApp } from './app.ts';
import { SettingError, isTls, publicPath, readConfig, type Config } from './settings/config.ts';
import { isLoopback } from './settings/settings.ts';
import { ConsoleMissingError, ensureConsole } from './console/consoleBuild.ts';
import type { ServerDependencies } from './http/createApp.ts';
import type { Database } from './database/database.ts';
import { describeStep } from './database/schema/migrate.ts';
import { openDatabase } from './database/openDatabase.ts';
import {
  CommitUncertainError,
  DatabaseBusyError,
  DatabaseFullError,
  DatabaseGoneError,
  DatabaseUnavailableError,
  ReadTimeoutError,
} from './database/databaseErrors.ts';
import { findDemo, makeDemo } from './demo/demo.ts';
import { type DemoDns, isDemoName, startDemoDns } from './demo/demoDns.ts';
import { DnsClient } from './dns/conversation/dnsClient.ts';
import { systemResolvers } from './dns/conversation/resolvers.ts';
import { CONNECTIONS_MAX } from './http/limits/connections.ts';
import { exitWithError, installJsonStderr, writeLogLine } from './http/jsonStderr.ts';
import { buildGateway } from './gateway/buildGateway.ts';
import { createMetrics } from './metrics/metrics.ts';
import { listenForMetrics, startMetricsServer } from './metrics/metricsServer.ts';
import { createSignInCode } from './sessions/store.ts';
import { VERSION, commandLine } from './settings/program.ts';
import { listWorkspaces } from './workspaces/store.ts';

// `npm start`. Messages to people go to standard output, log lines to standard error.

/** Milliseconds that requests in flight may take after a signal. */
const STOP_TIMEOUT_MS = 25_000;
/** Milliseconds. Ctrl-C arrives twice, from the terminal and from npm; only a later signal counts as a second one. */
const SAME_SIGNAL_MS = 500;

const say = (line: string) => console.log(line);

installJsonStderr();
await start().catch((error: unknown) => exitWithError(error, describeStartupError(error)));

async function start(): Promise<void> {
  const config = readConfig(process.env, process.stderr.isTTY);
  // Before the database is opened or filled, which can take long: the log of the server does not exist yet.
  if (['trace', 'debug', 'info'].includes(config.logLevel))
    writeLogLine('info', { version: VERSION, node: process.versions.node }, 'starting');
  if (config.upstreamUrl === null) await startService(config);
  else await startGateway(config, config.upstreamUrl);
}

async function startService(config: Config): Promise<void> {
  const { databaseUrl, databaseReadUrl: url } = config;
  // Called only during requests, when `app` exists.
  const standby = url === null ? undefined : { url, onChange: (sentence: string) => app.log.warn(sentence) };
  const database = await openDatabase(databaseUrl, {
    isService: true,
    standby,
    onMigrated: (step) => say(describeStep(step)),
  });
  if ((await listWorkspaces(database)).length === 0) await initializeEmptyDatabase(config, database);
  const serverDependencies = await createServerDependencies(config);
  const dnsClient = createDnsClient(config);
  const demoDns = config.demo ? await startDemoDns() : null;
  const dnsClientFor = (domain: string) => (demoDns !== null && isDemoName(domain) ? demoDns.dnsClient : dnsClient);
  const app = await buildApp({ ...serverDependencies, database, dnsClientFor });
  for (const warning of database.warnings) app.log.warn(warning);
  const address = await listen(app, serverDependencies, () => database.close());
  if (isLoopback(config.host) && config.signIn === 'any') await printSignInLink(demoDns, database, address);
}

async function startGateway(config: Config, upstreamUrl: URL): Promise<void> {
  const serverDependencies = await createServerDependencies(config);
  const app = await buildGateway({ ...serverDependencies, upstreamUrl, dnsClient: createDnsClient(config) });
  await listen(app, serverDependencies, () => Promise.resolve());
  say(`It is a gateway to ${upstreamUrl.href}`);
}

async function createServerDependencies(config: Config): Promise<ServerDependencies> {
  // In `npm run dev` Vite serves the console.
  const withConsole = !process.argv.includes('--without-console');
  const consoleDir = withConsole ? await ensureConsole(join(import.meta.dirname, '..'), say) : null;
  const metrics = config.metrics === null ? null : createMetrics(VERSION);
  return { config, consoleDir, metrics, logStream: process.stderr };
}

function createDnsClient(config: Config): DnsClient {
  return new DnsClient({ resolvers: config.dnsServers ?? systemResolvers() });
}

/** Starts listening, until a signal comes, and gives the address that people open. */
async function listen(
  app: FastifyInstance,
  { config, metrics }: ServerDependencies,
  closeData: () => Promise<void>,
): Promise<string> {
  stopOnSignals(app, closeData);
  if (config.metrics !== null && metrics) {
    const metricsServer = await startMetricsServer(metrics, config.metrics, app.log);
    say(`Metrics are at ${metricsServer.url}`);
    app.addHook('onClose', () => metricsServer.close());
  }
  // As many as are served may connect at once. Beyond the backlog the system drops connections silently.
  await app.listen({ host: config.host, port: config.port, backlog: CONNECTIONS_MAX });
  const address = (config.publicUrl?.origin ?? app.listeningOrigin) + publicPath(config);
  say(`Sendroom runs at ${address}`);
  if (!isLoopback(config.host) && !isTls(config)) {
    say('Other machines reach it without TLS. Put a proxy in front of it and set PUBLIC_URL.');
  }
  return address;
}

/** Prints a sign-in link for the user of this machine. Only for the demo, never for a workspace with real data. */
async function printSignInLink(demoDns: DemoDns | null, database: Database, address: string): Promise<void> {
  if (demoDns === null) return;
  try {
    const now = Date.now();
    const principal = await findDemo(database, now);
    if (principal === null) return;
    say(`The domains of the demo have a DNS of their own, which dns-check takes as --resolver ${demoDns.resolver}`);
    const code = await createSignInCode(database, principal, now);
    say(`Sign in with one click, once, within 15 minutes: ${address}/sign-in#code=${code}`);
  } catch (error) {
    // The service works without it.
    const expected = [DatabaseBusyError, DatabaseFullError, DatabaseGoneError, CommitUncertainError, ReadTimeoutError];
    if (!expected.some((kind) => error instanceof kind)) throw error;
    say(`There is no link to sign in with one click: ${(error as Error).message}`);
  }
}

/** Prints the token of the demo at once: it cannot be shown again if the start fails later. */
async function initializeEmptyDatabase(config: Config, database: Database): Promise<void> {
  if (!config.demo) {
    say(`The database is empty: ${commandLine('admin')} workspace create --name NAME`);
    return;
  }
  await tryToListen(config);
  say('First start: creating a demo workspace.');
  const demo = await makeDemo(database, Date.now());
  if (demo === null) return;
  const { workspace, token } = demo;
  say(`A demo workspace was made, ${workspace.name}. To sign in by hand or to call the service:
  workspace ID  ${workspace.uuid}
  access token  ${token}
The token is shown only now.
`);
}

/** Throws what keeps this process from listening: the token of a demo that was made before would not be shown again. */
async function tryToListen({ host, port, metrics }: Config): Promise<void> {
  await using server = createServer().listen({ host, port });
  await once(server, 'listening');
  if (metrics === null) return;
  await using metricsServer = createServer();
  await listenForMetrics(metricsServer, metrics);
}

function stopOnSignals(app: FastifyInstance, closeData: () => Promise<void>): void {
  let firstSignal: number | null = null;
  const stop = (signal: string) => {
    if (firstSignal === null) {
      firstSignal = performance.now();
      void stopGracefully(app, closeData, signal).then(() => process.exit(0), exitWithError);
    } else if (performance.now() - firstSignal > SAME_SIGNAL_MS) {
      process.exit(1);
    }
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (/^(start|npx)$/.test(process.env.npm_lifecycle_event ?? '')) {
    // The shell between npm and this process dies of a signal without passing it on. So the end of the parent counts as a
    // signal to `npm start` or `npx sendroom`.
    const shell = process.ppid;
    setInterval(() => {
      if (process.ppid !== shell && firstSignal === null) stop('end of the parent process');
    }, 500).unref();
  }
}

/** Lets requests in flight finish, closes the database, and logs how long that took. */
async function stopGracefully(app: FastifyInstance, closeData: () => Promise<void>, signal: string): Promise<void> {
  const start = performance.now();
  const requests = app.countRequests();
  setTimeout(
    () => exitWithError(null, 'Requests were still running 25 seconds after the stop signal.'),
    STOP_TIMEOUT_MS,
  ).unref();
  await app.close();
  await closeData();
  app.log.info({ signal, requests, ms: Math.round(performance.now() - start) }, 'stopped');
}

/** A sentence for errors that an operator can correct; null for unexpected ones, which are logged with their stack. */
function describeStartupError(error: unknown): string | null {
  const expected = [SettingError, ConsoleMissingError, DatabaseUnavailableError, DatabaseBusyError, DatabaseGoneError];
  if (expected.some((kind) => error instanceof kind)) return (error as Error).message;
  const { code, address, port } = error as { code?: unknown; address?: string; port?: number };
  if (code === 'EADDRINUSE') return `Something else listens on ${address}:${port} already: set PORT to another number.`;
  if (code === 'EACCES') return `This user may not listen on ${address}:${port}: set PORT to a number above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return 'HOST is not an address of this machine.';
  return null;
}
