import fastifyCookie from '@fastify/cookie';
import fastifyRateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { additions } from '#contract/openapi/allAdditions.ts';
import { RUN_HEADER, type Operation, type Endpoint } from '#contract/openapi/endpoint.ts';
import { listChanges } from '#contract/auditLog.ts';
import { openApi } from '#contract/openapi/openapi.ts';
import { createSharedLink } from '#contract/domains/sharedLinks.ts';
import type { LeaseRateLimit } from '../database/rateLimitLeases.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { publicPath, type Config } from '../settings/config.ts';
import { VERSION } from '../settings/program.ts';
import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { hasTag } from './files/entityTag.ts';
import { createServer, URL_MAX } from './createServer.ts';
import { urlTooLongProblem, ProblemError } from './problems.ts';
import { createRateLimitStore } from './rateLimitStore.ts';
import type { LogStream } from './requestLog.ts';
import { isNavigation, type ReadPageSession, registerConsoleFiles } from './files/staticFiles.ts';
import { cookieName } from './authentication/sessionCookie.ts';
import { findMessageProblem } from './body/malformedRequest.ts';
import { operations } from '#contract/interface.ts';
import { toRouteUrl, requestPath } from './serve.ts';

export type ServerDependencies = {
  config: Config;
  logStream: LogStream;
  consoleDir: string | null;
  metrics?: Metrics | null;
};

type ServerRoutes = {
  /** Routes of other additions are 404. */
  offeredAdditions: readonly Operation[];
  hasRoles: boolean;
  /** Rate limits that several processes share; without it they are counted in memory. */
  leaseRateLimit?: LeaseRateLimit | null;
  registerRoutes: (app: FastifyInstance) => ReadPageSession;
};

type RejectUnknownRoute = (request: FastifyRequest) => never;

export async function createApp(
  { config, logStream, consoleDir, metrics = null }: ServerDependencies,
  { offeredAdditions, hasRoles, leaseRateLimit = null, registerRoutes }: ServerRoutes,
): Promise<FastifyInstance> {
  const app = createServer({ config, logStream, metrics });
  const withheld = additions.filter((endpoint) => !offeredAdditions.includes(endpoint));
  const rejectUnknownRoute: RejectUnknownRoute = createUnknownRouteHandler(app, withheld);
  if (config.corsOrigins.length > 0) {
    const runs = offeredAdditions.includes(listChanges) ? [RUN_HEADER] : [];
    allowOrigins(app, config.corsOrigins, ['authorization', 'content-type', 'if-none-match', ...runs]);
  }
  registerRequestChecks(app, rejectUnknownRoute);
  await app.register(fastifyCookie);
  await app.register(fastifyRateLimit, {
    global: false,
    store: createRateLimitStore(leaseRateLimit, app.log),
  });

  const readSession = registerRoutes(app);
  app.get('/healthz', (_request, reply) => reply.send({ status: 'ok', version: VERSION }));
  registerDescription(app, JSON.stringify(openApi({ additions: offeredAdditions, hasRoles })));
  const hasSharedPage = offeredAdditions.includes(createSharedLink);
  await registerConsole(app, { consoleDir, config, readSession, hasSharedPage }, rejectUnknownRoute);
  return app;
}

function registerDescription(app: FastifyInstance, text: string): void {
  const tag = `"${hash('sha1', text, 'base64url')}"`;
  const compressed = gzipSync(text, { level: 9 });
  app.get('/openapi.json', ({ headers }, reply) => {
    reply.headers({ etag: tag, vary: 'accept-encoding', 'cache-control': 'no-cache' });
    if (hasTag(headers['if-none-match'], tag)) return reply.code(304).send();
    reply.type('application/json');
    if (!acceptsGzip(headers['accept-encoding'])) return reply.send(Buffer.from(text));
    return reply.headers({ etag: `W/${tag}`, 'content-encoding': 'gzip' }).send(compressed);
  });
}

/** Whether the header accepts gzip: its weight must not be 0 (RFC 9110, 12.5.3). */
const acceptsGzip = (header: string | string[] = '') =>
  String(header)
    .toLowerCase()
    .split(',')
    .some((one) => /^\s*(?:x-)?gzip\s*(?:;(?!\s*q=0(?:\.0*)?\s*$).*)?$/.test(one));

function registerRequestChecks(app: FastifyInstance, rejectUnknownRoute: RejectUnknownRoute): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const problem = request.url.length > URL_MAX ? urlTooLongProblem() : findMessageProblem(request.raw);
    if (problem !== null) throw problem;
    if (request.is404 && !isNavigation(request)) rejectUnknownRoute(request);
    if (isDisguised(request)) rejectUnknownRoute(request);
    done();
  });
}

/** Whether its path spells its route in another way, as in `/%761/contacts`, which bypasses the rules of proxies. */
function isDisguised({ url, routeOptions }: FastifyRequest): boolean {
  const path = (/^(?:https?:\/\/[^/]*)?([^?]*)/i.exec(url)?.[1] ?? '').split('/');
  const route = (routeOptions.url ?? '').split('/');
  return route.some((segment, index) => /^[\w.-]+$/.test(segment) && path[index] !== segment);
}

async function registerConsole(
  app: FastifyInstance,
  {
    consoleDir,
    config,
    readSession,
    hasSharedPage,
  }: Pick<ServerDependencies, 'consoleDir' | 'config'> & { readSession: ReadPageSession; hasSharedPage: boolean },
  rejectUnknownRoute: RejectUnknownRoute,
): Promise<void> {
  const sendPage =
    consoleDir === null
      ? null
      : await registerConsoleFiles(app, consoleDir, {
          path: publicPath(config),
          cookie: cookieName(config),
          readSession,
          hasSharedPage,
          framers: config.frameAncestors,
        });
  app.setNotFoundHandler((request, reply) => {
    if (sendPage === null || !isNavigation(request)) return rejectUnknownRoute(request);
    return sendPage(request, reply);
  });
}

const METHODS = [...new Set([...operations, ...additions].map(({ method }) => method))].join(', ');
/** Seconds for which a browser caches a preflight. Chromium allows no more. */
const MAX_AGE = 7200;

/** `app` must have no hook yet that rejects requests. */
function allowOrigins(app: FastifyInstance, origins: readonly string[], headers: readonly string[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.url.startsWith('/v1/')) return done();
    reply.header('vary', 'origin');
    const { origin, 'access-control-request-method': requestedMethod } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return done();
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'date, etag, retry-after, x-request-id',
    });
    if (request.method !== 'OPTIONS' || requestedMethod === undefined) return done();
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': headers.join(', '),
        'access-control-max-age': String(MAX_AGE),
      })
      .send();
  });
}

/** Of the routes that `app` gets from now on. `withheld` operations are always 404. */
function createUnknownRouteHandler(
  app: FastifyInstance,
  withheld: readonly Endpoint[],
): (request: FastifyRequest) => never {
  const served: { method: string; url: string }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) served.push({ method: each, url });
  });
  const withheldRoutes = withheld.map((endpoint) => ({ method: endpoint.method, url: toRouteUrl(endpoint) }));

  return (request) => {
    const path = requestPath(request);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const isWithheld = withheldRoutes.some((each) => each.method === method && isOfRoute(path, each.url));
    const methods = served.filter(({ url }) => isOfRoute(path, url)).map((each) => each.method);
    // The method is there for a file of the console that was deleted after the start.
    if (isWithheld || methods.length === 0 || methods.includes(request.method))
      throw new ProblemError(404, 'Not found.');
    const allowed = [...new Set(methods)].join(', ');
    throw new ProblemError(405, `Only ${allowed} is allowed here.`, { headers: { allow: allowed } });
  };
}

function isOfRoute(path: string, url: string): boolean {
  const [asked, own] = [path.split('/'), url.split('/')];
  return (
    asked.length === own.length &&
    own.every((segment, at) => (segment.startsWith(':') ? asked[at] !== '' : asked[at] === segment))
  );
}
