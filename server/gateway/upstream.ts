import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { buildPath, type Endpoint, type EndpointReading } from '#contract/openapi/endpoint.ts';
import { parseJson } from '#contract/values/json.ts';
import { must } from '#contract/values/must.ts';
import { unknownTokenProblem } from '../http/authentication/auth.ts';
import { ProblemError } from '../http/problems.ts';
import type { Log } from '../settings/log.ts';
import { type UpstreamErrorCode, classifyFetchError, UPSTREAM_ERRORS, gatewayProblem } from './upstreamErrors.ts';
import { UnverifiedTokenLimiter } from './unverifiedTokenLimiter.ts';

export type UpstreamLimits = {
  /** Until the response headers. The console waits 15 seconds, and should get a problem document before. */
  responseTimeoutMs: number;
  totalTimeoutMs: number;
  maxBytes: number;
};

export const UPSTREAM_LIMITS: UpstreamLimits = {
  responseTimeoutMs: 12_000,
  totalTimeoutMs: 60_000,
  maxBytes: 16 * 1024 * 1024,
};

/** To parse: bytes, and JSON values. Empty objects would take a hundred times their size in memory. */
const READ_MAX = { bytes: 4 * 1024 * 1024, values: 100_000 };

export type UpstreamCall = {
  params: Record<string, string>;
  search?: string;
  body?: Uint8Array | undefined;
  bearer: string;
  address: string;
  requestId: string;
  signal: AbortSignal;
};

/** The part of a response that is passed on. `body` throws when the connection breaks. */
type UpstreamResponse = {
  status: number;
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array> | null;
};

const FORWARDED_HEADERS = ['content-type', 'retry-after', 'x-request-id'];

type UpstreamOptions = {
  /** The URL that the paths of the interface are relative to. */
  baseUrl: URL;
  limits: UpstreamLimits;
  log: Log;
  onUnknownToken: (bearer: string) => void;
};

/** The URL comes from the settings and the path from the contract: a client can change neither. */
export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #newTokens = new UnverifiedTokenLimiter();
  /** The name of this gateway in the header Via (RFC 9110, 7.6.3). */
  readonly #name = `sendroom-${randomBytes(6).toString('hex')}`;
  readonly errorCounts = new Map(Object.keys(UPSTREAM_ERRORS).map((code) => [code as UpstreamErrorCode, 0]));

  constructor(options: UpstreamOptions) {
    this.#options = options;
  }

  rejectLoop(via: string | undefined): void {
    if (!via?.includes(this.#name)) return;
    this.#countError('loop');
    throw gatewayProblem('loop');
  }

  async call(endpoint: Endpoint, call: UpstreamCall): Promise<UpstreamResponse> {
    const { limits, onUnknownToken } = this.#options;
    const deadline = new Deadline();
    deadline.set(limits.responseTimeoutMs);
    const response = await this.#send(endpoint, call, deadline.signal).finally(() => deadline.clear());

    const { status, headers } = response;
    const isEmpty = response.body === null || headers.get('content-length') === '0';
    const isJson = /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers.get('content-type') ?? '');
    const errorCode = classifyResponse(response, { isEmpty, isJson }, limits.maxBytes);
    // Not JSON means nothing to a client, and a browser would show it as a page of this origin.
    if (!isJson || errorCode !== null) response.body?.cancel().catch(() => {});
    if (errorCode !== null) throw this.#recordProblem(endpoint, call, errorCode, { status });
    if (status === 401) onUnknownToken(call.bearer);

    const forwarded = this.#withVia(toForwardedHeaders(response, isJson, call.bearer));
    if (isEmpty || !isJson) return { status, headers: forwarded, body: null };
    deadline.set(limits.totalTimeoutMs);
    const body = this.#bodyOf(endpoint, call, response, deadline);
    // An error before the first byte can still become a problem document.
    const first = await body.next();
    return { status, headers: forwarded, body: first.done ? null : chain(first.value, body) };
  }

  async read<E extends Endpoint>(endpoint: E, call: UpstreamCall): Promise<EndpointReading<E>> {
    const { status, headers, body } = await this.call(endpoint, call);
    const bytes = await readBytes(body);
    if (status === 401) throw unknownTokenProblem();
    if (status === 403) throw new ProblemError(403, 'The service behind the gateway denies this token access.');
    if (status === 429) {
      const retryAfter = headers['retry-after'];
      throw new ProblemError(429, 'The service behind the gateway is limiting requests. Try again later.', {
        headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
        limit: 'upstream',
      });
    }
    if (status >= 400) throw this.#recordProblem(endpoint, call, 'failed', { status });
    if (bytes === null || valuesIn(bytes) > READ_MAX.values)
      throw this.#recordProblem(endpoint, call, 'too-large', { status });
    const reading = z.safeParse(endpoint.reading, parseJson(bytes.toString()));
    if (!reading.success) throw this.#recordProblem(endpoint, call, 'unreadable', { status });
    return reading.data as EndpointReading<E>;
  }

  async #send(endpoint: Endpoint, call: UpstreamCall, deadline: AbortSignal): Promise<Response> {
    const { params, search = '', body, bearer, address: caller } = call;
    const signal = AbortSignal.any([call.signal, deadline]);
    const address = new URL(this.#options.baseUrl.href.replace(/\/$/, '') + buildPath<Endpoint>(endpoint, params));
    address.search = search;
    const init: RequestInit = {
      method: endpoint.method,
      headers: this.#withVia([
        ['accept', 'application/json'],
        ['accept-encoding', 'identity'],
        ['authorization', `Bearer ${bearer}`],
        ['content-type', 'application/json'],
        ['user-agent', 'sendroom'],
      ]),
      body: body === undefined ? null : (body as Uint8Array<ArrayBuffer>),
      redirect: 'manual',
      signal,
    };
    try {
      return await this.#newTokens.forward({ bearer, address: caller, signal }, () => fetch(address, init));
    } catch (error) {
      throw error instanceof ProblemError ? error : this.#toFetchProblem(endpoint, call, error);
    }
  }

  async *#bodyOf(
    endpoint: Endpoint,
    call: UpstreamCall,
    { body }: Response,
    deadline: Deadline,
  ): AsyncGenerator<Uint8Array, void, void> {
    let size = 0;
    try {
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        size += chunk.byteLength;
        if (size > this.#options.limits.maxBytes) throw this.#recordProblem(endpoint, call, 'too-large');
        yield chunk;
      }
    } catch (error) {
      throw error instanceof ProblemError ? error : this.#toFetchProblem(endpoint, call, error);
    } finally {
      deadline.clear();
    }
  }

  #withVia(headers: readonly (readonly [string, string])[]): Record<string, string> {
    return { ...Object.fromEntries(headers), via: `1.1 ${this.#name}` };
  }

  #toFetchProblem(endpoint: Endpoint, call: UpstreamCall, error: unknown): ProblemError {
    // The client has disconnected.
    if (call.signal.aborted) return gatewayProblem('broken');
    const { fault, code } = classifyFetchError(error);
    return this.#recordProblem(endpoint, call, fault, { code });
  }

  #recordProblem(
    { method }: Endpoint,
    { requestId }: UpstreamCall,
    code: UpstreamErrorCode,
    details: object = {},
  ): ProblemError {
    this.#countError(code);
    this.#options.log.warn(
      { request_id: requestId, fault: code, ...details },
      'no response from the service behind the gateway',
    );
    return gatewayProblem(code, method !== 'GET');
  }

  #countError(code: UpstreamErrorCode): void {
    this.errorCounts.set(code, must(this.errorCounts.get(code)) + 1);
  }
}

async function* chain<Item>(first: Item, rest: AsyncIterable<Item>): AsyncGenerator<Item, void, void> {
  yield first;
  yield* rest;
}

async function readBytes(body: AsyncIterable<Uint8Array> | null): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > READ_MAX.bytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** An upper bound of the number of JSON values: each but the first follows one of these characters. */
function valuesIn(bytes: Buffer): number {
  let count = 1;
  for (const byte of bytes) if (byte === COMMA || byte === BRACKET || byte === BRACE) count++;
  return count;
}
const [COMMA, BRACKET, BRACE] = Buffer.from(',[{');

/** Whether a request ID of the service can go into our log: it must look like an ID, and must not contain the token. */
const isRequestId = (text: string, bearer: string) => /^[\w.:=+/-]{1,128}$/.test(text) && !text.includes(bearer);

function toForwardedHeaders(
  { status, headers }: Response,
  isJson: boolean,
  bearer: string,
): [name: string, value: string][] {
  // Headers named in `Connection` are not passed on (RFC 9110, 7.6.1).
  const hopByHop = (headers.get('connection') ?? '').toLowerCase().split(/[\s,]+/);
  const forwarded = FORWARDED_HEADERS.flatMap((name): [string, string][] => {
    const value = hopByHop.includes(name) || (name === 'content-type' && !isJson) ? null : headers.get(name);
    if (value === null || (name === 'x-request-id' && !isRequestId(value, bearer))) return [];
    return [[name, value]];
  });
  // A challenge like Basic would make browsers ask for a password, and send it to this origin from then on.
  return status === 401 ? [...forwarded, ...Object.entries(unknownTokenProblem().headers)] : forwarded;
}

function classifyResponse(
  { status, ok, headers }: Response,
  { isEmpty, isJson }: { isEmpty: boolean; isJson: boolean },
  bytesMax: number,
): UpstreamErrorCode | null {
  // Partial content, or no valid status.
  if (status === 206 || status > 599) return 'unreadable';
  if (status < 200 || (status >= 300 && status < 400)) return 'redirect';
  if (Number(headers.get('content-length')) > bytesMax) return 'too-large';
  return ok && !isEmpty && !isJson ? 'unreadable' : null;
}

class Deadline {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  set(milliseconds: number): void {
    this.clear();
    this.#timer = setTimeout(() => this.#controller.abort(new DOMException('', 'TimeoutError')), milliseconds);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
