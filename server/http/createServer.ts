import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { NDJSON_MEDIA_TYPE } from '#contract/openapi/endpoint.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { isTls, publicPath, type Config } from '../settings/config.ts';
import { hasBody, readBody } from './body/body.ts';
import { baseHeaders } from './files/headers.ts';
import { BODY_LIMIT, parseJsonBody, parseJsonLines } from './body/jsonBody.ts';
import { Connections } from './limits/connections.ts';
import { OverloadControl } from './limits/overloadControl.ts';
import { answerMalformedRequest, findMessageProblem } from './body/malformedRequest.ts';
import { logOptions, type LogStream } from './requestLog.ts';
import { registerRequestMetrics } from './requestMetrics.ts';
import type { RawQuery } from './serve.ts';
import { cookieName } from './authentication/sessionCookie.ts';
import { isNavigation } from './files/staticFiles.ts';
import { contentCodingProblem, mediaTypeProblem, sendProblem } from './problems.ts';

/** Longest URL in characters. */
export const URL_MAX = 8 * 1024;

type ServerSettings = { config: Config; logStream: LogStream; metrics: Metrics | null };

/** Without routes: limits on connections and bodies, the log, headers and problems of all responses. */
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

/**
 * The path of a URL that is not properly encoded, with every character taken literally and encoded. The result is always a path
 * on this host: a browser would take a leading `//` or `/\` for the start of another host.
 */
function normalizedPath(url: string): string {
  const path = url.replace(/^[a-z][a-z\d+.-]*:[/\\]*[^/\\?]*/i, '').replace(/^[/\\]*/, '/');
  return path.replaceAll('%', '%25').replaceAll('\\', '%5C');
}
