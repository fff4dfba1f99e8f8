import type { FastifyInstance } from 'fastify';
import { additions } from '#contract/additions.ts';
import { contactRoutes } from './contacts/routes.ts';
import { createApp, type Frame } from './http/createApp.ts';
import type { Database } from './database/database.ts';
import type { DnsClient } from './dns/dnsClient.ts';
import { LiveChecks } from './domains/liveChecks.ts';
import { recheckDomains, type Recheck } from './domains/recheck.ts';
import { domainRoutes } from './domains/routes.ts';
import { createDoor } from './http/door.ts';
import { watchChecks } from './metrics/checkMetrics.ts';
import { watchDatabase } from './metrics/databaseMetrics.ts';
import { countingGate } from './metrics/sessionMetrics.ts';
import { readinessOf, serveReadiness } from './http/readiness.ts';
import { serve } from './http/serve.ts';
import { databaseGate } from './sessions/databaseGate.ts';
import { serveSessions } from './sessions/routes.ts';
import { SessionNotes } from './sessions/sessionNotes.ts';
import { workspaceRoutes } from './workspaces/routes.ts';

export type Parts = Frame & {
  database: Database;
  /** The current time in milliseconds since the epoch. */
  now?: () => number;
  /** Who asks the DNS about the domain of this name. */
  dnsClientFor: (domain: string) => DnsClient;
};

/** The whole service but for the listening: tests and production run this very thing. */
export function buildApp({ database, dnsClientFor, now = Date.now, ...frame }: Parts): Promise<FastifyInstance> {
  const { config, metrics } = frame;
  return createApp(frame, {
    offered: config.additions ? additions : [],
    takeAllowance: database.takeAllowance,
    serveAll: (app) => {
      const checks = new LiveChecks({ dnsClientFor, now, log: app.log });
      if (config.dnsRecheck) keepRechecking(app, { database, now, checks, log: app.log });
      const means = { database, now, checks };
      const notes = new SessionNotes(database, app.log);
      app.addHook('onClose', () => notes.close());
      const gate = databaseGate({ database, notes, now, withAdditions: config.additions });
      const door = createDoor(app, config, gate);
      for (const route of [...contactRoutes, ...domainRoutes, ...workspaceRoutes]) {
        if (config.additions || !additions.includes(route.endpoint)) serve(app, route, means, door);
      }
      serveSessions(app, config, metrics ? countingGate(metrics, gate) : gate, door);
      const isReady = readinessOf(database);
      serveReadiness(app, isReady);
      if (!metrics) return;
      watchChecks(metrics, checks);
      watchDatabase(metrics, { database, isReady, now });
    },
  });
}

/** From when the service listens until it stops. */
function keepRechecking(app: FastifyInstance, job: Recheck): void {
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
