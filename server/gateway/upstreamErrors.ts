import { GATEWAY_PROBLEM } from '#contract/problem.ts';
import { ProblemError } from '../http/problems.ts';

/** Why there is no response to pass on: the status, and a sentence for the client. */
export const UPSTREAM_ERRORS = {
  unreachable: [502, 'The gateway cannot reach the service behind it.'],
  timeout: [504, 'The service behind the gateway did not answer in time.'],
  tls: [502, 'The gateway does not trust the TLS certificate of the service behind it.'],
  broken: [502, 'The connection to the service behind the gateway broke before its answer.'],
  redirect: [
    502,
    'The service behind the gateway sent the call on to another address, and the gateway does not follow.',
  ],
  unreadable: [502, 'What is behind the gateway did not answer with data: it may be a proxy, or another service.'],
  'too-large': [502, 'The answer of the service behind the gateway is too large.'],
  failed: [502, 'The service behind the gateway failed at this.'],
  loop: [508, 'The gateway leads back to itself: its setting UPSTREAM_URL is wrong.'],
} as const satisfies Record<string, readonly [number, string]>;

export type UpstreamErrorCode = keyof typeof UPSTREAM_ERRORS;

/** Errors before the request is sent. */
const UNSENT: ReadonlySet<UpstreamErrorCode> = new Set<UpstreamErrorCode>(['unreachable', 'tls', 'loop']);

/** The problem document of an error of the gateway. `isWrite`: the request may have changed something. */
export function gatewayProblem(errorCode: UpstreamErrorCode, isWrite = false): ProblemError {
  const [status, sentence] = UPSTREAM_ERRORS[errorCode];
  const detail =
    isWrite && !UNSENT.has(errorCode) ? `${sentence} Whether it did what was asked is not known.` : sentence;
  return new ProblemError(status, detail, { type: GATEWAY_PROBLEM + errorCode });
}

const UNREACHABLE = /^(ENOTFOUND|EAI_\w+|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES)$/;
const BROKEN = /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET)$/;
const TIMEOUT = /^(ETIMEDOUT|UND_ERR_\w+_TIMEOUT)$/;
/** Error codes of Node for certificates and TLS handshakes. */
const TLS =
  /CERT|SIGNATURE|SELF_SIGNED|^(ERR_TLS|ERR_SSL)_|^(UNABLE_TO|INVALID_CA|PATH_LENGTH|HOSTNAME_MISMATCH|EPROTO)/;

/** Classifies an error of `fetch`. `code` is for the log. */
export function classifyFetchError(error: unknown): { fault: UpstreamErrorCode; code: string } {
  if ((error as Error).name === 'TimeoutError') return { fault: 'timeout', code: 'TIMEOUT' };
  const code = findRootCode(error);
  if (UNREACHABLE.test(code)) return { fault: 'unreachable', code };
  if (TIMEOUT.test(code)) return { fault: 'timeout', code };
  if (TLS.test(code)) return { fault: 'tls', code };
  return { fault: BROKEN.test(code) ? 'broken' : 'unreadable', code };
}

/** The code of the innermost cause. `fetch` wraps the errors of the socket, one for each address that it tried. */
function findRootCode(error: unknown): string {
  const { code = 'UNKNOWN', cause, errors } = error as { code?: string; cause?: unknown; errors?: unknown[] };
  const inner = cause ?? errors?.[0];
  return inner === undefined ? code : findRootCode(inner);
}
