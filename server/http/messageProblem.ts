import type { IncomingMessage } from 'node:http';
import { ProblemError } from './problems.ts';

/**
 * `uri-host [":" port]` of RFC 9110, 7.2: a name, or an IPv6 address in brackets. Two headers are joined with a comma
 * and a space, which do not match.
 */
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/**
 * The problem of a message that Node accepts, but that a proxy could take for a different request (RFC 9112, 3.2 and
 * 6.1); null for none.
 */
export function findMessageProblem({ httpVersion, headers }: IncomingMessage): ProblemError | null {
  const { host } = headers;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return new ProblemError(400, 'This service speaks HTTP/1.1.');
  if (host === undefined && httpVersion === '1.1') return new ProblemError(400, 'The header Host is missing.');
  if (host !== undefined && !HOST.test(host)) return new ProblemError(400, 'The header Host does not name one host.');
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined)
    return new ProblemError(400, 'A request of HTTP/1.0 has no Transfer-Encoding.');
  return null;
}
