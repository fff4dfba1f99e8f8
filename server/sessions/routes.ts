import type { FastifyInstance, FastifyRequest } from 'fastify';
import { getSession, signIn as signInEndpoint, signOut } from '#contract/session.ts';
import { notFromConsole, sessionOf } from '../http/auth.ts';
import { publicPath, type Config } from '../settings/config.ts';
import type { Door } from '../http/door.ts';
import type { Access, Gate } from '../http/gate.ts';
import { checkBody } from '../http/jsonBody.ts';
import { refusalOf } from '../http/problems.ts';
import { sendJson } from '../http/serve.ts';
import { cookieName, cookieOptions } from './cookie.ts';

/** Largest body of a sign-in in bytes: a token has at most 4,096 characters. */
const SIGN_IN_LIMIT = 8 * 1024;
/** What a sign-in is refused with that nobody sends who has a token: a body that is none, or that opens nothing. */
const FAILURES = new Set([400, 401, 413, 415, 422]);

/** Registers the three calls with which the console signs in, asks who it is, and signs out. */
export function serveSessions<Session extends Access>(
  app: FastifyInstance,
  config: Config,
  gate: Gate<Session>,
  door: Door,
): void {
  const name = cookieName(config);
  const options = cookieOptions(config);

  /** Throws `error`, with which a sign-in failed, unless there were too many. */
  async function refuse(error: unknown, request: FastifyRequest): Promise<never> {
    if (FAILURES.has(refusalOf(error)?.status ?? 0)) await door.countFailure(request);
    throw error;
  }

  app.route({
    method: signInEndpoint.method,
    url: signInEndpoint.path,
    bodyLimit: SIGN_IN_LIMIT,
    onRequest: async (request) => {
      if (!door.credentialsOf(request).fromConsole) throw notFromConsole();
    },
    handler: async (request, reply) => {
      const { secret, session } = await gate.signIn({
        credentials: checkBody(signInEndpoint.body, request.body),
        earlier: request.cookies[name],
        requestId: request.id,
        address: request.ip,
        admit: (access) => door.count(request, access),
      });
      reply.setCookie(name, secret, options);
      return sendJson(reply, gate.describe(session));
    },
    // Most of what is wrong with a body is found before the handler is called. Fastify waits for the promise, which its types do not say.
    errorHandler: (error, request): unknown => refuse(error, request),
  });

  app.route({
    method: getSession.method,
    url: getSession.path,
    handler: async (request, reply) => {
      const credentials = door.credentialsOf(request);
      const find = () => sessionOf(credentials, gate);
      // A page that is opened for the first time asks without a cookie.
      const session = await (credentials.sessionSecret === undefined ? find() : door.guard(request, find));
      request.access = session;
      return sendJson(reply, gate.describe(session));
    },
  });

  app.route({
    method: signOut.method,
    url: signOut.path,
    handler: async (request, reply) => {
      const { sessionSecret, fromConsole } = door.credentialsOf(request);
      if (!fromConsole) throw notFromConsole();
      // This browser forgets it in any case.
      reply.clearCookie(name, options);
      // Under a path it would take what other applications of the host keep; the console deletes its own.
      if (publicPath(config) === '') reply.header('clear-site-data', '"cache", "storage"');
      if (sessionSecret !== undefined) await gate.endSession(sessionSecret);
      return reply.code(204).send();
    },
  });
}
