import { STATUS_CODES } from 'node:http';
import type { FieldError } from '#contract/list.ts';
import { type Problem, PROBLEM_MEDIA_TYPE } from '#contract/problem.ts';
import {
  CommitUncertainError,
  DatabaseBusyError,
  DatabaseFullError,
  DatabaseGoneError,
  ReadTimeoutError,
} from '../database/databaseErrors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The limits of requests. Above one a request gets 429, or 503 where the whole process is overloaded. */
export const LIMITS = ['requests', 'authentications', 'checks', 'upstream', 'overload'] as const;
export type Limit = (typeof LIMITS)[number];

/** `detail` never repeats what the client sent: responses end up in logs and screenshots. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  /** A URI (RFC 9457); `about:blank` if the status is enough. */
  readonly type: string;
  readonly errors: FieldError[];
  readonly headers: Readonly<Record<string, string>>;
  readonly limit: Limit | null;

  constructor(
    status: number,
    detail: string,
    more: { type?: string; errors?: FieldError[]; headers?: Readonly<Record<string, string>>; limit?: Limit } = {},
  ) {
    super(detail);
    this.status = status;
    this.type = more.type ?? 'about:blank';
    this.errors = more.errors ?? [];
    this.headers = more.headers ?? {};
    this.limit = more.limit ?? null;
  }
}

/** More errors are not useful, and would let a small request cause a large response. */
export const FIELD_ERRORS_MAX = 20;

export function validationProblem(fieldErrors: FieldError[]): ProblemError {
  const errors = fieldErrors.slice(0, FIELD_ERRORS_MAX);
  return new ProblemError(422, errors.map((error) => error.message).join(' '), { errors });
}

export function formatProblem(error: ProblemError, requestId: string): string {
  const problem: Problem = {
    type: error.type,
    title: STATUS_CODES[error.status] ?? 'Error',
    status: error.status,
    detail: error.message,
    request_id: requestId,
    ...(error.errors.length > 0 && { errors: error.errors }),
  };
  return JSON.stringify(problem);
}

const TOO_LONG = 'The URL is too long.';

const WRONG_MEDIA_TYPE: [status: number, detail: string] = [415, 'Send the body as application/json.'];

const FRAMEWORK_ERRORS: Record<string, [status: number, detail: string]> = {
  FST_ERR_BAD_URL: [400, 'The path is malformed. Check its percent-encoding.'],
  FST_ERR_MAX_PARAM_LENGTH: [414, TOO_LONG],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'The body is larger than 256 KiB.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: WRONG_MEDIA_TYPE,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, "The body doesn't match its Content-Length."],
  HPE_HEADER_OVERFLOW: [431, 'The request headers are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request wasn't received in time."],
};

export const mediaTypeProblem = () => new ProblemError(...WRONG_MEDIA_TYPE);
/** The header is that of RFC 9110, 15.5.16. */
export const contentCodingProblem = () =>
  new ProblemError(415, 'Send the body without Content-Encoding.', {
    headers: { 'accept-encoding': 'identity' },
  });
export const urlTooLongProblem = () => new ProblemError(414, TOO_LONG);

const READING_METHODS = new Set(['GET', 'HEAD']);

export function toProblemError(error: unknown, method = 'GET'): ProblemError | null {
  if (error instanceof ProblemError) return error;
  if (error instanceof DatabaseBusyError || error instanceof DatabaseGoneError) {
    return new ProblemError(503, `${error.message} Nothing was changed; try again.`, {
      headers: { 'retry-after': '2' },
    });
  }
  if (error instanceof ReadTimeoutError) {
    // A write reads something first, such as the token.
    const detail = READING_METHODS.has(method)
      ? error.message
      : 'The database took too long. Nothing was changed; try again.';
    return new ProblemError(503, detail, { headers: { 'retry-after': '5' } });
  }
  if (error instanceof CommitUncertainError)
    return new ProblemError(503, error.message, { headers: { 'retry-after': '2' } });
  if (error instanceof DatabaseFullError) {
    // Retrying is useless until an operator frees disk space, hence the long Retry-After.
    return new ProblemError(503, `${error.message} Nothing was changed.`, { headers: { 'retry-after': '60' } });
  }
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  const frameworkError = typeof code === 'string' ? FRAMEWORK_ERRORS[code] : undefined;
  if (frameworkError !== undefined) return new ProblemError(...frameworkError);
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new ProblemError(statusCode, 'The request is invalid.');
  }
  return null;
}

const internalProblem = () => new ProblemError(500, 'Internal server error. See the log for this request ID.');

export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = toProblemError(error, request.method) ?? internalProblem();
  request.exceededLimit = problem.limit;
  if (problem.status >= 500 && error !== problem)
    request.log.error({ request_id: request.id, err: error }, 'request failed');
  reply
    .code(problem.status)
    .headers({ ...problem.headers, 'x-request-id': request.id, 'content-type': PROBLEM_MEDIA_TYPE })
    .send(formatProblem(problem, request.id));
}
