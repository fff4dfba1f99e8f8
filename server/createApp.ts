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
import { isTls, type Config } from './config.ts';
import { allowOrigins } from './crossOrigin.ts';
import type { TakeAllowance } from './database/allowances.ts';
import { baseHeaders } from './headers.ts';
import { BODY_LIMIT, parseJsonBody } from './jsonBody.ts';
import { failure, problemText, Refusal, refusalOf, urlTooLong } from './problems.ts';
import { logOptions, type LogStream } from './requestLog.ts';
import type { RawQuery } from './serve.ts';
import { isNavigation, serveFiles } from './staticFiles.ts';
import { watchRoutes } from './unknownAddress.ts';

export type Frame = {
  config: Config;
  logStream: LogStream;
  /** Folder of the built console; null serves the operations alone. */
  consoleDir: string | null;
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

const SECOND = 1000;
const URL_MAX = 8 * 1024;

/** Against slow and large requests. Times in milliseconds, sizes in bytes. */
const limits = {
  bodyLimit: BODY_LIMIT,
  requestTimeout: 20 * SECOND,
  // Longer than the 60 s for which usual proxies keep an idle connection, so that none is cut under a new request.
  keepAliveTimeout: 65 * SECOND,
  maxRequestsPerSocket: 10_000,
  http: {
    headersTimeout: 10 * SECOND,
    connectionsCheckingInterval: SECOND,
    maxHeaderSize: 16 * 1024,
    // We check it ourselves, so that the refusal is a problem document like every other.
    requireHostHeader: false,
  },
};

/** A server with the limits, headers, log and errors of every answer, and with the console around what is offered. */
export async function createApp(
  { config, logStream, consoleDir }: Frame,
  { offered, takeAllowance, serveAll }: Offer,
): Promise<FastifyInstance> {
  const headers = baseHeaders(isTls(config));
  const app = fastify({
    ...limits,
    ...logOptions(config.logLevel, logStream),
    trustProxy: config.trustProxy,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: URL_MAX, querystringParser: (text): RawQuery => ({ text }) },
    // No route is chosen yet, so neither hooks nor the request log hear of these.
    frameworkErrors: (error, request, reply) => {
      if (error.code === 'FST_ERR_BAD_URL' && isNavigation(request)) {
        // A link whose maker forgot to encode what is in it: every sign is then meant as it stands.
        reply.headers(headers).redirect(request.url.replace(/^\/+/, '/').replaceAll('%', '%25'));
        return;
      }
      answerError(error, request, reply.headers(headers));
      app.log.info({ request_id: request.id, status: reply.statusCode, code: error.code }, 'request not readable');
    },
    clientErrorHandler: (error, socket) => {
      const answer = answerBrokenRequest(error, socket, headers);
      if (answer !== null) app.log.info({ ...answer, code: error.code }, 'request not readable');
    },
    // What arrives on an open connection while the service stops is still answered, as the last request on it.
    return503OnClosing: false,
  });
  app.server.maxConnections = 4096;
  // Node would answer an unknown expectation by itself, without our headers; one may ignore it (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));

  // A connection whose last request is answered during the stop would otherwise be kept for the next one.
  app.addHook('preClose', async () => {
    const sweep = setInterval(() => app.server.closeIdleConnections(), 50);
    app.server.once('close', () => clearInterval(sweep));
  });

  app.setErrorHandler(answerError);
  app.decorateRequest('access', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) =>
    parseJsonBody(body),
  );

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
    if (request.url.length > URL_MAX) throw urlTooLong();
    if (request.headers.host === undefined && request.raw.httpVersion !== '1.0') {
      throw new Refusal(400, 'The header Host is missing.');
    }
    // Before the body is read: nothing that could be wrong with it matters here.
    if (request.is404 && !isNavigation(request)) refuseUnknown(request);
    done();
  });
  await app.register(fastifyCookie);
  await app.register(fastifyRateLimit, {
    global: false,
    ...(takeAllowance && { store: allowanceStore(takeAllowance, app.log) }),
  });

  serveAll(app);
  app.get('/healthz', (_request, reply) => reply.send({ status: 'ok' }));
  const description = JSON.stringify(openApi({ additions: offered }));
  app.get('/openapi.json', (_request, reply) => reply.type('application/json').send(description));

  const sendPage = consoleDir === null ? null : await serveFiles(app, consoleDir);
  app.setNotFoundHandler((request, reply) => {
    if (sendPage === null || !isNavigation(request)) refuseUnknown(request);
    else sendPage(reply);
  });
  return app;
}

/** Every error of every request ends here: a refusal becomes its problem document, the unforeseen a 500 and a log line. */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalOf(error) ?? failure();
  if (refusal.status >= 500 && error !== refusal)
    request.log.error({ request_id: request.id, err: error }, 'request failed');
  reply
    .code(refusal.status)
    .headers({ ...refusal.headers, 'x-request-id': request.id, 'content-type': PROBLEM_MEDIA_TYPE })
    .send(problemText(refusal, request.id));
}
