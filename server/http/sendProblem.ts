import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEM_MEDIA_TYPE } from '#contract/problem.ts';
import { formatProblem, internalProblem, toProblemError } from './problems.ts';

/** Answers with the problem document of `error`. An unexpected error is logged, and answered with 500. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = toProblemError(error) ?? internalProblem();
  request.exceededLimit = problem.limit;
  if (problem.status >= 500 && error !== problem)
    request.log.error({ request_id: request.id, err: error }, 'request failed');
  reply
    .code(problem.status)
    .headers({ ...problem.headers, 'x-request-id': request.id, 'content-type': PROBLEM_MEDIA_TYPE })
    .send(formatProblem(problem, request.id));
}
