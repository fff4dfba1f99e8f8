import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import { Refusal } from './problems.ts';
import { sampled } from '../metrics/sampled.ts';

/** Rejects while the process cannot read its data, or not write to it. */
export type Readiness = () => Promise<void>;

/** Known two seconds after a change, or four where there is no answer; so often may everybody ask. */
export function readinessOf(database: Database): Readiness {
  return sampled(() => database.ready(), { lasts: 2_000, patience: 2_000 });
}

/** `/readyz`: the process can read its data, and write to it. */
export function serveReadiness(app: FastifyInstance, isReady: Readiness): void {
  app.route({
    method: 'GET',
    url: '/readyz',
    handler: async (request) => {
      try {
        await isReady();
      } catch (error) {
        request.log.error({ request_id: request.id, err: error }, 'database not ready');
        throw new Refusal(503, 'The service cannot read its data, or not write to it.', {
          headers: { 'retry-after': '5' },
        });
      }
      return { status: 'ok' };
    },
  });
}
