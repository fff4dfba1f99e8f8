import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { buildPath, type Endpoint, type Reading } from '#contract/endpoint.ts';
import { unknownToken } from '../auth.ts';
import { Refusal } from '../problems.ts';
import type { Log } from '../requestLog.ts';
import { type Fault, faultOf, gatewayRefusal, neverArrived } from './faults.ts';

/** Times in milliseconds, from sending the call. */
export type UpstreamLimits = {
  /** Until the answer begins: the console waits 15 seconds, and should hear why there is none. */
  begin: number;
  /** Until it has ended. */
  whole: number;
  /** Size of an answer, in bytes. */
  bytes: number;
};

export const UPSTREAM_LIMITS: UpstreamLimits = { begin: 12_000, whole: 60_000, bytes: 16 * 1024 * 1024 };

/** One call of an operation, on behalf of a caller. */
export type UpstreamCall = {
  params: Record<string, string>;
  /** The query string, without its question mark. */
  search?: string;
  body?: Uint8Array | undefined;
  bearer: string;
  /** Id of the caller's request, for the log. */
  requestId: string;
  /** Aborts when the caller has gone. */
  signal: AbortSignal;
};

/** What is passed on of an answer. `body` fails where the connection breaks. */
export type UpstreamAnswer = {
  status: number;
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array> | null;
};

/** Of an answer; whatever else the service sends is for the gateway alone. */
const PASSED_ON = ['content-type', 'retry-after', 'www-authenticate', 'x-request-id'];

/** The service behind the gateway. Its address comes from the settings, and the path from the interface: nothing of them from a caller. */
export class Upstream {
  readonly #base: string;
  readonly #limits: UpstreamLimits;
  readonly #log: Log;
  /** What this gateway calls itself in the header Via (RFC 9110, 7.6.3). */
  readonly #name = `sendroom-${randomBytes(6).toString('hex')}`;

  constructor(base: URL, limits: UpstreamLimits, log: Log) {
    this.#base = base.href.replace(/\/$/, '');
    this.#limits = limits;
    this.#log = log;
  }

  /** Throws a `Refusal` when the request has come through this very gateway before. */
  refuseLoop(via: string | undefined): void {
    if (via?.includes(this.#name)) throw gatewayRefusal('loop');
  }

  /** The answer as the service gave it. Throws a `Refusal` of the gateway's own where there is none. */
  async call(endpoint: Endpoint, call: UpstreamCall): Promise<UpstreamAnswer> {
    const response = await this.#send(endpoint, call);
    const { status, headers } = response;
    const refuse = (fault: Fault) => this.#refuse(endpoint, call, response, fault);
    if (status < 200 || (status >= 300 && status < 400)) throw refuse('redirect');
    if (Number(headers.get('content-length')) > this.#limits.bytes) throw refuse('too-large');
    const isEmpty = response.body === null || headers.get('content-length') === '0';
    const isJson = /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers.get('content-type') ?? '');
    if (response.ok && !isEmpty && !isJson) throw refuse('unreadable');
    // An error that is a web page says nothing to a program; shown by a browser, it would be a page of ours.
    if (!isJson) await response.body?.cancel();
    const passedOn = PASSED_ON.flatMap((name) => {
      const value = name === 'content-type' && !isJson ? null : headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    return {
      status,
      headers: { ...Object.fromEntries(passedOn), via: `1.1 ${this.#name}` },
      body: isEmpty || !isJson ? null : this.#bounded(response.body as AsyncIterable<Uint8Array>),
    };
  }

  /** The answer of an operation that is read here. Throws a `Refusal` also where the service refuses. */
  async read<E extends Endpoint>(endpoint: E, call: UpstreamCall): Promise<Reading<E>> {
    const { status, headers, body } = await this.call(endpoint, call);
    const text = await this.#textOf(endpoint, call, body);
    if (status === 401) throw unknownToken();
    if (status === 403) throw new Refusal(403, 'The service behind the gateway gives this token no access.');
    if (status === 429) {
      const wait = headers['retry-after'];
      throw new Refusal(429, 'The service behind the gateway asks to slow down.', {
        headers: wait === undefined ? {} : { 'retry-after': wait },
      });
    }
    if (status >= 400) throw gatewayRefusal('failed');
    const reading = z.safeParse(endpoint.reading, parseJson(text));
    if (!reading.success) throw gatewayRefusal('unreadable');
    return reading.data as Reading<E>;
  }

  async #send(endpoint: Endpoint, { params, search = '', body, bearer, signal, requestId }: UpstreamCall) {
    const address = new URL(this.#base + buildPath<Endpoint>(endpoint, params));
    address.search = search;
    const begin = new AbortController();
    const timer = setTimeout(() => begin.abort(new DOMException('', 'TimeoutError')), this.#limits.begin);
    try {
      return await fetch(address, {
        method: endpoint.method,
        headers: {
          accept: 'application/json',
          'accept-encoding': 'identity',
          authorization: `Bearer ${bearer}`,
          'content-type': 'application/json',
          'user-agent': 'sendroom',
          via: `1.1 ${this.#name}`,
        },
        body: body === undefined ? null : (body as Uint8Array<ArrayBuffer>),
        redirect: 'manual',
        signal: AbortSignal.any([signal, begin.signal, AbortSignal.timeout(this.#limits.whole)]),
      });
    } catch (error) {
      // Nobody is there to be answered.
      if (signal.aborted) throw gatewayRefusal('broken');
      const { fault, code } = faultOf(error);
      this.#log.warn({ request_id: requestId, fault, code }, 'no answer from the service behind the gateway');
      throw gatewayRefusal(fault, endpoint.method !== 'GET' && !neverArrived(fault));
    } finally {
      clearTimeout(timer);
    }
  }

  #refuse(endpoint: Endpoint, { requestId }: UpstreamCall, response: Response, fault: Fault): Refusal {
    // What it fails with is about an answer that nobody wants.
    response.body?.cancel().catch(() => {});
    const { status } = response;
    this.#log.warn({ request_id: requestId, fault, status }, 'no answer from the service behind the gateway');
    return gatewayRefusal(fault, endpoint.method !== 'GET');
  }

  async *#bounded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
    let size = 0;
    for await (const chunk of body) {
      size += chunk.byteLength;
      if (size > this.#limits.bytes) throw gatewayRefusal('too-large');
      yield chunk;
    }
  }

  async #textOf(endpoint: Endpoint, { requestId }: UpstreamCall, body: UpstreamAnswer['body']): Promise<string> {
    try {
      return Buffer.concat(await Array.fromAsync(body ?? [])).toString();
    } catch (error) {
      if (error instanceof Refusal) throw error;
      const { fault, code } = faultOf(error);
      this.#log.warn({ request_id: requestId, fault, code }, 'no answer from the service behind the gateway');
      throw gatewayRefusal(fault, endpoint.method !== 'GET');
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
