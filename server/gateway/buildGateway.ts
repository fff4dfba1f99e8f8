import type { FastifyInstance } from 'fastify';
import { checkDomain } from '#contract/additions.ts';
import type { ReadableDomain } from '#contract/domain.ts';
import { createApp, type Frame } from '../http/createApp.ts';
import type { DnsClient } from '../dns/dnsClient.ts';
import { LiveChecks, tooManyWait } from '../domains/liveChecks.ts';
import { createDoor, type Door } from '../http/door.ts';
import { watchChecks } from '../metrics/checkMetrics.ts';
import { watchGateway } from '../metrics/gatewayMetrics.ts';
import { countingGate } from '../metrics/sessionMetrics.ts';
import { Refusal } from '../http/problems.ts';
import { checkParams, sendLines, signalOfLeaving, urlOf } from '../http/serve.ts';
import { serveSessions } from '../sessions/routes.ts';
import { DomainFinder } from './domainFinder.ts';
import { forwardOperations } from './forward.ts';
import { MemorySessions } from './memorySessions.ts';
import { Upstream, UPSTREAM_LIMITS, type UpstreamLimits } from './upstream.ts';
import { type Caller, upstreamGate, type UpstreamSession } from './upstreamGate.ts';

export type GatewayParts = Frame & {
  /** Base URL of the service behind the gateway. */
  upstreamUrl: URL;
  upstreamLimits?: UpstreamLimits;
  /** The current time in milliseconds since the epoch. */
  now?: () => number;
  dnsClient: DnsClient;
};

/** The console and the five operations of a service somewhere else; besides, the DNS check, which needs no more than them. */
export function buildGateway({
  upstreamUrl,
  upstreamLimits = UPSTREAM_LIMITS,
  now = Date.now,
  dnsClient,
  ...frame
}: GatewayParts): Promise<FastifyInstance> {
  const { config, metrics } = frame;
  return createApp(frame, {
    offered: config.additions ? [checkDomain] : [],
    serveAll: (app) => {
      const sessions = new MemorySessions<UpstreamSession>(now);
      const upstream = new Upstream({
        baseUrl: upstreamUrl,
        limits: upstreamLimits,
        log: app.log,
        onUnknownToken: (token) => sessions.endAll(token),
      });
      const gate = upstreamGate(upstream, sessions, config.additions);
      const door = createDoor(app, config, gate);
      forwardOperations(app, upstream, door);
      const checks = new LiveChecks<ReadableDomain>({ dnsClientFor: () => dnsClient, now, log: app.log });
      if (config.additions) serveCheck(app, upstream, checks, door);
      serveSessions(app, config, metrics ? countingGate(metrics, gate) : gate, door);
      // Also while the service behind it is away: the gateway says so in a sentence, which no proxy would.
      app.get('/readyz', (_request, reply) => reply.send({ status: 'ok' }));
      if (!metrics) return;
      watchChecks(metrics, checks);
      watchGateway(metrics, { upstream, sessions });
    },
  });
}

/** The domain is what the service says it is; what the check finds is for the caller alone, and stored nowhere. */
function serveCheck(app: FastifyInstance, upstream: Upstream, checks: LiveChecks<ReadableDomain>, door: Door): void {
  const domains = new DomainFinder(upstream);
  app.route({
    method: checkDomain.method,
    url: urlOf(checkDomain),
    onRequest: (request) => door.admit(request),
    handler: async (request, reply) => {
      const { bearer, token } = request.access as Caller;
      const { domain: uuid = '' } = checkParams(request);
      const signal = signalOfLeaving(reply);
      const call = { bearer, address: request.ip, requestId: request.id, signal };
      const domain = await door.guard(request, () => domains.find(uuid, token.uuid, call));
      if (domain === null) throw new Refusal(404, 'There is no such domain in this workspace.');
      const subject = { owner: token.uuid, domain, conclude: () => Promise.resolve(domain) };
      return sendLines(reply, checks.follow(subject, signal) ?? tooManyWait());
    },
  });
}
