import type { FastifyInstance, FastifyRequest } from 'fastify';
import { checkDomain } from '#contract/domains/dnsCheck.ts';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import { createApp, type ServerDependencies } from '../http/createApp.ts';
import type { DnsClient } from '../dns/conversation/dnsClient.ts';
import { registerResolverMetric, ResolverWatch } from '../domains/checks/resolverWatch.ts';
import { LiveChecks, throwTooManyChecks, registerCheckMetrics } from '../domains/checks/liveChecks.ts';
import {
  createRequestAuthentication,
  type RequestAuthentication,
} from '../http/authentication/requestAuthentication.ts';
import { ProblemError } from '../http/problems.ts';
import { operationKindOf } from '../http/limits/operationKind.ts';
import { parsePathParams, sendNdjson, createDisconnectSignal, toRouteUrl, type RawQuery } from '../http/serve.ts';
import { countOpenedSessions, registerSessionRoutes, TOKEN_ALONE } from '../sessions/routes.ts';
import { MemorySessions } from './memorySessions.ts';
import { Upstream, UPSTREAM_LIMITS, type UpstreamLimits, type UpstreamCall } from './upstream.ts';
import { type UpstreamPrincipal, upstreamAuthenticator, type UpstreamSession } from './upstreamAuthenticator.ts';
import { addCounter, addGauge, type Metrics } from '../metrics/metrics.ts';
import { LRUCache } from 'lru-cache';
import { listDomains, operations } from '#contract/interface.ts';
import { formatListQuery, PER_PAGE_MAX, SEARCH_MAX, type ListQuery } from '#contract/list.ts';
import { Readable } from 'node:stream';
import { readBody } from '../http/body/body.ts';

type GatewayDependencies = ServerDependencies & {
  upstreamUrl: URL;
  upstreamLimits?: UpstreamLimits;
  now?: () => number;
  dnsClient: DnsClient;
};

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
      const resolvers = new ResolverWatch((isDown) => {
        app.log.error(isDown ? 'resolvers unreachable' : 'resolvers respond again');
      });
      const checks = new LiveChecks<ReadableDomain>({ dnsClientFor: () => dnsClient, now, log: app.log, resolvers });
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
        registerResolverMetric(metrics, resolvers);
        registerGatewayMetrics(metrics, { upstream, sessions });
      }
      return readPageSession;
    },
  });
}

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
      const subject = { owner: token.uuid, domain, sendsBulk: true, conclude: () => Promise.resolve(domain) };
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

/** With full pages, that is 10,000 domains. */
const PAGES_MAX = 100;
const NAMES_MAX = 20_000;

type ListCall = Omit<UpstreamCall, 'params' | 'search'>;

/** The interface has no "get domain": the list's pages are read and their names cached, so that a search finds it the next time. */
class DomainFinder {
  readonly #upstream: Upstream;
  /** Names by principal and UUID. Not shared between principals. */
  readonly #names = new LRUCache<string, string>({ max: NAMES_MAX });

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  async find(uuid: string, principal: string, call: ListCall): Promise<ReadableDomain | null> {
    const name = this.#names.get(keyOf(principal, uuid));
    const named = name === undefined ? undefined : withUuid(uuid, (await this.#read({ search: name }, call)).data);
    return named ?? this.#walk(uuid, principal, call);
  }

  async #walk(uuid: string, principal: string, call: ListCall): Promise<ReadableDomain | null> {
    for (let page = 1; page <= PAGES_MAX; page++) {
      const { data, meta } = await this.#read({ page }, call);
      for (const listed of data) {
        if (listed.name.length <= SEARCH_MAX) this.#names.set(keyOf(principal, listed.uuid), listed.name);
      }
      const found = withUuid(uuid, data);
      if (found !== undefined) return found;
      if (!meta.has_next) return null;
      if (meta.current_page !== page) break;
    }
    throw new ProblemError(502, 'The service behind the gateway has too many domains to search.');
  }

  #read(query: ListQuery, call: ListCall) {
    const search = formatListQuery({ page: 1, per_page: PER_PAGE_MAX, ...query });
    return this.#upstream.read(listDomains, { ...call, params: {}, search: search.toString() });
  }
}

const keyOf = (principal: string, uuid: string) => `${principal} ${uuid.toLowerCase()}`;

const withUuid = (uuid: string, domains: readonly ReadableDomain[]) =>
  domains.find((domain) => domain.uuid.toLowerCase() === uuid.toLowerCase());

function forwardOperations(app: FastifyInstance, upstream: Upstream, authentication: RequestAuthentication): void {
  void app.register((scope, _options, done) => {
    // The body is forwarded unchanged: the service validates it.
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser('application/json', (request: FastifyRequest) => readBody(request.raw));
    for (const endpoint of operations) {
      const kind = operationKindOf(endpoint);
      scope.route({
        method: endpoint.method,
        url: toRouteUrl(endpoint),
        exposeHeadRoute: false,
        config: { kind },
        onRequest: (request) => {
          upstream.rejectLoop(request.headers.via);
          app.overloadControl.rejectIfOverloaded(kind, request.headers);
          return authentication.authenticate(request);
        },
        handler: async (request, reply) => {
          const { bearer } = request.principal as UpstreamPrincipal;
          const { status, headers, body } = await upstream.call(endpoint, {
            params: parsePathParams(request),
            bearer,
            address: request.ip,
            requestId: request.id,
            signal: createDisconnectSignal(reply),
            ...(endpoint.list && { search: (request.query as RawQuery).text }),
            ...(endpoint.body && { body: request.body as Buffer | undefined }),
          });
          if (status === 401) await authentication.countFailedAuthentication(request);
          reply.code(status).headers(headers);
          return body === null ? reply.send() : reply.send(Readable.from(body, { objectMode: false }));
        },
      });
    }
    done();
  });
}
