import type { FastifyInstance, FastifyRequest } from 'fastify';
import { getSession, signIn as signInEndpoint, signOut } from '#contract/session.ts';
import { notFromConsoleProblem, requireSession } from '../http/auth.ts';
import { publicPath, type Config } from '../settings/config.ts';
import type { RequestAuthentication } from '../http/requestAuthentication.ts';
import type { Principal, Authenticator } from '../http/authenticator.ts';
import { validateBody } from '../http/jsonBody.ts';
import { toProblemError } from '../http/problems.ts';
import { sendJson } from '../http/serve.ts';
import { cookieName, cookieOptions } from '../http/sessionCookie.ts';

/** Largest body of a sign-in in bytes: a token has at most 4,096 characters. */
const SIGN_IN_LIMIT = 8 * 1024;
/** What a sign-in is refused with that nobody sends who has a token: a body that is none, or that opens nothing. */
const FAILED_SIGN_IN_STATUSES = new Set([400, 401, 413, 415, 422]);

/** Registers the three calls with which the console signs in, asks who it is, and signs out. */
export function registerSessionRoutes<Session extends Principal>(
  app: FastifyInstance,
  config: Config,
  authenticator: Authenticator<Session>,
  authentication: RequestAuthentication,
): void {
  const name = cookieName(config);
  const options = cookieOptions(config);

  /** Throws `error`, with which a sign-in failed, unless there were too many. */
  async function countAndRethrow(error: unknown, request: FastifyRequest): Promise<never> {
    if (FAILED_SIGN_IN_STATUSES.has(toProblemError(error)?.status ?? 0))
      await authentication.countFailedAuthentication(request);
    throw error;
  }

  app.route({
    method: signInEndpoint.method,
    url: signInEndpoint.path,
    bodyLimit: SIGN_IN_LIMIT,
    onRequest: async (request) => {
      if (!authentication.readCredentials(request).fromConsole) throw notFromConsoleProblem();
    },
    handler: async (request, reply) => {
      const { secret, session } = await authenticator.signIn({
        credentials: validateBody(signInEndpoint.body, request.body),
        previousSecret: request.cookies[name],
        requestId: request.id,
        clientAddress: request.ip,
        authorize: (access) => authentication.countRequest(request, access),
      });
      reply.setCookie(name, secret, options);
      return sendJson(reply, authenticator.toSessionResult(session));
    },
    // Most of what is wrong with a body is found before the handler is called. Fastify waits for the promise, which its types do not say.
    errorHandler: (error, request): unknown => countAndRethrow(error, request),
  });

  app.route({
    method: getSession.method,
    url: getSession.path,
    handler: async (request, reply) => {
      const credentials = authentication.readCredentials(request);
      const find = () => requireSession(credentials, authenticator);
      // A page that is opened for the first time asks without a cookie.
      const session = await (credentials.sessionSecret === undefined
        ? find()
        : authentication.countUnauthorized(request, find));
      request.principal = session;
      return sendJson(reply, authenticator.toSessionResult(session));
    },
  });

  app.route({
    method: signOut.method,
    url: signOut.path,
    handler: async (request, reply) => {
      const { sessionSecret, fromConsole } = authentication.readCredentials(request);
      if (!fromConsole) throw notFromConsoleProblem();
      // This browser forgets it in any case.
      reply.clearCookie(name, options);
      // Under a path it would take what other applications of the host keep; the console deletes its own.
      if (publicPath(config) === '') reply.header('clear-site-data', '"cache", "storage"');
      if (sessionSecret !== undefined) await authenticator.endSession(sessionSecret);
      return reply.code(204).send();
    },
  });
}
