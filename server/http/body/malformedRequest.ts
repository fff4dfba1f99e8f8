import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEM_MEDIA_TYPE } from '#contract/problem.ts';
import { formatProblem, ProblemError, toProblemError } from '../problems.ts';

/** Gives what to log, or null when the client has disconnected. */
export function answerMalformedRequest(
  error: Error,
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): { request_id: string; status: number } | null {
  if (!socket.writable || (error as { code?: unknown }).code === 'ECONNRESET') {
    socket.destroy();
    return null;
  }
  const problem = toProblemError(error) ?? new ProblemError(400, 'The HTTP request is malformed.');
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

/** `uri-host [":" port]` of RFC 9110, 7.2. Two headers, joined with a comma and a space, do not match. */
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** Null unless a proxy could take the message for another request (RFC 9112, 3.2 and 6.1). */
export function findMessageProblem({ httpVersion, headers, url = '' }: IncomingMessage): ProblemError | null {
  const { host, 'transfer-encoding': encoding } = headers;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return new ProblemError(400, 'This service supports HTTP/1.1.');
  if (host === undefined && httpVersion === '1.1') return new ProblemError(400, 'The header Host is missing.');
  if (host !== undefined && !HOST.test(host)) return new ProblemError(400, 'The header Host must name one host.');
  if (httpVersion === '1.0' && encoding !== undefined)
    return new ProblemError(400, "HTTP/1.0 requests can't have a Transfer-Encoding.");
  // Node serves the request before it finds that it cannot tell where its body ends.
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked')
    return new ProblemError(400, 'The only supported Transfer-Encoding is chunked.');
  if (/^https?:\/\/[^/?]*@/i.test(url)) return new ProblemError(400, "The URL can't contain a user name.");
  return null;
}
