import type { IncomingMessage } from 'node:http';
import { BODY_LIMIT } from './jsonBody.ts';
import { ProblemError } from '../problems.ts';

/** Chunks of a body. One of the largest size comes in far fewer, however small the packets of a network are. */
const CHUNKS_MAX = 4096;

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

const bodies = new WeakMap<IncomingMessage, Promise<Buffer>>();

/** Else Node would keep each chunk by itself, and a chunk of one byte takes hundreds. */
export function collectBody(request: IncomingMessage, onTooManyChunks: () => void): void {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let body = Buffer.alloc(0);
  let length = 0;
  let chunks = 0;
  const fail = (problem: ProblemError) => {
    request.off('data', add);
    body = Buffer.alloc(0);
    reject(problem);
  };

  function add(chunk: Buffer): void {
    const end = length + chunk.length;
    if (end > BODY_LIMIT) return fail(bodyTooLargeProblem(BODY_LIMIT));
    if (++chunks === CHUNKS_MAX) return onTooManyChunks();
    if (end > body.length) {
      const larger = Buffer.allocUnsafe(Math.min(BODY_LIMIT, Math.max(2 * body.length, end)));
      body.copy(larger, 0, 0, length);
      body = larger;
    }
    chunk.copy(body, length);
    length = end;
  }

  request.on('data', add);
  request.on('end', () => resolve(body.subarray(0, length)));
  request.on('error', () => fail(new ProblemError(400, "The body wasn't received completely.")));
  if (Number(request.headers['content-length']) > BODY_LIMIT) fail(bodyTooLargeProblem(BODY_LIMIT));
  // Prevents an unhandled rejection when no handler reads the body.
  promise.catch(() => {});
  bodies.set(request, promise);
}

export async function readBody(request: IncomingMessage, limit = BODY_LIMIT): Promise<Buffer> {
  const body = (await bodies.get(request)) ?? Buffer.alloc(0);
  if (body.length > limit) throw bodyTooLargeProblem(limit);
  return body;
}

function bodyTooLargeProblem(limit: number): ProblemError {
  return new ProblemError(413, `The body is larger than ${limit / 1024} KiB.`);
}
