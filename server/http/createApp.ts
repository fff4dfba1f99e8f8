import fastifyCookie from '@fastify/cookie';
import fastifyRateLimit from '@fastify/rate-limit';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { additions } from '#contract/additions.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { openApi } from '#contract/openapi.ts';
import { PROBLEM_MEDIA_TYPE } from '#contract/problem.ts';
import { createRateLimitStore } from './rateLimitStore.ts';
import { answerMalformedRequest } from './malformedRequest.ts';
import { isTls, publicPath, type Config } from '../settings/config.ts';
import { allowOrigins } from './crossOrigin.ts';
import type { LeaseRateLimit } from '../database/rateLimitLeases.ts';
import { OverloadControl } from './limits/overloadControl.ts';
import { readBody } from './body.ts';
import { Connections } from './limits/connections.ts';
import { normalizedPath } from './normalizedPath.ts';
import { findMessageProblem } from './messageProblem.ts';
import { baseHeaders } from './headers.ts';
import { BODY_LIMIT, parseJsonBody } from './jsonBody.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { registerRequestMetrics } from './requestMetrics.ts';
import { internalProblem, formatProblem, toProblemError, urlTooLongProblem } from './problems.ts';
import { logOptions, type LogStream } from './requestLog.ts';
import type { RawQuery } from './serve.ts';
import { cookieName } from './sessionCookie.ts';
import { isNavigation, registerConsoleFiles } from './staticFiles.ts';
import { createUnknownRouteHandler } from './unknownRoute.ts';
import { VERSION } from '../settings/version.ts';

export type ServerDependencies = {
  config: Config;
  logStream: LogStream;
  /** Folder of the built console; null serves the operations alone. */
  consoleDir: string | null;
  /** Where requests are counted; without it they are not. */
  metrics?: Metrics | null;
};

/** What is answered inside the frame. */
export type ServerRoutes = {
  /** Those of the additions that are offered; the others are no addresses here. */
  offeredAdditions: readonly Endpoint[];
  /** How requests are counted together with other processes; without it they are counted in memory. */
  leaseRateLimit?: LeaseRateLimit | null;
  /** Registers the operations and all that belongs to them. */
  registerRoutes: (app: FastifyInstance) => void;
};

const URL_MAX = 8 * 1024;

/** A server with the limits, headers, log and errors of every answer, and with the console around what is offered. */
export async function createApp(
  { config, logStream, consoleDir, metrics = null }: ServerDependencies,
  { offeredAdditions, leaseRateLimit = null, registerRoutes }: ServerRoutes,
): Promise<FastifyInstance> {
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
    // No route is chosen yet, so neither hooks nor the request log hear of these.
    frameworkErrors: (error, request, reply) => {
      const fault = findMessageProblem(request.raw);
      reply.headers(headers).header('x-request-id', request.id);
      if (fault === null && error.code === 'FST_ERR_BAD_URL' && isNavigation(request)) {
        reply.redirect(publicPath(config) + normalizedPath(request.url));
        return;
      }
      sendProblem(fault ?? error, request, reply);
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
    // What arrives on an open connection while the service stops is still answered, as the last request on it.
    return503OnClosing: false,
  });
  // The first hook, so that none that refuses a request comes before it.
  const meter = metrics && registerRequestMetrics(metrics, app, connections);

  app.decorate('overloadControl', overloadControl);
  app.setErrorHandler(sendProblem);
  app.decorateRequest('principal', null);
  app.decorateRequest('exceededLimit', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const bytes = await readBody(request.raw, request.routeOptions.bodyLimit);
    return overloadControl.scheduleParse(request.principal?.token.uuid ?? request.ip, request.raw, () =>
      parseJsonBody(bytes),
    );
  });

  const rejectUnknownRoute = createUnknownRouteHandler(
    app,
    additions.filter((endpoint) => !offeredAdditions.includes(endpoint)),
  );
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    done();
  });
  if (config.corsOrigins.length > 0) allowOrigins(app, config.corsOrigins);
  app.addHook('onRequest', (request, _reply, done) => {
    const fault = request.url.length > URL_MAX ? urlTooLongProblem() : findMessageProblem(request.raw);
    if (fault !== null) throw fault;
    // Before the body is read: nothing that could be wrong with it matters here.
    if (request.is404 && !isNavigation(request)) rejectUnknownRoute(request);
    done();
  });
  await app.register(fastifyCookie);
  await app.register(fastifyRateLimit, {
    global: false,
    store: createRateLimitStore(leaseRateLimit, app.log),
  });

  registerRoutes(app);
  app.get('/healthz', (_request, reply) => reply.send({ status: 'ok', version: VERSION }));
  // One for all who wait for it.
  const description = Buffer.from(JSON.stringify(openApi({ additions: offeredAdditions })));
  app.get('/openapi.json', (_request, reply) => reply.type('application/json').send(description));

  const sendPage = consoleDir === null ? null : await registerConsoleFiles(app, consoleDir, publicPath(config));
  app.setNotFoundHandler((request, reply) => {
    if (sendPage === null || !isNavigation(request)) rejectUnknownRoute(request);
    else sendPage(reply);
  });
  return app;
}

/** Every error of every request ends here: a refusal becomes its problem document, the unforeseen a 500 and a log line. */
function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = toProblemError(error) ?? internalProblem();
  request.exceededLimit = problem.limit;
  if (problem.status >= 500 && error !== problem)
    request.log.error({ request_id: request.id, err: error }, 'request failed');
  reply
    .code(problem.status)
    .headers({ ...problem.headers, 'x-request-id': request.id, 'content-type': PROBLEM_MEDIA_TYPE })
    .send(formatProblem(problem, request.id));
}
