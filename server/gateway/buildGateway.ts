import type { FastifyInstance } from 'fastify';
import { checkDomain } from '#contract/dnsCheck.ts';
import type { ReadableDomain } from '#contract/domain.ts';
import { createApp, type ServerDependencies } from '../http/createApp.ts';
import type { DnsClient } from '../dns/conversation/dnsClient.ts';
import { LiveChecks, throwTooManyChecks, registerCheckMetrics } from '../domains/liveChecks.ts';
import {
  createRequestAuthentication,
  type RequestAuthentication,
} from '../http/authentication/requestAuthentication.ts';
import { ProblemError } from '../http/problems.ts';
import { operationKindOf } from '../http/limits/operationKind.ts';
import { parsePathParams, sendNdjson, createDisconnectSignal, toRouteUrl } from '../http/serve.ts';
import { countOpenedSessions, registerSessionRoutes, TOKEN_ALONE } from '../sessions/routes.ts';
import { DomainFinder } from './domainFinder.ts';
import { forwardOperations } from './forward.ts';
import { MemorySessions } from './memorySessions.ts';
import { Upstream, UPSTREAM_LIMITS, type UpstreamLimits } from './upstream.ts';
import { type UpstreamPrincipal, upstreamAuthenticator, type UpstreamSession } from './upstreamAuthenticator.ts';
import { addCounter, addGauge, type Metrics } from '../metrics/metrics.ts';

type GatewayDependencies = ServerDependencies & {
  /** Base URL of the service behind the gateway. */
  upstreamUrl: URL;
  upstreamLimits?: UpstreamLimits;
  /** The current time in milliseconds since the epoch. */
  now?: () => number;
  dnsClient: DnsClient;
};

/** Creates the server of a gateway: the console and the five operations of another service, and the DNS check. */
export function buildGateway({
  upstreamUrl,
  upstreamLimits = UPSTREAM_LIMITS,
  now = Date.now,
  dnsClient,
  ...serverDependencies
}: GatewayDependencies): Promise<FastifyInstance> {
  const { config, metrics } = serverDependencies;
  return createApp(serverDependencies, {
    offeredAdditions: config.additions ? [checkDomain] : [],
    hasRoles: false,
    registerRoutes: (app) => {
      const sessions = new MemorySessions<UpstreamSession>(now);
      const upstream = new Upstream({
        baseUrl: upstreamUrl,
        limits: upstreamLimits,
        log: app.log,
        onUnknownToken: (token) => sessions.endAll(token),
      });
      const authenticator = upstreamAuthenticator(upstream, sessions, config.additions);
      const authentication = createRequestAuthentication(app, config, authenticator);
      forwardOperations(app, upstream, authentication);
      const checks = new LiveChecks<ReadableDomain>({ dnsClientFor: () => dnsClient, now, log: app.log });
      if (config.additions) registerCheckRoute(app, upstream, checks, authentication);
      const readPageSession = registerSessionRoutes(app, {
        config,
        countOpened: countOpenedSessions(metrics ?? null),
        authenticator,
        authentication,
        signInWays: () => TOKEN_ALONE,
      });
      // Ready even when the service is down: the gateway then responds with a problem document.
      app.get('/readyz', (_request, reply) => reply.send({ status: 'ok' }));
      if (metrics) {
        registerCheckMetrics(metrics, checks);
        registerGatewayMetrics(metrics, { upstream, sessions });
      }
      return readPageSession;
    },
  });
}

/** Fetches the domain from the service. The result goes to the client only, and is not stored. */
function registerCheckRoute(
  app: FastifyInstance,
  upstream: Upstream,
  checks: LiveChecks<ReadableDomain>,
  authentication: RequestAuthentication,
): void {
  const domains = new DomainFinder(upstream);
  app.route({
    method: checkDomain.method,
    url: toRouteUrl(checkDomain),
    config: { kind: operationKindOf(checkDomain) },
    onRequest: (request) => authentication.authenticate(request),
    handler: async (request, reply) => {
      const { bearer, token } = request.principal as UpstreamPrincipal;
      const { domain: uuid = '' } = parsePathParams(request);
      const signal = createDisconnectSignal(reply);
      const call = { bearer, address: request.ip, requestId: request.id, signal };
      const domain = await authentication.countUnauthorized(request, () => domains.find(uuid, token.uuid, call));
      if (domain === null) throw new ProblemError(404, 'There is no such domain in this workspace.');
      const subject = { owner: token.uuid, domain, conclude: () => Promise.resolve(domain) };
      return sendNdjson(reply, checks.follow(subject, signal) ?? throwTooManyChecks());
    },
  });
}

type GatewayMetricsSources = { upstream: Upstream; sessions: { readonly size: number } };

function registerGatewayMetrics(metrics: Metrics, { upstream, sessions }: GatewayMetricsSources): void {
  addGauge(metrics, { name: 'sendroom_ready', help: 'Whether /readyz is 200: a gateway always is.' }, () => 1);
  const help = 'Failed requests to the service behind the gateway, by fault.';
  addCounter(metrics, { name: 'sendroom_upstream_failures_total', help, labels: ['fault'] }, () =>
    [...upstream.errorCounts].map(([fault, count]) => [{ fault }, count] as const),
  );
  addGauge(metrics, { name: 'sendroom_sessions', help: 'Console sessions of this gateway.' }, () => {
    return sessions.size;
  });
}
