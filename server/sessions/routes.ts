import type { FastifyInstance } from 'fastify';
import { getSession, signIn as signInEndpoint, signOut } from '#contract/session.ts';
import { notFromConsole, sessionOf } from '../auth.ts';
import type { Config } from '../config.ts';
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
      const { secret, session } = await door.guard(request, () => gate.signIn(credentials, request.id));
      const earlier = request.cookies[name];
      if (earlier !== undefined) await gate.endSession(earlier);
      request.access = session;
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
      if (sessionSecret !== undefined) await gate.endSession(sessionSecret);
      reply.clearCookie(name, options).header('clear-site-data', '"cache", "storage"');
      return reply.code(204).send();
    },
  });
}
