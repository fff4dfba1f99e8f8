import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { operations } from '#contract/interface.ts';
import type { Door } from '../http/door.ts';
import { bodyOf } from '../http/body.ts';
import { checkParams, kindOf, signalOfLeaving, urlOf, type RawQuery } from '../http/serve.ts';
import type { Upstream } from './upstream.ts';
import type { Caller } from './upstreamGate.ts';

/** Registers the five operations of the interface: each is asked of the service, with the caller's token, and answered as it answers. */
export function forwardOperations(app: FastifyInstance, upstream: Upstream, door: Door): void {
  void app.register((scope, _options, done) => {
    // Whether a body is right is for the service to say: it goes there byte for byte.
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser('application/json', (request: FastifyRequest) => bodyOf(request.raw));
    for (const endpoint of operations) {
      const kind = kindOf(endpoint);
      scope.route({
        method: endpoint.method,
        url: urlOf(endpoint),
        exposeHeadRoute: false,
        onRequest: (request) => {
          upstream.refuseLoop(request.headers.via);
          app.admission.check(kind, request.headers);
          return door.admit(request);
        },
        handler: async (request, reply) => {
          const { bearer } = request.access as Caller;
          const { status, headers, body } = await upstream.call(endpoint, {
            params: checkParams(request),
            bearer,
            address: request.ip,
            requestId: request.id,
            signal: signalOfLeaving(reply),
            ...(endpoint.list && { search: (request.query as RawQuery).text }),
            ...(endpoint.body && { body: request.body as Buffer | undefined }),
          });
          if (status === 401) await door.countFailure(request);
          reply.code(status).headers(headers);
          return body === null ? reply.send() : reply.send(Readable.from(body, { objectMode: false }));
        },
      });
    }
    done();
  });
}
