import * as z from 'zod/mini';
import {
  NDJSON_MEDIA_TYPE,
  RUN_HEADER,
  UnaddressableValueError,
  buildPath,
  formatQuery,
  type Endpoint,
  type EndpointInput,
  type EndpointReading,
} from '#contract/openapi/endpoint.ts';
import type { FieldError, ListQuery } from '#contract/list.ts';
import { GATEWAY_PROBLEM } from '#contract/problem.ts';
import { CONSOLE_HEADER, WORKSPACE_HEADER } from '#contract/session.ts';
import { parseJson } from '../ui/format/json.ts';
import { createStore } from '../ui/page/store.ts';
import { ApiError, describeStatus } from './ApiError.ts';
import { takeFirstRead } from './firstRead.ts';

/** Milliseconds to the end of the response. */
const TIMEOUT = 15_000;
const SLOW_TIMEOUT = 75_000;
/** The longest timer, in milliseconds. */
const NEVER = 2 ** 31 - 1;
/** Bytes. A larger response is cancelled. */
const BODY_LIMIT = 5 * 1024 * 1024;
/** Seconds of a `Retry-After`: a timer of more than 24 days fires immediately. */
const LONGEST_WAIT = 86_400;

const REDIRECTED = 'The service redirected the request. Does a proxy require sign-in?';

/** A service that did not serve this page. Requests carry the token, which is only in this page's memory. */
type RemoteService = { baseUrl: string; token: string | null };

const remoteService = createStore<RemoteService | null>(null);

/** From the page's URL: the service's path prefix (usually empty, or like `/sendroom`), and the workspace, null for a token's only one. */
export const pagePlace = createStore<{ basePath: string; workspace: string | null }>({ basePath: '', workspace: null });

/** Milliseconds by which the service's clock is ahead of this computer's, to a second. */
export const clockSkew = createStore(0);

/** Sends further requests to `service`, or to this page's (null). `baseUrl` ends without a slash. */
export function setRemoteService(service: RemoteService | null): void {
  remoteService.write(service);
  clockSkew.write(0);
}

export function baseUrl(): string {
  return remoteService.read()?.baseUrl ?? window.location.origin + pagePlace.read().basePath;
}

export async function request<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  signal?: AbortSignal,
): Promise<EndpointReading<E>> {
  return (await requestWithId(endpoint, input, signal)).result;
}

/** As `request`, with the request ID of the response. `run` names the run for the audit log, if the service has one. */
export async function requestWithId<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  signal?: AbortSignal,
  run?: string,
): Promise<{ result: EndpointReading<E>; requestId?: string }> {
  try {
    const response = await send(endpoint, input, signal, run === undefined ? {} : { [RUN_HEADER]: run });
    return { result: await readResult(endpoint, response), ...requestId(response) };
  } catch (cause) {
    throw transportError(cause, signal);
  }
}

export async function readResult<E extends Endpoint>(endpoint: E, response: Response): Promise<EndpointReading<E>> {
  let text = '';
  for await (const chunk of readChunks(response)) text += chunk;
  accept(endpoint, response, text);
  return read(endpoint, response, text);
}

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
      const end = rest.lastIndexOf('\n');
      if (end < 0) continue;
      const lines = rest.slice(0, end).split('\n');
      rest = rest.slice(end + 1);
      for (const line of lines) yield read(endpoint, response, line);
    }
    accept(endpoint, response, rest);
    // The last line may lack its line end. If it was cut off, it does not parse.
    if (rest !== '') yield read(endpoint, response, rest);
  } catch (cause) {
    throw transportError(cause, signal);
  }
}

/** The only fetch of the console. */
export async function send<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  signal?: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const call = createCall(endpoint, input);
  const address = (remoteService.read()?.baseUrl ?? pagePlace.read().basePath) + call.address;
  // A file may take any time; the user can cancel it.
  const timeout = AbortSignal.timeout(endpoint.isFile ? NEVER : endpoint.isSlow ? SLOW_TIMEOUT : TIMEOUT);
  const ending = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  const first = endpoint.method === 'GET' ? takeFirstRead(address, ending) : undefined;
  if (first !== undefined) return first;
  const response = await fetch(address, {
    method: endpoint.method,
    headers: {
      accept: endpoint.isStream ? `${NDJSON_MEDIA_TYPE}, application/json` : 'application/json',
      'content-type': 'application/json',
      ...authentication(),
      ...headers,
    },
    body: call.body,
    // Cookies are for the origin of this page.
    credentials: endpoint.isAnonymous ? 'omit' : 'same-origin',
    redirect: 'manual',
    signal: ending,
  });
  // NaN without the header, for example with CORS. A cached response has an earlier time.
  if (!response.headers.has('age'))
    clockSkew.write(Date.parse(response.headers.get('date') ?? '') - Date.now() || clockSkew.read());
  return response;
}

function authentication(): Record<string, string> {
  // Against CSRF: no other site can send this header, which the service requires with a cookie.
  const service = remoteService.read();
  const { workspace } = pagePlace.read();
  if (service === null) return { [CONSOLE_HEADER]: '1', ...(workspace !== null && { [WORKSPACE_HEADER]: workspace }) };
  return service.token === null ? {} : { authorization: `Bearer ${service.token}` };
}

export function accept(endpoint: Endpoint, response: Response, text: string): void {
  // A redirect has status 0: with `redirect: 'manual'` the browser hides the rest.
  if (response.status < 200 || (response.status >= 300 && response.status < 400))
    throw unreadable(response, REDIRECTED);
  if (!response.ok) throw toStatusError(endpoint.id, response, text);
}

export function createCall<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
): { address: string; body: string | null } {
  const { query: parameters, body } = input as { query?: ListQuery | Record<string, string>; body?: unknown };
  const path = createPath(endpoint, input);
  const query = parameters === undefined ? '' : formatQuery(endpoint, parameters).toString();
  return {
    address: query === '' ? path : `${path}?${query}`,
    body: body === undefined ? null : JSON.stringify(body),
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

export async function* readChunks(response: Response, limit = BODY_LIMIT): AsyncGenerator<string, void, void> {
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
      if (size > limit) throw unreadable(response, 'The response is larger than 5 MB, too large to show.');
      yield decoder.decode(value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    // Also when the consumer stops early.
    await reader.cancel();
  }
}

export function transportError(cause: unknown, signal: AbortSignal | undefined): unknown {
  if (cause instanceof ApiError || signal?.aborted) return cause;
  if (cause instanceof DOMException && cause.name === 'TimeoutError') {
    return new ApiError('timeout', `There was no complete response within ${TIMEOUT / 1000} seconds.`);
  }
  if (!navigator.onLine) return new ApiError('network', 'This computer is offline.');
  // Browsers don't tell a page which it is.
  const reason =
    remoteService.read() === null
      ? 'can’t be reached'
      : 'can’t be reached, does not allow requests from this page (CORS)';
  return new ApiError('network', `The service ${reason}, or the connection was lost.`);
}

function toStatusError(operation: string, response: Response, text: string): ApiError {
  const body = parseBody(response, text);
  const { data } = z.safeParse(AnyErrorBody, body);
  const serviceMessage = findErrorMessage(body);
  const fields = parseFieldErrors(data?.errors);
  if (serviceMessage !== undefined && data?.type?.startsWith(GATEWAY_PROBLEM)) {
    return new ApiError('network', serviceMessage, { status: response.status, ...requestId(response) });
  }
  const retryAfter = response.headers.get('retry-after');
  return new ApiError('status', describeStatus(operation, response.status, serviceMessage), {
    status: response.status,
    fields,
    ...(retryAfter !== null && { retryAfter: secondsUntil(retryAfter) }),
    ...requestId(response),
  });
}

/** Keys for messages, the best first. */
const MESSAGE_KEYS = ['detail', 'message', 'error_description', 'error', 'title', 'errors'];

/** The first message in an error body, at most `depth` levels down: its shape is "not shown" (docs/interface.md, 7). */
function findErrorMessage(body: unknown, depth = 3): string | undefined {
  if (typeof body === 'string') return body.trim() || undefined;
  if (typeof body !== 'object' || body === null || depth === 0) return undefined;
  const parts: unknown[] = Array.isArray(body)
    ? body
    : MESSAGE_KEYS.map((key) => (body as Record<string, unknown>)[key]);
  for (const part of parts) {
    const message = findErrorMessage(part, depth - 1);
    if (message !== undefined) return message;
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

/** Field errors are a list or `{ field: [message, ...] }`. */
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
        ? `Received a web page instead of data (status ${response.status}). Is this address right, or does a proxy require sign-in?`
        : `The response (status ${response.status}) is not JSON or was cut off.`,
    );
  }
  const result = z.safeParse(endpoint.reading, value);
  if (result.success) return result.data as EndpointReading<E>;
  if (value === undefined) throw unreadable(response, `The response (status ${response.status}) is empty.`);
  const path = result.error.issues[0]?.path.map(String).join('.') ?? '';
  throw unreadable(response, `The response does not match the interface${path === '' ? '' : ` at “${path}”`}.`);
}

function parseBody(response: Response, text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    if (cause instanceof RangeError) throw unreadable(response, 'The response is nested too deeply.');
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

/** The seconds of a `Retry-After`, a number or a date (RFC 9110, 10.2.3); 1 if it is neither. */
function secondsUntil(retryAfter: string): number {
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return Math.min(LONGEST_WAIT, Math.max(0, seconds));
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 1 : Math.min(LONGEST_WAIT, Math.max(0, (date - Date.now()) / 1000));
}
