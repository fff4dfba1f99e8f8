import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  authenticateRequest,
  idOf,
  isFromConsole,
  wantedWorkspace,
  type RequestCredentials,
  type Principal,
  type RequestAuthenticator,
} from './auth.ts';
import type { Config } from '../../settings/config.ts';
import { type Limit, ProblemError } from '../problems.ts';
import { cookieName } from './sessionCookie.ts';

/** Failed authentications a minute for each address, regardless of settings; more get 429. */
const FAILED_AUTHENTICATIONS_MAX = 60;

/** The limit of a workspace, as a multiple of a token's. */
const TOKENS_AT_FULL_RATE = 10;

export type RequestAuthentication = {
  /** Also counts it. Throws a `ProblemError`. Failures of the same address never block a valid token. */
  authenticate: (request: FastifyRequest) => Promise<void>;
  authenticateAgain: (request: FastifyRequest) => Promise<void>;
  countRequest: (request: FastifyRequest, principal: Principal) => Promise<void>;
  readCredentials: (request: FastifyRequest) => RequestCredentials;
  countFailedAuthentication: (request: FastifyRequest) => Promise<void>;
  /** Runs `work`. A 401 of it counts as a failed authentication of the client's address. */
  countUnauthorized: <Result>(request: FastifyRequest, work: () => Promise<Result>) => Promise<Result>;
};

export function createRequestAuthentication(
  app: FastifyInstance,
  config: Config,
  authenticator: RequestAuthenticator,
): RequestAuthentication {
  const { requests, ofWorkspace, failures } = createLimits(app, config);
  const name = cookieName(config);

  function readCredentials(request: FastifyRequest): RequestCredentials {
    return {
      authorization: request.headers.authorization,
      sessionSecret: request.cookies[name],
      workspace: wantedWorkspace(request.headers),
      fromConsole: isFromConsole(request.headers, config.publicUrl),
    };
  }

  const countFailedAuthentication = (request: FastifyRequest) => enforce(failures, request, 'authentications');

  async function countRequest(request: FastifyRequest, principal: Principal): Promise<void> {
    request.principal = principal;
    if (config.rateLimit === 0) return;
    await enforce(requests, request, 'requests');
    if (principal.workspace !== undefined) await enforce(ofWorkspace, request, 'requests');
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
    readCredentials,
    countRequest,
    countFailedAuthentication,
    countUnauthorized,
    async authenticate(request) {
      await countRequest(
        request,
        await countUnauthorized(request, () => authenticateRequest(readCredentials(request), authenticator)),
      );
    },
    async authenticateAgain(request) {
      request.principal = await authenticateRequest(readCredentials(request), authenticator);
    },
  };
}

function createLimits(app: FastifyInstance, config: Config) {
  // Reads and writes are counted apart, so that many reads do not block an unsubscribe.
  const requests = app.createRateLimit({
    max: config.rateLimit,
    keyGenerator: ({ principal, routeOptions }) =>
      `${principal && idOf(principal)} ${routeOptions.config.kind ?? 'write'}`,
  });
  // A workspace may create any number of tokens.
  const ofWorkspace = app.createRateLimit({
    max: config.rateLimit * TOKENS_AT_FULL_RATE,
    keyGenerator: ({ principal, routeOptions }) =>
      `workspace ${principal?.workspace?.uuid} ${routeOptions.config.kind ?? 'write'}`,
  });
  return { requests, ofWorkspace, failures: app.createRateLimit({ max: FAILED_AUTHENTICATIONS_MAX }) };
}

type RateLimiter = ReturnType<typeof createLimits>['requests'];

/** Throws a 429 above the limit. */
export async function enforce(limiter: RateLimiter, request: FastifyRequest, limit: Limit): Promise<void> {
  const state = await limiter(request);
  if (state.isAllowed || !state.isExceeded) return;
  throw new ProblemError(429, `Too many requests. Try again in ${state.ttlInSeconds} seconds.`, {
    headers: { 'retry-after': String(state.ttlInSeconds) },
    limit,
  });
}
