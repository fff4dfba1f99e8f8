import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEM_MEDIA_TYPE } from '#contract/problem.ts';
import { formatProblem, ProblemError, toProblemError } from './problems.ts';

/**
 * Answers what Node could not parse as a request like any other error: with a problem document, the usual headers and a request
 * id. Gives what to log, or null when the client has disconnected.
 */
export function answerMalformedRequest(
  error: Error,
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): { request_id: string; status: number } | null {
  if (!socket.writable || (error as { code?: unknown }).code === 'ECONNRESET') {
    socket.destroy();
    return null;
  }
  const problem = toProblemError(error) ?? new ProblemError(400, 'This is not a well-formed HTTP request.');
  const requestId = randomUUID();
  const body = formatProblem(problem, requestId);
  const lines = Object.entries({
    ...headers,
    'x-request-id': requestId,
    'content-type': PROBLEM_MEDIA_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`);
  return { request_id: requestId, status: problem.status };
}
