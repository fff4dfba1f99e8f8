import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import type * as z from 'zod/mini';
import { NDJSON_MEDIA_TYPE, findPathSegmentError, type Endpoint } from '#contract/endpoint.ts';
import { parseListQuery, type CheckedListQuery, type ListParameters } from '#contract/list.ts';
import type { RequestAuthentication } from './requestAuthentication.ts';
import type { OperationKind } from './limits/concurrencyLimiter.ts';
import { validateBody } from './jsonBody.ts';
import { validationProblem, type Limit, ProblemError } from './problems.ts';
import { JsonText, type Route } from './route.ts';
import type { WorkspacePrincipal } from '../database/workspace.ts';
import type { Principal } from './auth.ts';

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended from outside
  interface FastifyRequest {
    /** Who the request is from, once it is authenticated. */
    principal: Principal | null;
    /** The limit that the request exceeded; null for none. */
    exceededLimit: Limit | null;
  }
}

/** Registers a route. Requests are authenticated before their body is read, and then validated against the endpoint. */
export function registerRoute(
  app: FastifyInstance,
  { endpoint, handler }: Route,
  authentication: RequestAuthentication,
): void {
  const kind = operationKindOf(endpoint);
  app.route({
    method: endpoint.method,
    url: toRouteUrl(endpoint),
    onRequest: (request) => {
      app.overloadControl.rejectIfOverloaded(kind, request.headers);
      return authentication.authenticate(request);
    },
    handler: async (request, reply) => {
      const { workspace, token } = request.principal as WorkspacePrincipal;
      const call = {
        workspace,
        caller: { token, requestId: request.id },
        params: requireOwnWorkspace(workspace.uuid, parsePathParams(request)),
        ...(endpoint.isStream && { signal: createDisconnectSignal(reply) }),
        query: parseQuery(request.query as RawQuery, endpoint),
        body: endpoint.body && validateBody(endpoint.body, request.body),
      };
      // Streams take long, and have limits of their own.
      if (endpoint.isStream) return sendNdjson(reply, (await handler(call)) as AsyncIterable<unknown>);
      return sendJson(reply, await app.overloadControl.run(token.uuid, kind, reply.raw, () => handler(call)));
    },
  });
}

/** A DNS check is a POST, but counts as a read, because it changes nothing that the client sent. */
export function operationKindOf({ method, isStream }: Endpoint): OperationKind {
  return method === 'GET' || isStream ? 'read' : 'write';
}

/** The path of an endpoint in the syntax of Fastify. */
export function toRouteUrl(endpoint: Endpoint): string {
  return endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Sends `result` as JSON. */
export function sendJson(reply: FastifyReply, result: unknown): FastifyReply {
  // With the charset: otherwise Fastify would parse the type of every response to add it.
  reply.header('content-type', 'application/json; charset=utf-8');
  return reply.send(result instanceof JsonText ? result.text : JSON.stringify(result));
}

/** Aborts when the response has ended in any way. The signal of the request would abort when the request has been read. */
export function createDisconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (raw.destroyed) controller.abort();
  else raw.once('close', () => controller.abort());
  return controller.signal;
}

/** Each line as soon as it is there. An error breaks the connection, so that a client sees it. */
export function sendNdjson(reply: FastifyReply, lines: AsyncIterable<unknown>): FastifyReply {
  // Keeps proxies such as nginx from buffering the response until its last line.
  reply.headers({ 'content-type': NDJSON_MEDIA_TYPE, 'x-accel-buffering': 'no' });
  return reply.send(Readable.from(formatNdjson(lines), { objectMode: false }));
}

async function* formatNdjson(lines: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}

/** The parameters in the path, unescaped. Throws a `ProblemError` (400) for values that no path of ours can have. */
export function parsePathParams(request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>;
  for (const [name, value] of Object.entries(params)) {
    const error = findPathSegmentError(value);
    if (error !== null) throw new ProblemError(400, `The ${name} in the path ${error}.`);
  }
  return params;
}

function requireOwnWorkspace(uuid: string, params: Record<string, string>): Record<string, string> {
  // The same whether that workspace exists or not.
  if (params.workspace !== undefined && params.workspace.toLowerCase() !== uuid) {
    throw new ProblemError(403, 'This token has no access to the workspace in the path.');
  }
  return params;
}

/** A query string that the router has not parsed. */
export type RawQuery = { text: string };

/** What a handler gets as `query`; undefined for an operation without parameters. */
function parseQuery({ text }: RawQuery, { list, parameters }: Endpoint): unknown {
  if (list !== undefined) return parseList(new URLSearchParams(text), list);
  return parameters && parseParameters(new URLSearchParams(text), parameters);
}

function parseList(params: URLSearchParams, list: ListParameters): CheckedListQuery {
  const { query, errors } = parseListQuery(params, list);
  if (query === null) throw validationProblem(errors);
  return query;
}

function parseParameters(params: URLSearchParams, parameters: z.ZodMiniObject): unknown {
  const repeated = Object.keys(parameters.shape).filter((name) => params.getAll(name).length > 1);
  if (repeated.length > 0) {
    throw validationProblem(repeated.map((field) => ({ field, message: `Give ${field} once.` })));
  }
  return validateBody(parameters, Object.fromEntries(params));
}

/** The path of a request, without its query string. */
export function requestPath({ url }: { readonly url: string }): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
