import type { IncomingMessage } from 'node:http';
import { BODY_LIMIT } from './jsonBody.ts';
import { ProblemError } from './problems.ts';

/** A body of the largest size has far fewer, however small the packets of a network are. */
const PIECES_MAX = 4096;

const bodies = new WeakMap<IncomingMessage, Promise<Buffer>>();

/**
 * Takes the body of `request` as it comes, whatever becomes of the request: while it waits, Node would keep each piece by
 * itself, and a piece of one byte takes hundreds. `onTooManyChunks` hears of a body that comes in too many of them.
 */
export function collectBody(request: IncomingMessage, onTooManyChunks: () => void): void {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let body = Buffer.alloc(0);
  let length = 0;
  let pieces = 0;
  const refuse = (refusal: ProblemError) => {
    // What still comes is thrown away.
    request.off('data', add);
    body = Buffer.alloc(0);
    reject(refusal);
  };

  function add(piece: Buffer): void {
    const end = length + piece.length;
    if (end > BODY_LIMIT) return refuse(bodyTooLargeProblem(BODY_LIMIT));
    if (++pieces === PIECES_MAX) return onTooManyChunks();
    if (end > body.length) {
      const larger = Buffer.allocUnsafe(Math.min(BODY_LIMIT, Math.max(2 * body.length, end)));
      body.copy(larger, 0, 0, length);
      body = larger;
    }
    piece.copy(body, length);
    length = end;
  }

  request.on('data', add);
  request.on('end', () => resolve(body.subarray(0, length)));
  request.on('error', () => refuse(new ProblemError(400, 'The body did not arrive completely.')));
  if (Number(request.headers['content-length']) > BODY_LIMIT) refuse(bodyTooLargeProblem(BODY_LIMIT));
  // Nobody may ever ask for it.
  promise.catch(() => {});
  bodies.set(request, promise);
}

/** The body of `request`. Throws a `ProblemError` for one that is larger than `limit`. */
export async function readBody(request: IncomingMessage, limit = BODY_LIMIT): Promise<Buffer> {
  const body = (await bodies.get(request)) ?? Buffer.alloc(0);
  if (body.length > limit) throw bodyTooLargeProblem(limit);
  return body;
}

function bodyTooLargeProblem(limit: number): ProblemError {
  return new ProblemError(413, `The body is larger than ${limit / 1024} KiB.`);
}
