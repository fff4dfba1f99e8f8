import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type * as z from 'zod/mini';
import { NDJSON_MEDIA_TYPE, RUN_HEADER, findPathSegmentError, type Endpoint } from '#contract/openapi/endpoint.ts';
import { UUID } from '#contract/values/field.ts';
import { includesRole, type OperationId, requiredRole } from '#contract/roles.ts';
import { findMisspeltNames } from '#contract/openapi/parameterNames.ts';
import { parseListQuery, type CheckedListQuery, type ListParameters } from '#contract/list.ts';
import type { RequestAuthentication } from './authentication/requestAuthentication.ts';
import { type OperationKind, operationKindOf } from './limits/operationKind.ts';
import { hasTag } from './files/entityTag.ts';
import { validateBody } from './body/jsonBody.ts';
import { validationProblem, type Limit, ProblemError } from './problems.ts';
import { type FileContent, JsonText, type Route } from './route.ts';
import type { NamedPrincipal, WorkspacePrincipal } from '../database/workspace.ts';
import { idOf, type Principal, wantedWorkspace } from './authentication/auth.ts';

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended from outside
  interface FastifyRequest {
    principal: Principal | null;
    exceededLimit: Limit | null;
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended from outside
  interface FastifyContextConfig {
    linesMax?: number | undefined;
    /** Undefined for a sign-in, which counts as a write. */
    kind?: OperationKind;
  }
}

/** Milliseconds for which a caller's rights are cached. */
const FRESH_MS = 100;

type RouteOptions = {
  /** Whether the headers for the workspace and the run count. A bare interface doesn't know them. */
  takesHeaders: boolean;
};

function readCall(endpoint: Route['endpoint'], request: FastifyRequest, reply: FastifyReply, takesHeaders: boolean) {
  const principal = request.principal as WorkspacePrincipal & { session?: string };
  const { workspace, role, session = null } = principal;
  return {
    workspace,
    caller: {
      ...principalOf(principal),
      requestId: request.id,
      run: takesHeaders ? parseRun(request) : null,
      isSession: session !== null,
    },
    role,
    session,
    params: requireOwnWorkspace(workspace.uuid, parsePathParams(request)),
    ...((endpoint.isStream || endpoint.isFile) && { signal: createDisconnectSignal(reply) }),
    query: parseQuery(request.query as RawQuery, endpoint),
    body: endpoint.body && validateBody(endpoint.body, request.body),
  };
}

/** Authenticates before the body is read, and again after a long wait and while an answer in parts is sent. */
export function registerRoute(
  app: FastifyInstance,
  { endpoint, handler }: Route,
  authentication: RequestAuthentication,
  { takesHeaders }: RouteOptions,
): void {
  const kind = operationKindOf(endpoint);
  const requireAccess = (request: FastifyRequest) => {
    const principal = request.principal as WorkspacePrincipal;
    if (takesHeaders) requireWantedWorkspace(principal, request);
    requireRole(principal, endpoint.id);
  };
  app.route({
    method: endpoint.method,
    url: toRouteUrl(endpoint),
    // A file export is logged, and HEAD exports nothing.
    exposeHeadRoute: endpoint.isFile !== true,
    config: { linesMax: endpoint.linesMax, kind },
    onRequest: async (request) => {
      app.overloadControl.rejectIfOverloaded(kind, request.headers);
      await authentication.authenticate(request);
      requireAccess(request);
    },
    handler: async (request, reply) => {
      const checkAgain = onceOutdated(reply, async () => {
        await authentication.authenticateAgain(request);
        requireAccess(request);
      });
      const readThisCall = () => readCall(endpoint, request, reply, takesHeaders);
      await checkAgain();
      const call = readThisCall();
      // Streams take long, and have limits of their own.
      if (endpoint.isStream) {
        return sendNdjson(reply, whileAllowed((await handler(call)) as AsyncIterable<unknown>, checkAgain));
      }
      const limited = { workspace: call.workspace.uuid, token: idOf(request.principal as WorkspacePrincipal) };
      const result = await app.overloadControl.run(limited, kind, reply.raw, async () =>
        handler((await checkAgain()) ? readThisCall() : call),
      );
      if (result === undefined) return reply.code(204).send();
      if (endpoint.isFile) return sendFile(reply, result as FileContent, checkAgain);
      return result instanceof JsonText ? sendIfChanged(request, reply, result) : sendJson(reply, result);
    },
  });
}

/**
 * Repeats `check` when the last one is too long ago, and says whether it did: a slow body, a queue or a slowly read response
 * can outlast the caller's rights.
 */
export function onceOutdated(reply: FastifyReply, check: () => Promise<unknown>): () => Promise<boolean> {
  let checkedAt = 0;
  return async () => {
    if (reply.elapsedTime - checkedAt <= FRESH_MS) return false;
    await check();
    checkedAt = reply.elapsedTime;
    return true;
  };
}

/** `parts`, with `check` before each, which throws once the caller may not have it any more. */
export async function* whileAllowed<Part>(
  parts: AsyncIterable<Part>,
  check: () => Promise<unknown>,
): AsyncGenerator<Part> {
  for await (const part of parts) {
    await check();
    yield part;
  }
}

function requireRole(principal: WorkspacePrincipal, operation: OperationId): void {
  const required = requiredRole(operation);
  if (includesRole(principal.role, required)) return;
  const has = 'token' in principal ? 'This token has' : 'You have';
  throw new ProblemError(403, `This needs the role "${required}". ${has} the role "${principal.role}".`);
}

/** Throws a `ProblemError` (403) for another workspace, the same whether it exists or not. */
function requireWantedWorkspace(principal: WorkspacePrincipal, { headers }: FastifyRequest): void {
  const wanted = wantedWorkspace(headers);
  if (wanted === null || wanted === principal.workspace.uuid) return;
  const who = 'token' in principal ? 'This token has' : 'You have';
  throw new ProblemError(403, `${who} no access to the workspace of this request.`);
}

const principalOf = (principal: NamedPrincipal): NamedPrincipal =>
  'token' in principal ? { token: principal.token } : { person: principal.person };

export function toRouteUrl(endpoint: Endpoint): string {
  return endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Sends `result` with an `ETag`, or 304 if the caller already has it (RFC 9110, 13.1.2). */
function sendIfChanged({ headers }: FastifyRequest, reply: FastifyReply, result: JsonText): FastifyReply {
  const tag = `"${hash('sha1', result.text, 'base64url')}"`;
  reply.header('etag', tag);
  if (hasTag(headers['if-none-match'], tag)) return reply.code(304).send();
  return sendJson(reply, result);
}

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

/** Each line as soon as it exists. An error breaks the connection, so that a client notices. */
export function sendNdjson(reply: FastifyReply, lines: AsyncIterable<unknown>): FastifyReply {
  // Keeps proxies such as nginx from buffering the response until its last line.
  reply.headers({ 'content-type': NDJSON_MEDIA_TYPE, 'x-accel-buffering': 'no' });
  return reply.send(Readable.from(formatNdjson(lines), { objectMode: false }));
}

/** For a browser to save, never to show as a page of ours. An error breaks the connection, including one of `check`. */
function sendFile(
  reply: FastifyReply,
  { name, mediaType, texts, limit }: FileContent,
  check: () => Promise<unknown>,
): FastifyReply {
  reply.headers({
    'content-type': `${mediaType}; charset=utf-8`,
    'content-disposition': `attachment; filename="${name}"`,
    'x-accel-buffering': 'no',
  });
  return reply.send(Readable.from(whileAllowed(texts, check), { objectMode: false, signal: limit }));
}

async function* formatNdjson(lines: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}

function parseRun({ headers }: FastifyRequest): string | null {
  const run = headers[RUN_HEADER];
  if (run === undefined) return null;
  if (typeof run === 'string' && UUID.test(run)) return run.toLowerCase();
  throw new ProblemError(400, `The header ${RUN_HEADER} must be a UUID.`);
}

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

export type RawQuery = { text: string };

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
  const names = Object.keys(parameters.shape);
  const repeated = names.filter((name) => params.getAll(name).length > 1);
  const errors = [
    ...repeated.map((field) => ({ field, message: `Use ${field} only once.` })),
    ...findMisspeltNames(params.keys(), names),
  ];
  if (errors.length > 0) throw validationProblem(errors);
  return validateBody(parameters, Object.fromEntries(params));
}

export function requestPath({ url }: { readonly url: string }): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
