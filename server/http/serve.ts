import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { NDJSON_MEDIA_TYPE, segmentFault, type Endpoint } from '#contract/endpoint.ts';
import { parseListQuery, type CheckedListQuery, type ListParameters } from '#contract/list.ts';
import type { Door } from './door.ts';
import type { Kind } from './limits/workInHand.ts';
import type { Access } from './gate.ts';
import { checkBody } from './jsonBody.ts';
import { invalid, type Limit, Refusal } from './problems.ts';
import { JsonText, type Means, type Route } from './route.ts';
import type { Access as WorkspaceAccess } from '../workspaces/store.ts';

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended from outside
  interface FastifyRequest {
    /** Whose request it is, once the door has let it in. */
    access: Access | null;
    /** Which limit refused it, if one did. */
    limit: Limit | null;
  }
}

/** Registers `route` as its endpoint describes it: admitted by `door` before its body is read, then checked. */
export function serve(app: FastifyInstance, { endpoint, handler }: Route, means: Means, door: Door): void {
  const kind = kindOf(endpoint);
  app.route({
    method: endpoint.method,
    url: urlOf(endpoint),
    onRequest: (request) => {
      app.admission.check(kind, request.headers);
      return door.admit(request);
    },
    handler: async (request, reply) => {
      const { workspace, token } = request.access as WorkspaceAccess;
      const call = {
        workspace,
        caller: { token, requestId: request.id },
        params: ofWorkspace(workspace.uuid, checkParams(request)),
        ...(endpoint.isStream && { signal: signalOfLeaving(reply) }),
        query: endpoint.list && checkQuery(request.query as RawQuery, endpoint.list),
        body: endpoint.body && checkBody(endpoint.body, request.body),
      };
      // What is followed for long has limits of its own.
      if (endpoint.isStream) return sendLines(reply, (await handler(call, means)) as AsyncIterable<unknown>);
      return sendJson(reply, await app.admission.admit(token.uuid, kind, reply.raw, () => handler(call, means)));
    },
  });
}

/** A check changes nothing that its caller had in mind. */
export function kindOf({ method, isStream }: Endpoint): Kind {
  return method === 'GET' || isStream ? 'read' : 'write';
}

export function urlOf(endpoint: Endpoint): string {
  return endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1');
}

export function sendJson(reply: FastifyReply, result: unknown): FastifyReply {
  // A whole content type, because Fastify looks for a missing charset in it on every answer.
  reply.header('content-type', 'application/json; charset=utf-8');
  return reply.send(result instanceof JsonText ? result.text : JSON.stringify(result));
}

/** Aborts when the answer is over, in whatever way. Not the signal of the request, which is over once it is read. */
export function signalOfLeaving({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (raw.destroyed) controller.abort();
  else raw.once('close', () => controller.abort());
  return controller.signal;
}

/** Each line leaves as soon as it is known. A failure breaks the connection, so that nobody takes a part for the whole. */
export function sendLines(reply: FastifyReply, lines: AsyncIterable<unknown>): FastifyReply {
  // Proxies that collect answers would hold back the first line until the last (nginx, X-Accel-Buffering).
  reply.headers({ 'content-type': NDJSON_MEDIA_TYPE, 'x-accel-buffering': 'no' });
  return reply.send(Readable.from(textOf(lines), { objectMode: false }));
}

async function* textOf(lines: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}

/** The values in the path, unescaped. Throws a `Refusal` for what no path of ours can hold. */
export function checkParams(request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>;
  for (const name in params) {
    const fault = segmentFault(params[name] ?? '');
    if (fault !== null) throw new Refusal(400, `The ${name} in the path ${fault}.`);
  }
  return params;
}

function ofWorkspace(uuid: string, params: Record<string, string>): Record<string, string> {
  // Whether the workspace named here exists is nobody's business who has no token of it.
  if (params.workspace !== undefined && params.workspace.toLowerCase() !== uuid) {
    throw new Refusal(403, 'This token has no access to the workspace in the path.');
  }
  return params;
}

/** What the router is told to leave of a query string: only lists read it, and they have a codec of their own. */
export type RawQuery = { text: string };

function checkQuery({ text }: RawQuery, list: ListParameters): CheckedListQuery {
  const { query, errors } = parseListQuery(new URLSearchParams(text), list);
  if (query === null) throw invalid(errors);
  return query;
}
