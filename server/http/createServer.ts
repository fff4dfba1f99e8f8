import fastify, { type FastifyInstance, type FastifyRequest, type FastifyReply } from 'fastify';
import { randomUUID } from 'node:crypto';
import { NDJSON_MEDIA_TYPE } from '#contract/openapi/endpoint.ts';
import { type Metrics, addGauge } from '../metrics/metrics.ts';
import { isTls, publicPath, type Config } from '../settings/config.ts';
import { hasBody, readBody } from './body/body.ts';
import { baseHeaders } from './files/headers.ts';
import { BODY_LIMIT, parseJsonBody, parseJsonLines } from './body/jsonBody.ts';
import { Connections } from './limits/connections.ts';
import { OverloadControl } from './limits/overloadControl.ts';
import { answerMalformedRequest, findMessageProblem } from './body/malformedRequest.ts';
import { logOptions, type LogStream } from './requestLog.ts';
import type { RawQuery } from './serve.ts';
import { cookieName } from './authentication/sessionCookie.ts';
import { isNavigation } from './files/staticFiles.ts';
import { contentCodingProblem, mediaTypeProblem, sendProblem, LIMITS } from './problems.ts';
import { Counter, Gauge, Histogram } from 'prom-client';

export const URL_MAX = 8 * 1024;

type ServerSettings = { config: Config; logStream: LogStream; metrics: Metrics | null };

export function createServer({ config, logStream, metrics }: ServerSettings): FastifyInstance {
  const headers = baseHeaders(isTls(config));
  const overloadControl = new OverloadControl(cookieName(config));
  const connections = new Connections(overloadControl, config.trustProxy, (closed) => {
    meter?.countClosedConnections(closed);
    app.log.warn({ closed }, 'connections closed');
  });
  const app: FastifyInstance = fastify({
    serverFactory: (listener) => connections.serve(listener),
    ...logOptions(config.logLevel, logStream),
    trustProxy: config.trustProxy,
    bodyLimit: BODY_LIMIT,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: URL_MAX, querystringParser: (text): RawQuery => ({ text }) },
    // There is no route yet, so neither hooks nor the request log run for these.
    frameworkErrors: (error, request, reply) => {
      const problem = findMessageProblem(request.raw);
      reply.headers(headers).header('x-request-id', request.id);
      if (problem === null && error.code === 'FST_ERR_BAD_URL' && isNavigation(request)) {
        reply.redirect(publicPath(config) + normalizedPath(request.url));
        return;
      }
      sendProblem(problem ?? error, request, reply);
      meter?.countMalformedRequest(reply.statusCode);
      app.log.info({ request_id: request.id, status: reply.statusCode, code: error.code }, 'request not readable');
    },
    clientErrorHandler: (error, socket) => {
      connections.end(socket, () => {
        const answer = answerMalformedRequest(error, socket, headers);
        if (answer === null) return;
        meter?.countMalformedRequest(answer.status);
        app.log.info({ ...answer, code: error.code }, 'request not readable');
      });
    },
    // While the service stops, a request on an open connection still gets a response, the last one there.
    return503OnClosing: false,
    // Fastify would take a job that ends slowly for a plugin that doesn't start. main.ts bounds a stop.
    pluginTimeout: 0,
  });
  // The first hook, so that it also counts requests that another hook rejects.
  const meter = metrics && registerRequestMetrics(metrics, app, connections);

  app.decorate('countRequests', () => connections.requestCount);
  app.decorate('overloadControl', overloadControl);
  app.decorateRequest('principal', null);
  app.decorateRequest('exceededLimit', null);
  app.setErrorHandler(sendProblem);
  registerBodyParser(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    // Many clients send a media type, such as that of forms, with every POST. Without a body it's ignored.
    if (!hasBody(request.raw)) delete request.raw.headers['content-type'];
    done();
  });
  return app;
}

/** Bodies are JSON, or lines of JSON if a route accepts them. They're parsed in fair turns, because many may be complete at once. */
function registerBodyParser(app: FastifyInstance): void {
  const parseInTurn = async (request: FastifyRequest, parse: (bytes: Uint8Array) => unknown) => {
    if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') throw contentCodingProblem();
    const bytes = await readBody(request.raw, request.routeOptions.bodyLimit);
    const client = request.principal?.workspace?.uuid ?? request.ip;
    return app.overloadControl.scheduleParse(client, request.raw, () => parse(bytes));
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request: FastifyRequest) => parseInTurn(request, parseJsonBody));
  app.addContentTypeParser(NDJSON_MEDIA_TYPE, async (request: FastifyRequest) => {
    const { linesMax } = request.routeOptions.config;
    if (linesMax === undefined) throw mediaTypeProblem();
    return parseInTurn(request, (bytes) => parseJsonLines(bytes, linesMax));
  });
}

/** Always a path on this host: a browser would take a leading `//` or `/\` for the start of another host. */
function normalizedPath(url: string): string {
  const path = url.replace(/^[a-z][a-z\d+.-]*:[/\\]*[^/\\?]*/i, '').replace(/^[/\\]*/, '/');
  return path.replaceAll('%', '%25').replaceAll('\\', '%5C');
}

/** Upper bounds in seconds. Most responses take some milliseconds, and the console waits for 15 seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60];

/** Labels of requests that no route is for: one series for each status, whatever the method and the address. */
const UNKNOWN = { method: 'other', route: 'unknown' };
const CONSOLE = 'console';

type Meter = {
  countMalformedRequest: (status: number) => void;
  countClosedConnections: (closed: Readonly<Record<string, number>>) => void;
};

function registerRequestMetrics(
  metrics: Metrics,
  app: FastifyInstance,
  connections: { readonly count: number },
): Meter {
  const { requests, duration, inFlight, limited, closed } = createRequestMetrics(metrics);
  addGauge(metrics, { name: 'sendroom_http_connections', help: 'Open client connections.' }, () => connections.count);
  const waiting = {
    name: 'sendroom_http_requests_waiting',
    help: 'Requests in flight that are queued.',
  };
  addGauge(metrics, waiting, () => app.overloadControl.queuedCount);

  function count(request: FastifyRequest, reply: FastifyReply): void {
    inFlight.dec();
    const labels = labelsOf(request, reply);
    requests.inc({ ...labels, status: reply.raw.writableFinished ? reply.statusCode : 'aborted' });
    duration.observe(labels, reply.elapsedTime / 1000);
    if (request.exceededLimit !== null) limited.inc({ limit: request.exceededLimit, status: reply.statusCode });
  }

  app.addHook('onRequest', (request, reply, done) => {
    inFlight.inc();
    // `close` comes after every response, also when the client has disconnected.
    reply.raw.once('close', () => count(request, reply));
    done();
  });
  return {
    countMalformedRequest: (status) => requests.inc({ ...UNKNOWN, status }),
    countClosedConnections: (reasons) => {
      for (const [reason, count] of Object.entries(reasons)) closed.inc({ reason }, count);
    },
  };
}

function createRequestMetrics(metrics: Metrics) {
  const registers = [metrics];
  const requests = new Counter({
    name: 'sendroom_http_requests_total',
    help: 'Requests by route and status; the status is "aborted" if the client disconnected first.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'sendroom_http_request_duration_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers,
  });
  const inFlight = new Gauge({
    name: 'sendroom_http_requests_in_flight',
    help: 'Requests in flight.',
    registers,
  });
  const limited = new Counter({
    name: 'sendroom_limited_requests_total',
    help: 'Requests over a limit, by limit and status: 429 for one client, 503 for all.',
    labelNames: ['limit', 'status'],
    registers,
  });
  const closed = new Counter({
    name: 'sendroom_http_connections_closed_total',
    help: 'Connections closed because their clients held too many resources, by reason.',
    labelNames: ['reason'],
    registers,
  });
  // Each series starts at 0, so that its first request shows as an increase.
  for (const limit of LIMITS) limited.inc({ limit, status: limit === 'overload' ? 503 : 429 }, 0);
  return { requests, duration, inFlight, limited, closed };
}

function labelsOf(request: FastifyRequest, reply: FastifyReply): { method: string; route: string } {
  const { method } = request;
  const { url: template, schema } = request.routeOptions;
  // The page of the console has no route: it is what is answered where no route is, and no problem.
  if (template === undefined) return reply.statusCode < 400 ? { method, route: CONSOLE } : UNKNOWN;
  // @fastify/static has a route for each file, and hides them from descriptions of the interface.
  const isFile = (schema as { hide?: boolean } | undefined)?.hide === true;
  return { method, route: isFile ? CONSOLE : template };
}
