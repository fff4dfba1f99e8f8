import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { NDJSON_MEDIA_TYPE, findPathSegmentError, type Endpoint } from '#contract/endpoint.ts';
import { parseListQuery, type CheckedListQuery, type ListParameters } from '#contract/list.ts';
import type { RequestAuthentication } from './requestAuthentication.ts';
import type { OperationKind } from './limits/concurrencyLimiter.ts';
import type { Principal } from './authenticator.ts';
import { validateBody } from './jsonBody.ts';
import { validationProblem, type Limit, ProblemError } from './problems.ts';
import { JsonText, type Route } from './route.ts';
import type { WorkspacePrincipal } from '../database/workspace.ts';

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended from outside
  interface FastifyRequest {
    /** Whose request it is, once it is authenticated. */
    principal: Principal | null;
    /** Which limit refused it, if one did. */
    exceededLimit: Limit | null;
  }
}

/** Registers `route` as its endpoint describes it: authenticated before its body is read, then checked. */
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
        query: endpoint.list && parseQuery(request.query as RawQuery, endpoint.list),
        body: endpoint.body && validateBody(endpoint.body, request.body),
      };
      // What is followed for long has limits of its own.
      if (endpoint.isStream) return sendNdjson(reply, (await handler(call)) as AsyncIterable<unknown>);
      return sendJson(reply, await app.overloadControl.run(token.uuid, kind, reply.raw, () => handler(call)));
    },
  });
}

/** A check changes nothing that its caller had in mind. */
export function operationKindOf({ method, isStream }: Endpoint): OperationKind {
  return method === 'GET' || isStream ? 'read' : 'write';
}

export function toRouteUrl(endpoint: Endpoint): string {
  return endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1');
}

export function sendJson(reply: FastifyReply, result: unknown): FastifyReply {
  // A whole content type, because Fastify looks for a missing charset in it on every answer.
  reply.header('content-type', 'application/json; charset=utf-8');
  return reply.send(result instanceof JsonText ? result.text : JSON.stringify(result));
}

/** Aborts when the answer is over, in whatever way. Not the signal of the request, which is over once it is read. */
export function createDisconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (raw.destroyed) controller.abort();
  else raw.once('close', () => controller.abort());
  return controller.signal;
}

/** Each line leaves as soon as it is known. A failure breaks the connection, so that nobody takes a part for the whole. */
export function sendNdjson(reply: FastifyReply, lines: AsyncIterable<unknown>): FastifyReply {
  // Proxies that collect answers would hold back the first line until the last (nginx, X-Accel-Buffering).
  reply.headers({ 'content-type': NDJSON_MEDIA_TYPE, 'x-accel-buffering': 'no' });
  return reply.send(Readable.from(formatNdjson(lines), { objectMode: false }));
}

async function* formatNdjson(lines: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}

/** The values in the path, unescaped. Throws a `ProblemError` for what no path of ours can hold. */
export function parsePathParams(request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>;
  for (const name in params) {
    const fault = findPathSegmentError(params[name] ?? '');
    if (fault !== null) throw new ProblemError(400, `The ${name} in the path ${fault}.`);
  }
  return params;
}

function requireOwnWorkspace(uuid: string, params: Record<string, string>): Record<string, string> {
  // Whether the workspace named here exists is nobody's business who has no token of it.
  if (params.workspace !== undefined && params.workspace.toLowerCase() !== uuid) {
    throw new ProblemError(403, 'This token has no access to the workspace in the path.');
  }
  return params;
}

/** What the router is told to leave of a query string: only lists read it, and they have a codec of their own. */
export type RawQuery = { text: string };

function parseQuery({ text }: RawQuery, list: ListParameters): CheckedListQuery {
  const { query, errors } = parseListQuery(new URLSearchParams(text), list);
  if (query === null) throw validationProblem(errors);
  return query;
}
