import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authenticateRequest, isFromConsole, type RequestCredentials } from './auth.ts';
import type { Config } from '../settings/config.ts';
import type { Principal, RequestAuthenticator } from './authenticator.ts';
import { type Limit, ProblemError } from './problems.ts';
import { cookieName } from './sessionCookie.ts';

/** Failed authentications a minute for each address, whatever the settings say; more are answered with 429. */
const FAILED_AUTHENTICATIONS_MAX = 60;

export type RequestAuthentication = {
  /** Lets a request in, within the limits of its token, or throws a `ProblemError`. A valid token always passes. */
  authenticate: (request: FastifyRequest) => Promise<void>;
  /** Counts a request of `access`. Throws a `ProblemError` when there are too many. */
  countRequest: (request: FastifyRequest, access: Principal) => Promise<void>;
  readCredentials: (request: FastifyRequest) => RequestCredentials;
  /** Counts a failed authentication against the caller's address. Throws a `ProblemError` when there are too many. */
  countFailedAuthentication: (request: FastifyRequest) => Promise<void>;
  /** Runs `work`; when it ends in a 401, that counts against the caller's address. */
  countUnauthorized: <Result>(request: FastifyRequest, work: () => Promise<Result>) => Promise<Result>;
};

/** `app` must have the plugins for cookies and rate limits. */
export function createRequestAuthentication(
  app: FastifyInstance,
  config: Config,
  authenticator: RequestAuthenticator,
): RequestAuthentication {
  // Reads and writes have a count each: a flood of lists cannot keep an unsubscribe out.
  const requests = app.createRateLimit({
    max: config.rateLimit,
    keyGenerator: (request) => `${request.principal?.token.uuid} ${request.method === 'POST' ? 'write' : 'read'}`,
  });
  const failures = app.createRateLimit({ max: FAILED_AUTHENTICATIONS_MAX });
  const name = cookieName(config);

  async function enforceRateLimit(limiter: typeof requests, request: FastifyRequest, limit: Limit): Promise<void> {
    const state = await limiter(request);
    if (!state.isAllowed && state.isExceeded) {
      throw new ProblemError(429, `Too many requests. Try again in ${state.ttlInSeconds} seconds.`, {
        headers: { 'retry-after': String(state.ttlInSeconds) },
        limit,
      });
    }
  }

  function readCredentials(request: FastifyRequest): RequestCredentials {
    return {
      authorization: request.headers.authorization,
      sessionSecret: request.cookies[name],
      fromConsole: isFromConsole(request.headers, config.publicUrl),
    };
  }

  const countFailedAuthentication = (request: FastifyRequest) => enforceRateLimit(failures, request, 'authentications');

  async function countRequest(request: FastifyRequest, access: Principal): Promise<void> {
    request.principal = access;
    if (config.rateLimit > 0) await enforceRateLimit(requests, request, 'requests');
  }

  async function countUnauthorized<Result>(request: FastifyRequest, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProblemError && error.status === 401) await countFailedAuthentication(request);
      throw error;
    }
  }

  return {
    readCredentials: readCredentials,
    countRequest: countRequest,
    countFailedAuthentication: countFailedAuthentication,
    countUnauthorized: countUnauthorized,
    async authenticate(request) {
      await countRequest(
        request,
        await countUnauthorized(request, () => authenticateRequest(readCredentials(request), authenticator)),
      );
    },
  };
}
