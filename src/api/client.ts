import * as z from 'zod/mini';
import {
  buildPath,
  NDJSON_MEDIA_TYPE,
  UnaddressableValueError,
  type Endpoint,
  type EndpointInput,
  type EndpointReading,
} from '#contract/endpoint.ts';
import { formatListQuery, type FieldError, type ListQuery } from '#contract/list.ts';
import { GATEWAY_PROBLEM } from '#contract/problem.ts';
import { CONSOLE_HEADER } from '#contract/session.ts';
import { parseJson } from '../ui/json.ts';
import { ApiError, describeStatus } from './ApiError.ts';

/** From sending to the end of the answer, in milliseconds. */
const TIMEOUT = 15_000;
/** An answer above this many bytes is refused while it streams in. */
const BODY_LIMIT = 5 * 1024 * 1024;
/** Who asks to wait longer, in seconds, is taken to ask for this: a timer counts 24 days, and with more it ends at once. */
const LONGEST_WAIT = 86_400;

const REDIRECTED =
  'The call was sent on to another address, and the console does not follow. Does a proxy want a sign-in?';

/** A service that did not serve this page. Calls to it carry the token, which nothing but this page's memory holds. */
type RemoteService = { baseUrl: string; token: string | null };

let remoteService: RemoteService | null = null;
/** Where the service that served this page begins at its origin: mostly empty, else like `/sendroom`. */
let basePath = '';

/** From now on calls to the service that served this page go there. */
export function setBasePath(path: string): void {
  basePath = path;
}

/** From now on calls go there, and no longer to where this page came from. `baseUrl` ends without a slash. */
export function setRemoteService(service: RemoteService): void {
  remoteService = service;
}

/** What the paths of the interface are relative to. */
export function baseUrl(): string {
  return remoteService?.baseUrl ?? window.location.origin + basePath;
}

/**
 * Calls one operation and gives its checked answer. It never retries (queryClient.ts decides that) and fails with an
 * `ApiError` only, except for the abort of `signal`, which stays an `AbortError`.
 */
export async function request<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  signal?: AbortSignal,
): Promise<EndpointReading<E>> {
  return (await requestWithId(endpoint, input, signal)).answer;
}

/** The same with the id that the service gave to the request, if it did. */
export async function requestWithId<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  signal?: AbortSignal,
): Promise<{ answer: EndpointReading<E>; requestId?: string }> {
  try {
    const response = await send(endpoint, input, signal);
    let text = '';
    for await (const chunk of readChunks(response)) text += chunk;
    accept(endpoint, response, text);
    return { answer: read(endpoint, response, text), ...requestId(response) };
  } catch (cause) {
    throw transportError(cause, signal);
  }
}

/** Calls an operation whose answer is a stream, and gives each line when it is here. Fails as `request` does, at any line. */
export async function* requestLines<E extends Endpoint & { isStream: true }>(
  endpoint: E,
  input: EndpointInput<E>,
  signal?: AbortSignal,
): AsyncGenerator<EndpointReading<E>, void, void> {
  try {
    const response = await send(endpoint, input, signal);
    let rest = '';
    for await (const chunk of readChunks(response)) {
      rest += chunk;
      if (!response.ok) continue;
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield read(endpoint, response, line);
    }
    accept(endpoint, response, rest);
    // A line that was cut off is no line.
    if (rest !== '') yield read(endpoint, response, rest);
  } catch (cause) {
    throw transportError(cause, signal);
  }
}

/** The only fetch of the console. */
async function send<E extends Endpoint>(endpoint: E, input: EndpointInput<E>, signal?: AbortSignal): Promise<Response> {
  const { address, body } = createCall(endpoint, input);
  const timeout = AbortSignal.timeout(TIMEOUT);
  return fetch((remoteService?.baseUrl ?? basePath) + address, {
    method: endpoint.method,
    headers: {
      accept: endpoint.isStream ? `${NDJSON_MEDIA_TYPE}, application/json` : 'application/json',
      'content-type': 'application/json',
      ...identification(),
    },
    body,
    // Cookies are for the origin of this page.
    credentials: 'same-origin',
    redirect: 'manual',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  });
}

/** Who calls. */
function identification(): Record<string, string> {
  // A cookie alone must not be able to act: the service insists on a header no other site can send.
  if (remoteService === null) return { [CONSOLE_HEADER]: '1' };
  return remoteService.token === null ? {} : { authorization: `Bearer ${remoteService.token}` };
}

/** Throws what the service answered in place of a result. */
function accept(endpoint: Endpoint, response: Response, text: string): void {
  // A browser hides all of a redirect but that it is one: its status is 0.
  if (response.status < 200 || (response.status >= 300 && response.status < 400))
    throw unreadable(response, REDIRECTED);
  if (!response.ok) throw toStatusError(endpoint.id, response, text);
}

/** What is sent: path and query relative to the service, and the body. Throws an `ApiError` where nothing can be. */
export function createCall<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
): { address: string; body: string | null } {
  const given = input as { query?: ListQuery; body?: unknown };
  const path = createPath(endpoint, input);
  const query = given.query === undefined ? '' : formatListQuery(given.query).toString();
  return {
    address: query === '' ? path : `${path}?${query}`,
    body: given.body === undefined ? null : JSON.stringify(given.body),
  };
}

function createPath<E extends Endpoint>(endpoint: E, input: EndpointInput<E>): string {
  try {
    return buildPath<Endpoint>(endpoint, input);
  } catch (cause) {
    if (cause instanceof UnaddressableValueError) throw new ApiError('input', cause.message);
    throw cause;
  }
}

/** The text of the answer as it arrives. */
async function* readChunks(response: Response): AsyncGenerator<string, void, void> {
  // Not `for await`: Safari cannot iterate a stream (webkit.org/b/194379).
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.byteLength;
      if (size > BODY_LIMIT) throw unreadable(response, 'The answer is larger than 5 MB, too large to show.');
      yield decoder.decode(value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    // Also where the reader of this has had enough.
    await reader.cancel();
  }
}

function transportError(cause: unknown, signal: AbortSignal | undefined): unknown {
  if (cause instanceof ApiError || signal?.aborted) return cause;
  if (cause instanceof DOMException && cause.name === 'TimeoutError') {
    return new ApiError('timeout', `There was no complete answer within ${TIMEOUT / 1000} seconds.`);
  }
  if (!navigator.onLine) return new ApiError('network', 'This computer is offline.');
  // A browser does not tell a page which of these it was.
  const reason =
    remoteService === null ? 'is not reachable' : 'is not reachable, does not let this page call it (CORS)';
  return new ApiError('network', `The service ${reason}, or the connection broke.`);
}

function toStatusError(operation: string, response: Response, text: string): ApiError {
  const body = parseBody(response, text);
  const { data } = z.safeParse(AnyErrorBody, body);
  const said = findErrorMessage(body);
  const fields = parseFieldErrors(data?.errors);
  if (said !== undefined && data?.type?.startsWith(GATEWAY_PROBLEM)) {
    return new ApiError('network', said, { status: response.status, ...requestId(response) });
  }
  const retryAfter = response.headers.get('retry-after');
  return new ApiError('status', describeStatus(operation, response.status, said), {
    status: response.status,
    fields,
    ...(retryAfter !== null && { retryAfter: secondsUntil(retryAfter) }),
    ...requestId(response),
  });
}

/** Where services put their words, the best first. */
const WORDED = ['detail', 'message', 'error_description', 'error', 'title', 'errors'];

/** The first words in an error body, whose shape is "not shown" (docs/interface.md, 7): in the body, or a little deeper. */
function findErrorMessage(body: unknown, depth = 3): string | undefined {
  if (typeof body === 'string') return body.trim() || undefined;
  if (typeof body !== 'object' || body === null || depth === 0) return undefined;
  const parts: unknown[] = Array.isArray(body) ? body : WORDED.map((name) => (body as Record<string, unknown>)[name]);
  for (const part of parts) {
    const words = findErrorMessage(part, depth - 1);
    if (words !== undefined) return words;
  }
  return undefined;
}

const AnyErrorBody = z.object({
  type: z.catch(z.optional(z.string()), undefined),
  errors: z.catch(
    z.optional(
      z.union([
        z.array(z.object({ field: z.string(), message: z.string() })),
        z.record(z.string(), z.array(z.string())),
      ]),
    ),
    undefined,
  ),
});

/** Faults of single fields, as a list of them or as `{ field: [message, ...] }`. */
function parseFieldErrors(errors: z.infer<typeof AnyErrorBody>['errors'] = []): FieldError[] {
  if (Array.isArray(errors)) return errors;
  return Object.entries(errors).flatMap(([field, messages]) => messages.map((message) => ({ field, message })));
}

function read<E extends Endpoint>(endpoint: E, response: Response, text: string): EndpointReading<E> {
  const value = text === '' ? undefined : parseBody(response, text);
  if (text !== '' && value === undefined) {
    throw unreadable(
      response,
      /^\s*</.test(text)
        ? `A web page came instead of data (status ${response.status}). Is this address right, or does a proxy want a sign-in?`
        : `The answer (status ${response.status}) is not JSON or was cut off.`,
    );
  }
  const result = z.safeParse(endpoint.reading, value);
  if (result.success) return result.data as EndpointReading<E>;
  if (value === undefined) throw unreadable(response, `The answer (status ${response.status}) is empty.`);
  const path = result.error.issues[0]?.path.map(String).join('.') ?? '';
  throw unreadable(response, `The answer does not match the interface${path === '' ? '' : ` at “${path}”`}.`);
}

/** What is no JSON is undefined. */
function parseBody(response: Response, text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    if (cause instanceof RangeError) throw unreadable(response, 'The answer is nested too deeply to be read.');
    return undefined;
  }
}

function unreadable(response: Response, message: string): ApiError {
  return new ApiError('unreadable', message, { status: response.status, ...requestId(response) });
}

function requestId(response: Response): { requestId?: string } {
  const id = response.headers.get('x-request-id');
  return id === null ? {} : { requestId: id };
}

/** `Retry-After` is seconds or a date (RFC 9110, 10.2.3). */
function secondsUntil(retryAfter: string): number {
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return Math.min(LONGEST_WAIT, Math.max(0, seconds));
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 1 : Math.min(LONGEST_WAIT, Math.max(0, (date - Date.now()) / 1000));
}
