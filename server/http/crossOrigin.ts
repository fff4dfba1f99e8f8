import type { FastifyInstance } from 'fastify';
import { operations } from '#contract/interface.ts';
import { additions } from '#contract/additions.ts';

const METHODS = [...new Set([...operations, ...additions].map(({ method }) => method))].join(', ');
/** Seconds for which a browser caches a preflight. Chromium allows no more. */
const MAX_AGE = 7200;

/**
 * CORS: allows pages of these origins to call the operations with an access token, but not with cookies, and to read the headers
 * of responses that a client needs. `app` must have no hook yet that rejects requests.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.url.startsWith('/v1/')) return done();
    reply.header('vary', 'origin');
    const { origin, 'access-control-request-method': requestedMethod } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return done();
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'retry-after, x-request-id',
    });
    if (request.method !== 'OPTIONS' || requestedMethod === undefined) return done();
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': 'authorization, content-type',
        'access-control-max-age': String(MAX_AGE),
      })
      .send();
  });
}
