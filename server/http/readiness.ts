import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import { ProblemError } from './problems.ts';
import { memoizeWithTtl } from './authentication/memoizeWithTtl.ts';

export type ReadinessCheck = () => Promise<void>;

/** At most every two seconds, with a timeout of two: a change shows after at most four. */
export function createReadinessCheck(database: Database): ReadinessCheck {
  return memoizeWithTtl(() => database.ready(), { ttlMs: 2_000, timeoutMs: 2_000 });
}

export function registerReadinessRoute(app: FastifyInstance, checkReadiness: ReadinessCheck): void {
  app.route({
    method: 'GET',
    url: '/readyz',
    handler: async (request) => {
      try {
        await checkReadiness();
      } catch (error) {
        request.log.error({ request_id: request.id, err: error }, 'database not ready');
        throw new ProblemError(503, "The service can't read or write its data.", {
          headers: { 'retry-after': '5' },
        });
      }
      return { status: 'ok' };
    },
  });
}
