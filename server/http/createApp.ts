import fastifyCookie from '@fastify/cookie';
import fastifyRateLimit from '@fastify/rate-limit';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { additions } from '#contract/additions.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { openApi } from '#contract/openapi.ts';
import { PROBLEM_MEDIA_TYPE } from '#contract/problem.ts';
import { allowanceStore } from './allowanceStore.ts';
import { answerBrokenRequest } from './brokenRequest.ts';
import { isTls, publicPath, type Config } from '../settings/config.ts';
import { allowOrigins } from './crossOrigin.ts';
import type { TakeAllowance } from '../database/allowances.ts';
import { Admission } from './limits/admission.ts';
import { bodyOf } from './body.ts';
import { Connections } from './limits/connections.ts';
import { meantPath } from './meantPath.ts';
import { messageFault } from './messageFault.ts';
import { baseHeaders } from './headers.ts';
import { BODY_LIMIT, parseJsonBody } from './jsonBody.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { watchRequests } from '../metrics/requestMetrics.ts';
import { failure, problemText, refusalOf, urlTooLong } from './problems.ts';
import { logOptions, type LogStream } from './requestLog.ts';
import type { RawQuery } from './serve.ts';
import { cookieName } from '../sessions/cookie.ts';
import { isNavigation, serveFiles } from './staticFiles.ts';
import { watchRoutes } from './unknownAddress.ts';
import { VERSION } from '../settings/version.ts';

export type Frame = {
  config: Config;
  logStream: LogStream;
  /** Folder of the built console; null serves the operations alone. */
  consoleDir: string | null;
  /** Where requests are counted; without it they are not. */
  metrics?: Metrics | null;
};

/** What is answered inside the frame. */
export type Offer = {
  /** Those of the additions that are offered; the others are no addresses here. */
  offered: readonly Endpoint[];
  /** How requests are counted together with other processes; without it they are counted in memory. */
  takeAllowance?: TakeAllowance | null;
  /** Registers the operations and all that belongs to them. */
  serveAll: (app: FastifyInstance) => void;
};

const URL_MAX = 8 * 1024;

/** A server with the limits, headers, log and errors of every answer, and with the console around what is offered. */
export async function createApp(
  { config, logStream, consoleDir, metrics = null }: Frame,
  { offered, takeAllowance = null, serveAll }: Offer,
): Promise<FastifyInstance> {
  const headers = baseHeaders(isTls(config));
  const admission = new Admission(cookieName(config));
  const connections = new Connections(admission, config.trustProxy, (closed) => {
    meter?.countClosed(closed);
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
      const fault = messageFault(request.raw);
      reply.headers(headers).header('x-request-id', request.id);
      if (fault === null && error.code === 'FST_ERR_BAD_URL' && isNavigation(request)) {
        reply.redirect(publicPath(config) + meantPath(request.url));
        return;
      }
      answerError(fault ?? error, request, reply);
      meter?.countUnreadable(reply.statusCode);
      app.log.info({ request_id: request.id, status: reply.statusCode, code: error.code }, 'request not readable');
    },
    clientErrorHandler: (error, socket) => {
      connections.end(socket, () => {
        const answer = answerBrokenRequest(error, socket, headers);
        if (answer === null) return;
        meter?.countUnreadable(answer.status);
        app.log.info({ ...answer, code: error.code }, 'request not readable');
      });
    },
    // What arrives on an open connection while the service stops is still answered, as the last request on it.
    return503OnClosing: false,
  });
  // The first hook, so that none that refuses a request comes before it.
  const meter = metrics && watchRequests(metrics, app, connections);

  app.decorate('admission', admission);
  app.setErrorHandler(answerError);
  app.decorateRequest('access', null);
  app.decorateRequest('limit', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const bytes = await bodyOf(request.raw, request.routeOptions.bodyLimit);
    return admission.parse(request.access?.token.uuid ?? request.ip, request.raw, () => parseJsonBody(bytes));
  });

  const refuseUnknown = watchRoutes(
    app,
    additions.filter((endpoint) => !offered.includes(endpoint)),
  );
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    done();
  });
  if (config.corsOrigins.length > 0) allowOrigins(app, config.corsOrigins);
  app.addHook('onRequest', (request, _reply, done) => {
    const fault = request.url.length > URL_MAX ? urlTooLong() : messageFault(request.raw);
    if (fault !== null) throw fault;
    // Before the body is read: nothing that could be wrong with it matters here.
    if (request.is404 && !isNavigation(request)) refuseUnknown(request);
    done();
  });
  await app.register(fastifyCookie);
  await app.register(fastifyRateLimit, {
    global: false,
    store: allowanceStore(takeAllowance, app.log),
  });

  serveAll(app);
  app.get('/healthz', (_request, reply) => reply.send({ status: 'ok', version: VERSION }));
  // One for all who wait for it.
  const description = Buffer.from(JSON.stringify(openApi({ additions: offered })));
  app.get('/openapi.json', (_request, reply) => reply.type('application/json').send(description));

  const sendPage = consoleDir === null ? null : await serveFiles(app, consoleDir, publicPath(config));
  app.setNotFoundHandler((request, reply) => {
    if (sendPage === null || !isNavigation(request)) refuseUnknown(request);
    else sendPage(reply);
  });
  return app;
}

/** Every error of every request ends here: a refusal becomes its problem document, the unforeseen a 500 and a log line. */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalOf(error) ?? failure();
  request.limit = refusal.limit;
  if (refusal.status >= 500 && error !== refusal)
    request.log.error({ request_id: request.id, err: error }, 'request failed');
  reply
    .code(refusal.status)
    .headers({ ...refusal.headers, 'x-request-id': request.id, 'content-type': PROBLEM_MEDIA_TYPE })
    .send(problemText(refusal, request.id));
}
