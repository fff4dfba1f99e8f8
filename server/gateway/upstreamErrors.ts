import { GATEWAY_PROBLEM } from '#contract/problem.ts';
import { ProblemError } from '../http/problems.ts';

/** Why there is no response to pass on: the status, and a sentence for the client. */
export const UPSTREAM_ERRORS = {
  unreachable: [502, "The gateway can't reach the service behind it."],
  timeout: [504, "The service behind the gateway didn't respond in time."],
  tls: [502, "The gateway doesn't trust the TLS certificate of the service behind it."],
  broken: [502, 'The connection to the service behind the gateway broke before its response.'],
  redirect: [502, "The service behind the gateway redirected the request. The gateway doesn't follow redirects."],
  unreadable: [502, "The response from behind the gateway isn't valid. It may come from a proxy or another service."],
  'too-large': [502, 'The response of the service behind the gateway is too large.'],
  failed: [502, 'The service behind the gateway failed.'],
  loop: [508, "The gateway's UPSTREAM_URL leads back to itself."],
} as const satisfies Record<string, readonly [number, string]>;

export type UpstreamErrorCode = keyof typeof UPSTREAM_ERRORS;

/** Errors before the request is sent. */
const UNSENT: ReadonlySet<UpstreamErrorCode> = new Set<UpstreamErrorCode>(['unreachable', 'tls', 'loop']);

export function gatewayProblem(errorCode: UpstreamErrorCode, isWrite = false): ProblemError {
  const [status, sentence] = UPSTREAM_ERRORS[errorCode];
  const detail = isWrite && !UNSENT.has(errorCode) ? `${sentence} It may or may not have taken effect.` : sentence;
  return new ProblemError(status, detail, { type: GATEWAY_PROBLEM + errorCode });
}

const UNREACHABLE = /^(ENOTFOUND|EAI_\w+|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES)$/;
const BROKEN = /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET)$/;
const TIMEOUT = /^(ETIMEDOUT|UND_ERR_\w+_TIMEOUT)$/;
/** Error codes of Node for certificates and TLS handshakes. */
const TLS =
  /CERT|SIGNATURE|SELF_SIGNED|^(ERR_TLS|ERR_SSL)_|^(UNABLE_TO|INVALID_CA|PATH_LENGTH|HOSTNAME_MISMATCH|EPROTO)/;

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
