import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { buildPath, type Endpoint, type EndpointReading } from '#contract/endpoint.ts';
import { unknownTokenProblem } from '../http/auth.ts';
import { ProblemError } from '../http/problems.ts';
import type { Log } from '../settings/log.ts';
import { Deadline } from './deadline.ts';
import { type UpstreamErrorCode, classifyFetchError, UPSTREAM_ERRORS, gatewayProblem } from './upstreamErrors.ts';
import { UnverifiedTokenLimiter } from './unverifiedTokenLimiter.ts';

/** Times in milliseconds. */
export type UpstreamLimits = {
  /** Until the answer begins: the console waits 15 seconds, and should hear why there is none. */
  responseTimeoutMs: number;
  /** From then on, until it has ended. */
  totalTimeoutMs: number;
  /** Size of an answer, in bytes. */
  maxBytes: number;
};

export const UPSTREAM_LIMITS: UpstreamLimits = {
  responseTimeoutMs: 12_000,
  totalTimeoutMs: 60_000,
  maxBytes: 16 * 1024 * 1024,
};

/**
 * Of an answer that is read here, and not merely passed on: bytes, and values in all. Nothing but empty objects would take a
 * hundred times its bytes, and seconds of everybody's.
 */
const READ_MAX = { bytes: 4 * 1024 * 1024, values: 100_000 };

/** One call of an operation, on behalf of a caller. */
export type UpstreamCall = {
  params: Record<string, string>;
  /** The query string, without its question mark. */
  search?: string;
  body?: Uint8Array | undefined;
  bearer: string;
  /** From where the caller calls. */
  address: string;
  /** Id of the caller's request, for the log. */
  requestId: string;
  /** Aborts when the caller has gone. */
  signal: AbortSignal;
};

/** What is passed on of an answer. `body` fails where the connection breaks. */
export type UpstreamResponse = {
  status: number;
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array> | null;
};

/** Of an answer; whatever else the service sends is for the gateway alone. */
const FORWARDED_HEADERS = ['content-type', 'retry-after', 'x-request-id'];

export type UpstreamOptions = {
  /** What the paths of the interface are relative to. */
  baseUrl: URL;
  limits: UpstreamLimits;
  log: Log;
  /** Hears of a token that the service does not accept, or no longer. */
  onUnknownToken: (bearer: string) => void;
};

/** The service behind the gateway. Its address comes from the settings, and the path from the interface: nothing of them from a caller. */
export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #newTokens = new UnverifiedTokenLimiter();
  /** What this gateway calls itself in the header Via (RFC 9110, 7.6.3). */
  readonly #name = `sendroom-${randomBytes(6).toString('hex')}`;
  /** How often there was no answer, by the reason. */
  readonly errorCounts = new Map(Object.keys(UPSTREAM_ERRORS).map((fault) => [fault as UpstreamErrorCode, 0]));

  constructor(options: UpstreamOptions) {
    this.#options = options;
  }

  /** Throws a `ProblemError` when the request has come through this very gateway before. */
  rejectLoop(via: string | undefined): void {
    if (!via?.includes(this.#name)) return;
    this.#countError('loop');
    throw gatewayProblem('loop');
  }

  /** The answer as the service gave it. Throws a `ProblemError` of the gateway's own where there is none. */
  async call(endpoint: Endpoint, call: UpstreamCall): Promise<UpstreamResponse> {
    const { limits, onUnknownToken } = this.#options;
    const deadline = new Deadline();
    deadline.set(limits.responseTimeoutMs);
    const response = await this.#send(endpoint, call, deadline.signal).finally(() => deadline.clear());

    const { status, headers } = response;
    const isEmpty = response.body === null || headers.get('content-length') === '0';
    const isJson = /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers.get('content-type') ?? '');
    const fault = classifyResponse(response, { isEmpty, isJson }, limits.maxBytes);
    // An error that is a web page says nothing to a program; shown by a browser, it would be a page of ours. That it is
    // no longer wanted is no failure of the answer.
    if (!isJson || fault !== null) response.body?.cancel().catch(() => {});
    if (fault !== null) throw this.#recordProblem(endpoint, call, fault, { status });
    if (status === 401) onUnknownToken(call.bearer);

    const passedOn = this.#withVia(toForwardedHeaders(response, isJson, call.bearer));
    if (isEmpty || !isJson) return { status, headers: passedOn, body: null };
    deadline.set(limits.totalTimeoutMs);
    const body = this.#bodyOf(endpoint, call, response, deadline);
    // What fails before its first byte is no answer yet.
    const first = await body.next();
    return { status, headers: passedOn, body: first.done ? null : chain(first.value, body) };
  }

  /** The answer of an operation that is read here. Throws a `ProblemError` also where the service refuses. */
  async read<E extends Endpoint>(endpoint: E, call: UpstreamCall): Promise<EndpointReading<E>> {
    const { status, headers, body } = await this.call(endpoint, call);
    const bytes = await readBytes(body);
    if (status === 401) throw unknownTokenProblem();
    if (status === 403) throw new ProblemError(403, 'The service behind the gateway gives this token no access.');
    if (status === 429) {
      const wait = headers['retry-after'];
      throw new ProblemError(429, 'The service behind the gateway asks to slow down.', {
        headers: wait === undefined ? {} : { 'retry-after': wait },
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

  /** Ends with a `ProblemError` where the answer does not end as it should. */
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
    // Nobody is there to be told.
    if (call.signal.aborted) return gatewayProblem('broken');
    const { fault, code } = classifyFetchError(error);
    return this.#recordProblem(endpoint, call, fault, { code });
  }

  #recordProblem(
    { method }: Endpoint,
    { requestId }: UpstreamCall,
    fault: UpstreamErrorCode,
    more: object = {},
  ): ProblemError {
    this.#countError(fault);
    this.#options.log.warn({ request_id: requestId, fault, ...more }, 'no answer from the service behind the gateway');
    return gatewayProblem(fault, method !== 'GET');
  }

  #countError(fault: UpstreamErrorCode): void {
    this.errorCounts.set(fault, (this.errorCounts.get(fault) ?? 0) + 1);
  }
}

async function* chain<Item>(first: Item, rest: AsyncIterable<Item>): AsyncGenerator<Item, void, void> {
  yield first;
  yield* rest;
}

/** The bytes of an answer, or null where they are more than are read here. */
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

/** At least as many as there are: each but the first stands behind one of these. */
function valuesIn(bytes: Buffer): number {
  let count = 1;
  for (const byte of bytes) if (byte === COMMA || byte === BRACKET || byte === BRACE) count++;
  return count;
}
const [COMMA, BRACKET, BRACE] = Buffer.from(',[{');

/** A request's id as services write them. It goes into our log: what is no id, or holds the token, does not. */
const isRequestId = (text: string, bearer: string) => /^[\w.:=+/-]{1,128}$/.test(text) && !text.includes(bearer);

function toForwardedHeaders(
  { status, headers }: Response,
  isJson: boolean,
  bearer: string,
): [name: string, value: string][] {
  // What `Connection` names was meant for us alone (RFC 9110, 7.6.1).
  const ours = (headers.get('connection') ?? '').toLowerCase().split(/[\s,]+/);
  const passedOn = FORWARDED_HEADERS.flatMap((name): [string, string][] => {
    const value = ours.includes(name) || (name === 'content-type' && !isJson) ? null : headers.get(name);
    if (value === null || (name === 'x-request-id' && !isRequestId(value, bearer))) return [];
    return [[name, value]];
  });
  // A challenge of its own, such as Basic, would make browsers ask for a password, and send it here from then on.
  return status === 401 ? [...passedOn, ...Object.entries(unknownTokenProblem().headers)] : passedOn;
}

/** Why this is no answer that could be passed on, or null. */
function classifyResponse(
  { status, ok, headers }: Response,
  { isEmpty, isJson }: { isEmpty: boolean; isJson: boolean },
  bytesMax: number,
): UpstreamErrorCode | null {
  // A part of what was asked for, and what is no status.
  if (status === 206 || status > 599) return 'unreadable';
  if (status < 200 || (status >= 300 && status < 400)) return 'redirect';
  if (Number(headers.get('content-length')) > bytesMax) return 'too-large';
  return ok && !isEmpty && !isJson ? 'unreadable' : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
