import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { operations } from '#contract/interface.ts';
import type { RequestAuthentication } from '../http/authentication/requestAuthentication.ts';
import { operationKindOf } from '../http/limits/operationKind.ts';
import { readBody } from '../http/body/body.ts';
import { parsePathParams, createDisconnectSignal, toRouteUrl, type RawQuery } from '../http/serve.ts';
import type { Upstream } from './upstream.ts';
import type { UpstreamPrincipal } from './upstreamAuthenticator.ts';

/** Forwards the five operations with the token of the client, and passes the responses on. */
export function forwardOperations(
  app: FastifyInstance,
  upstream: Upstream,
  authentication: RequestAuthentication,
): void {
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
