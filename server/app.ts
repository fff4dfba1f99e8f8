import type { FastifyInstance } from 'fastify';
import { additions } from '#contract/allAdditions.ts';
import { contactRoutes } from './contacts/routes.ts';
import { createApp, type ServerDependencies } from './http/createApp.ts';
import type { Database } from './database/database.ts';
import type { DnsClient } from './dns/dnsClient.ts';
import { LiveChecks, registerCheckMetrics } from './domains/liveChecks.ts';
import { recheckDomains, type RecheckDependencies } from './domains/recheck.ts';
import { domainRoutes } from './domains/routes.ts';
import { createRequestAuthentication } from './http/requestAuthentication.ts';
import { registerDatabaseMetrics } from './serviceMetrics.ts';
import { createReadinessCheck, registerReadinessRoute } from './http/readiness.ts';
import { registerRoute } from './http/serve.ts';
import { databaseAuthenticator } from './sessions/databaseAuthenticator.ts';
import { registerSessionRoutes } from './sessions/routes.ts';
import { SessionWriteBuffer } from './sessions/sessionWriteBuffer.ts';
import { workspaceRoutes } from './workspaces/routes.ts';

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
    leaseRateLimit: database.leaseRateLimit,
    registerRoutes: (app) => {
      const checks = new LiveChecks({ dnsClientFor, now, log: app.log });
      if (config.dnsRecheck) scheduleRechecks(app, { database, now, checks, log: app.log });
      const sessionWrites = new SessionWriteBuffer(database, app.log);
      app.addHook('onClose', () => sessionWrites.close());
      const authenticator = databaseAuthenticator({
        database,
        sessionWrites,
        now,
        withAdditions: config.additions,
      });
      const authentication = createRequestAuthentication(app, config, authenticator);
      const routes = [
        ...contactRoutes({ database, now }),
        ...domainRoutes({ database, checks, withAdditions: config.additions }),
        ...workspaceRoutes(),
      ];
      for (const route of routes) {
        if (config.additions || !additions.includes(route.endpoint)) registerRoute(app, route, authentication);
      }
      registerSessionRoutes(app, { config, metrics: metrics ?? null, authenticator, authentication });
      const isReady = createReadinessCheck(database);
      registerReadinessRoute(app, isReady);
      if (!metrics) return;
      registerCheckMetrics(metrics, checks);
      registerDatabaseMetrics(metrics, { database, isReady, now });
    },
  });
}

/** Rechecks domains from when the service listens until it stops. */
function scheduleRechecks(app: FastifyInstance, job: RecheckDependencies): void {
  const stop = new AbortController();
  let ended: Promise<void> | null = null;
  app.addHook('onListen', (done) => {
    ended = recheckDomains(job, stop.signal);
    done();
  });
  app.addHook('preClose', async () => {
    stop.abort();
    await ended;
  });
}
