import type { FastifyInstance } from 'fastify';
import { additions } from '#contract/openapi/allAdditions.ts';
import { must } from '#contract/values/must.ts';
import { contactRoutes } from './contacts/routes.ts';
import { createApp, type ServerDependencies } from './http/createApp.ts';
import type { Config } from './settings/config.ts';
import type { Log } from './settings/log.ts';
import type { Database } from './database/database.ts';
import type { LeaseRateLimit } from './database/rateLimitLeases.ts';
import { createNetworkTest } from './dns/wire/addresses.ts';
import type { DnsClient } from './dns/conversation/dnsClient.ts';
import { LiveChecks, registerCheckMetrics, type StoredChecks } from './domains/checks/liveChecks.ts';
import { sharedLinkRoutes } from './domains/share/routes.ts';
import { registerSharedPage } from './domains/share/sharedPage.ts';
import { registerResolverMetric, ResolverWatch } from './domains/checks/resolverWatch.ts';
import { recheckDomains } from './domains/checks/recheck.ts';
import { deleteOldHistory } from './domains/history/retention.ts';
import { domainHistoryRoutes } from './domains/history/routes.ts';
import { domainRoutes } from './domains/routes.ts';
import { createRequestAuthentication } from './http/authentication/requestAuthentication.ts';
import { registerDatabaseMetrics } from './serviceMetrics.ts';
import { logRoutes } from './auditLog/routes.ts';
import { Provider } from './oidc/provider.ts';
import { createRenewal } from './oidc/renewal.ts';
import { registerAccountRoutes } from './oidc/routes.ts';
import { createSeal } from './oidc/seal.ts';
import { peopleRoutes } from './members/routes.ts';
import { ErasureJob } from './privacy/erasureJob.ts';
import { personRoutes } from './privacy/routes.ts';
import { createMailer } from './notifications/mail/mailer.ts';
import { notify } from './notifications/notify.ts';
import { notificationRoutes } from './notifications/routes.ts';
import type { Senders } from './notifications/sendMessage.ts';
import { tellOperator } from './notifications/tellOperator.ts';
import { deleteOldData } from './retention/retentionJob.ts';
import { retentionRoutes } from './retention/routes.ts';
import { createReadinessCheck, registerReadinessRoute } from './http/readiness.ts';
import type { Route } from './http/route.ts';
import { registerRoute } from './http/serve.ts';
import { AccessLog } from './sessions/accessLog.ts';
import { databaseAuthenticator } from './sessions/databaseAuthenticator.ts';
import { sessionListRoutes } from './sessions/listRoutes.ts';
import { countOpenedSessions, registerSessionRoutes } from './sessions/routes.ts';
import { AccessWriteBuffer } from './sessions/accessWriteBuffer.ts';
import { findWorkspace } from './workspaces/store.ts';
import { workspaceRoutes } from './workspaces/routes.ts';

const HOUR = 3_600_000;

type AppDependencies = ServerDependencies & {
  database: Database;
  /** The current time in milliseconds since the epoch. */
  now?: () => number;
  /** The client for DNS queries about a domain. */
  dnsClientFor: (domain: string) => DnsClient;
};

/** Builds the service. It does not listen yet. Tests and production use the same. */
export function buildApp({
  database,
  dnsClientFor,
  now = Date.now,
  ...serverDependencies
}: AppDependencies): Promise<FastifyInstance> {
  const { config, metrics } = serverDependencies;
  return createApp(serverDependencies, {
    offeredAdditions: config.additions ? additions : [],
    hasRoles: true,
    leaseRateLimit: database.leaseRateLimit,
    registerRoutes: (app) => {
      const senders = createSenders(config);
      const stop = createStopSignal(app);
      const resolvers = watchResolvers(config, senders, database.leaseRateLimit, { log: app.log, signal: stop });
      const checks = new LiveChecks({ dnsClientFor, now, log: app.log, resolvers });
      const stored = { database, checks, longestPause: config.dnsRecheckHours * HOUR };
      const erasures = startJobs(app, stop, { database, config, stored, senders, now });
      const { accessWrites, accessLog } = openAccessLogs(app, database);
      const accounts = config.oidcIssuer && connectAccounts(app, config, config.oidcIssuer, now);
      app.addHook('onListen', () => warnOfUnknownWorkspaces(app, config, database));
      const withTokenSignIn = config.signIn === 'any';
      const authenticator = databaseAuthenticator({
        database,
        accessWrites,
        accessLog,
        now,
        withAdditions: config.additions,
        withTokenSignIn,
        renew: accounts && createRenewal({ database, accessWrites, now, log: app.log, ...accounts }),
      });
      const authentication = createRequestAuthentication(app, config, authenticator);
      const options = { takesHeaders: config.additions };
      const used = { database, stored, accessWrites, accessLog, erasures, senders, now, stop };
      for (const route of listRoutes(used, config.additions)) {
        if (config.additions || !additions.includes(route.endpoint)) registerRoute(app, route, authentication, options);
      }
      if (config.additions) registerSharedPage(app, { stored, authentication, now });
      const countOpened = countOpenedSessions(metrics ?? null);
      const signInWays = () => ({
        token: withTokenSignIn,
        account: accounts?.provider.name ?? null,
        account_sign_out: accounts?.provider.signOutUrl ?? null,
      });
      const sessions = { config, countOpened, authenticator, authentication, signInWays };
      const readPageSession = registerSessionRoutes(app, sessions);
      if (accounts !== null) {
        registerAccountRoutes(app, { config, database, accessLog, authentication, countOpened, now, ...accounts });
      }
      const isReady = createReadinessCheck(database);
      registerReadinessRoute(app, isReady);
      if (metrics) {
        registerCheckMetrics(metrics, checks);
        registerResolverMetric(metrics, resolvers);
        registerDatabaseMetrics(metrics, { database, isReady, now });
      }
      return readPageSession;
    },
  });
}

type JobDependencies = Pick<AppDependencies, 'database'> &
  Pick<ServerDependencies, 'config'> & { stored: StoredChecks; senders: Senders; now: () => number };

/** What the service does by itself while it listens. Gives the job of erasures, which requests wake. */
function startJobs(
  app: FastifyInstance,
  stop: AbortSignal,
  { database, config, stored, senders, now }: JobDependencies,
): ErasureJob {
  const { log } = app;
  if (config.dnsRecheck) runWhileListening(app, () => recheckDomains({ stored, now, log }, stop));
  const history = { database, now, log, days: config.historyDays };
  runWhileListening(app, () => deleteOldHistory(history, stop));
  runWhileListening(app, () => deleteOldData({ database, now, log }, stop));
  const sends = config.additions && config.notifications;
  if (sends) runWhileListening(app, () => notify({ database, senders, now, log }, stop));
  const erasures = new ErasureJob(database, now, log);
  runWhileListening(app, () => erasures.run(stop));
  return erasures;
}

function watchResolvers(
  { operatorAddress }: Config,
  { mailer }: Senders,
  lease: LeaseRateLimit | null,
  process: { log: Log; signal: AbortSignal },
): ResolverWatch {
  const operator = { mailer, address: operatorAddress, lease, ...process };
  // One after the other: the end of an outage isn't told before its beginning.
  let told = Promise.resolve();
  return new ResolverWatch((isDown) => {
    told = told.then(() => tellOperator(operator, isDown));
  });
}

function createSenders({ smtpUrl, mailFrom, webhookPrivateAddresses, publicUrl }: Config): Senders {
  return {
    mailer: smtpUrl === null ? null : createMailer(smtpUrl, must(mailFrom)),
    isAllowed: createNetworkTest(webhookPrivateAddresses),
    consoleUrl: publicUrl?.href ?? null,
  };
}

/** They write what remains when the service stops. */
function openAccessLogs(app: FastifyInstance, database: Database) {
  const accessWrites = new AccessWriteBuffer(database, app.log);
  const accessLog = new AccessLog(database, app.log);
  app.addHook('onClose', async () => {
    await accessWrites.close();
    await accessLog.close();
  });
  return { accessWrites, accessLog };
}

type RouteDependencies = Pick<AppDependencies, 'database'> & {
  stored: StoredChecks;
  accessWrites: AccessWriteBuffer;
  accessLog: AccessLog;
  erasures: ErasureJob;
  senders: Senders;
  now: () => number;
  stop: AbortSignal;
};

function listRoutes(
  { database, stored, accessWrites, accessLog, erasures, senders, now, stop }: RouteDependencies,
  withAdditions: boolean,
): Route[] {
  return [
    ...contactRoutes({ database, now, withAdditions }),
    ...domainRoutes({ stored, withAdditions }),
    ...domainHistoryRoutes({ database, now }),
    ...sharedLinkRoutes({ database, now }),
    ...logRoutes({ database, now }),
    ...retentionRoutes({ database }),
    ...workspaceRoutes({ database, now }),
    ...peopleRoutes({ database, now }),
    ...sessionListRoutes({ database, accessWrites, accessLog, now }),
    ...personRoutes({ database, now, job: erasures }),
    ...notificationRoutes({ database, senders, now }, stop),
  ];
}

/** The provider of people's accounts, and the seal for what it entrusts to us. Its metadata is read once the service listens. */
function connectAccounts(app: FastifyInstance, config: Config, issuer: URL, now: () => number) {
  const provider = new Provider(config, issuer, now);
  app.addHook('onListen', (done) => {
    provider
      .prepare()
      .catch((error: unknown) => app.log.warn({ err: error }, "the account provider isn't responding yet"));
    done();
  });
  return { provider, seal: createSeal(must(config.oidcClientSecret)) };
}

/** Only warns: a workspace may be created later, or deleted. */
async function warnOfUnknownWorkspaces(app: FastifyInstance, { oidcRoles }: Config, database: Database): Promise<void> {
  for (const uuid of new Set(oidcRoles.map(({ workspace }) => workspace))) {
    if (uuid !== null && (await findWorkspace(database, uuid)) === null)
      app.log.warn({ workspace: uuid }, 'OIDC_ROLES names an unknown workspace');
  }
}

/** Aborts as soon as the service is told to stop, before it waits for jobs and requests. */
function createStopSignal(app: FastifyInstance): AbortSignal {
  const stop = new AbortController();
  app.addHook('preClose', (done) => {
    stop.abort();
    done();
  });
  return stop.signal;
}

/** Runs `job` from when the service listens until it stops, which waits for its end. */
function runWhileListening(app: FastifyInstance, job: () => Promise<void>): void {
  let ended: Promise<void> | null = null;
  app.addHook('onListen', (done) => {
    ended = job();
    done();
  });
  app.addHook('preClose', async () => {
    await ended;
  });
}
