import type { FastifyInstance } from 'fastify';
import { getSession, signIn as signInEndpoint, signOut } from '#contract/session.ts';
import { notFromConsole, sessionOf } from '../auth.ts';
import { publicPath, type Config } from '../config.ts';
import type { Door } from '../door.ts';
import type { Access, Gate } from '../gate.ts';
import { checkBody } from '../jsonBody.ts';
import { sendJson } from '../serve.ts';
import { cookieName, cookieOptions } from './cookie.ts';

/** Registers the three calls with which the console signs in, asks who it is, and signs out. */
export function serveSessions<Session extends Access>(
  app: FastifyInstance,
  config: Config,
  gate: Gate<Session>,
  door: Door,
): void {
  const name = cookieName(config);
  const options = cookieOptions(config);

  app.route({
    method: signInEndpoint.method,
    url: signInEndpoint.path,
    onRequest: async (request) => {
      if (!door.credentialsOf(request).fromConsole) throw notFromConsole();
    },
    handler: async (request, reply) => {
      const credentials = checkBody(signInEndpoint.body, request.body);
      const { secret, session } = await door.guard(request, () =>
        gate.signIn({
          credentials,
          earlier: request.cookies[name],
          requestId: request.id,
          address: request.ip,
          admit: (access) => door.count(request, access),
        }),
      );
      reply.setCookie(name, secret, options);
      return sendJson(reply, gate.describe(session));
    },
  });

  app.route({
    method: getSession.method,
    url: getSession.path,
    handler: async (request, reply) => {
      const session = await sessionOf(door.credentialsOf(request), gate);
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
