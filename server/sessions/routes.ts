import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import { getSession, readWorkspaceOfPath, signIn, type SignInWays, signOut } from '#contract/session.ts';
import {
  notFromConsoleProblem,
  requireSession,
  type Principal,
  type Authenticator,
} from '../http/authentication/auth.ts';
import { publicPath, type Config } from '../settings/config.ts';
import type { RequestAuthentication } from '../http/authentication/requestAuthentication.ts';
import { validateBody } from '../http/body/jsonBody.ts';
import { ProblemError, toProblemError } from '../http/problems.ts';
import { withTimeout } from '../http/withTimeout.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ReadPageSession } from '../http/files/staticFiles.ts';
import { requestPath, sendJson } from '../http/serve.ts';
import { cookieName, cookieOptions } from '../http/authentication/sessionCookie.ts';
import { SESSION_LIFETIME_MS } from './sessionLimits.ts';

/** Largest body of a sign-in in bytes: a token has at most 4,096 characters. */
const SIGN_IN_LIMIT = 8 * 1024;
/** What counts as guessing: no sign-in, or no session from it. The console with a valid token causes none. */
const FAILED_SIGN_IN_STATUSES = new Set([400, 401, 413, 415, 422]);

type SessionDependencies<Session extends Principal> = {
  config: Config;
  /** Called when a session is opened. */
  countOpened: () => void;
  authenticator: Authenticator<Session>;
  authentication: RequestAuthentication;
  signInWays: () => SignInWays;
};

/** Where people can sign in with an access token alone. */
export const TOKEN_ALONE: SignInWays = { token: true, account: null, account_sign_out: null };

export function countOpenedSessions(metrics: Metrics | null): () => void {
  const opened =
    metrics &&
    new Counter({
      name: 'sendroom_sessions_opened_total',
      help: 'Console sessions opened by this process.',
      registers: [metrics],
    });
  return () => opened?.inc();
}

/** Gives the function that reads the session for the page of the console. */
export function registerSessionRoutes<Session extends Principal>(
  app: FastifyInstance,
  dependencies: SessionDependencies<Session>,
): ReadPageSession {
  registerSignIn(app, dependencies);
  registerGetSession(app, dependencies);
  registerSignOut(app, dependencies);
  return readPageSession(dependencies);
}

/** Milliseconds that the page waits for its session. */
const PAGE_TIMEOUT_MS = 300;

/** Null where the console has to ask: the provider is due, the database is slow, or the address has guessed too often. */
function readPageSession<Session extends Principal>({
  authenticator,
  authentication,
  signInWays,
}: SessionDependencies<Session>): ReadPageSession {
  return async (request, secret) => {
    try {
      const workspace = readWorkspaceOfPath(requestPath(request));
      const reading = authenticator.findSessionAtHand(secret, workspace);
      const session = await withTimeout(reading, PAGE_TIMEOUT_MS, sessionPendingProblem);
      if (session === null) {
        await authentication.countFailedAuthentication(request);
        return { data: null, sign_in: signInWays() };
      }
      request.principal = session;
      return { ...authenticator.toSessionResult(session), sign_in: signInWays() };
    } catch (error) {
      // The page is for everybody, and its console asks then. The answer to that says what is wrong.
      if (toProblemError(error) === null) throw error;
      return null;
    }
  };
}

const sessionPendingProblem = () => new ProblemError(503, 'The session was not read in time.');

function registerSignIn<Session extends Principal>(
  app: FastifyInstance,
  { config, countOpened, authenticator, authentication }: SessionDependencies<Session>,
): void {
  const name = cookieName(config);
  const options = cookieOptions(config, SESSION_LIFETIME_MS);

  /** Throws `error`, or a 429 where there were too many failures. */
  async function countAndRethrow(error: unknown, request: FastifyRequest): Promise<never> {
    const problem = toProblemError(error);
    if (problem !== null && FAILED_SIGN_IN_STATUSES.has(problem.status))
      await authentication.countFailedAuthentication(request);
    throw error;
  }

  app.route({
    method: signIn.method,
    url: signIn.path,
    bodyLimit: SIGN_IN_LIMIT,
    onRequest: async (request) => {
      if (!authentication.readCredentials(request).fromConsole) throw notFromConsoleProblem();
    },
    handler: async (request, reply) => {
      const { secret, session } = await authenticator.signIn({
        credentials: validateBody(signIn.body, request.body),
        previousSecret: request.cookies[name],
        requestId: request.id,
        clientAddress: request.ip,
        authorize: (principal) => authentication.countRequest(request, principal),
      });
      countOpened();
      reply.setCookie(name, secret, options);
      return sendJson(reply, authenticator.toSessionResult(session));
    },
    // Errors of a body occur before the handler. Fastify awaits the promise, although its types do not say so.
    errorHandler: (error, request): unknown => countAndRethrow(error, request),
  });
}

function registerGetSession<Session extends Principal>(
  app: FastifyInstance,
  { authenticator, authentication, signInWays }: SessionDependencies<Session>,
): void {
  app.route({
    method: getSession.method,
    url: getSession.path,
    handler: async (request, reply) => {
      const credentials = authentication.readCredentials(request);
      // As a page that is opened for the first time.
      if (credentials.sessionSecret === undefined) return sendJson(reply, { data: null, sign_in: signInWays() });
      const session = await authentication.countUnauthorized(request, () => requireSession(credentials, authenticator));
      request.principal = session;
      return sendJson(reply, { ...authenticator.toSessionResult(session), sign_in: signInWays() });
    },
  });
}

function registerSignOut<Session extends Principal>(
  app: FastifyInstance,
  { config, authenticator, authentication }: SessionDependencies<Session>,
): void {
  const name = cookieName(config);
  const options = cookieOptions(config, SESSION_LIFETIME_MS);
  app.route({
    method: signOut.method,
    url: signOut.path,
    handler: async (request, reply) => {
      const { sessionSecret, fromConsole } = authentication.readCredentials(request);
      if (!fromConsole) throw notFromConsoleProblem();
      // First, so that the browser drops the cookie even if the session cannot be ended.
      reply.clearCookie(name, options);
      // Under a path this would also clear the data of other applications on the host. The console deletes its own data.
      if (publicPath(config) === '') reply.header('clear-site-data', '"cache", "storage"');
      if (sessionSecret !== undefined) await authenticator.endSession(sessionSecret, request.id);
      return reply.code(204).send();
    },
  });
}
