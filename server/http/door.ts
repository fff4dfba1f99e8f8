import type { FastifyInstance, FastifyRequest } from 'fastify';
import { admit, isFromConsole, type Credentials } from './auth.ts';
import type { Config } from '../settings/config.ts';
import type { Access, Entrance } from './gate.ts';
import { type Limit, Refusal } from './problems.ts';
import { cookieName } from '../sessions/cookie.ts';

/** Failed authentications a minute for each address, whatever the settings say; more are answered with 429. */
const FAILURES_MAX = 60;

export type Door = {
  /** Lets a request in, within the limits of its token, or throws a `Refusal`. A valid token always passes. */
  admit: (request: FastifyRequest) => Promise<void>;
  /** Counts a request of `access`. Throws a `Refusal` when there are too many. */
  count: (request: FastifyRequest, access: Access) => Promise<void>;
  credentialsOf: (request: FastifyRequest) => Credentials;
  /** Counts a failed authentication against the caller's address. Throws a `Refusal` when there are too many. */
  countFailure: (request: FastifyRequest) => Promise<void>;
  /** Runs `work`; when it ends in a 401, that counts against the caller's address. */
  guard: <Result>(request: FastifyRequest, work: () => Promise<Result>) => Promise<Result>;
};

/** `app` must have the plugins for cookies and rate limits. */
export function createDoor(app: FastifyInstance, config: Config, gate: Entrance): Door {
  // Reads and writes have a count each: a flood of lists cannot keep an unsubscribe out.
  const requests = app.createRateLimit({
    max: config.rateLimit,
    keyGenerator: (request) => `${request.access?.token.uuid} ${request.method === 'POST' ? 'write' : 'read'}`,
  });
  const failures = app.createRateLimit({ max: FAILURES_MAX });
  const name = cookieName(config);

  async function limitTo(limiter: typeof requests, request: FastifyRequest, limit: Limit): Promise<void> {
    const state = await limiter(request);
    if (!state.isAllowed && state.isExceeded) {
      throw new Refusal(429, `Too many requests. Try again in ${state.ttlInSeconds} seconds.`, {
        headers: { 'retry-after': String(state.ttlInSeconds) },
        limit,
      });
    }
  }

  function credentialsOf(request: FastifyRequest): Credentials {
    return {
      authorization: request.headers.authorization,
      sessionSecret: request.cookies[name],
      fromConsole: isFromConsole(request.headers, config.publicUrl),
    };
  }

  const countFailure = (request: FastifyRequest) => limitTo(failures, request, 'authentications');

  async function count(request: FastifyRequest, access: Access): Promise<void> {
    request.access = access;
    if (config.rateLimit > 0) await limitTo(requests, request, 'requests');
  }

  async function guard<Result>(request: FastifyRequest, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) await countFailure(request);
      throw error;
    }
  }

  return {
    credentialsOf,
    count,
    countFailure,
    guard,
    async admit(request) {
      await count(request, await guard(request, () => admit(credentialsOf(request), gate)));
    },
  };
}
