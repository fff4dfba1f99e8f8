import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge, Histogram } from 'prom-client';
import { LIMITS } from './problems.ts';
import { addGauge, type Metrics } from '../metrics/metrics.ts';

/** Upper bounds in seconds. Most responses take some milliseconds, and the console waits for 15 seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60];

/** Labels of requests without a route: one series for each status, for every method and address. */
const UNKNOWN = { method: 'other', route: 'unknown' };
/** Route of the console's files and its page. */
const CONSOLE = 'console';

/** Counts what Fastify doesn't see. */
type Meter = {
  countMalformedRequest: (status: number) => void;
  /** Closed connections, by reason. */
  countClosedConnections: (closed: Readonly<Record<string, number>>) => void;
};

/** Counts and times every request of `app`. */
export function registerRequestMetrics(
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
  // The console's page has no route: it's a response without a route that is no problem.
  if (template === undefined) return reply.statusCode < 400 ? { method, route: CONSOLE } : UNKNOWN;
  // @fastify/static has a route for each file, and hides them from descriptions of the interface.
  const isFile = (schema as { hide?: boolean } | undefined)?.hide === true;
  return { method, route: isFile ? CONSOLE : template };
}
