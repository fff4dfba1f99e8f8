import { lookup } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { isSpecialUse } from '../../dns/wire/specialUse.ts';
import { VERSION } from '../../settings/program.ts';

/** Milliseconds for the whole call. */
const TIMEOUT = 15_000;
/** Bytes of a response that are read. */
const RESPONSE_MAX = 64 * 1024;

/** `retryAfter`: seconds that the receiver asked for. `isGone`: it wants no more messages. */
export type Outcome =
  | { isDelivered: true; detail: string }
  | { isDelivered: false; detail: string; isFinal?: true; isGone?: true; retryAfter?: number };

/** Whether webhooks may go to this address although it isn't public. */
export type IsAllowed = (address: string) => boolean;

/** Posts `body` to one of the host's public addresses. Redirects aren't followed. Never rejects. */
export async function postWebhook(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  isAllowed: IsAllowed,
): Promise<Outcome> {
  const signal = AbortSignal.timeout(TIMEOUT);
  try {
    const address = await beforeAbort(resolveAddress(url.hostname, isAllowed), signal);
    if (typeof address !== 'string') return { isDelivered: false, ...address };
    if (url.protocol !== 'https:' && !isAllowed(address)) {
      return { isDelivered: false, detail: 'http is only for addresses in WEBHOOK_PRIVATE_ADDRESSES.', isFinal: true };
    }
    return judgeResponse(await send(url, address, headers, body, signal));
  } catch (error) {
    const detail = signal.aborted ? `No response within ${TIMEOUT / 1000} seconds.` : `${(error as Error).message}.`;
    return { isDelivered: false, detail };
  }
}

/** The address to connect to, so that a second look-up can't lead elsewhere; or why there is none. */
async function resolveAddress(
  hostname: string,
  isAllowed: IsAllowed,
): Promise<string | { detail: string; isFinal?: true }> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(host) === 0 ? (await lookup(host, { all: true })).map(({ address }) => address) : [host];
  const usable = addresses.find((address) => !isSpecialUse(address) || isAllowed(address));
  return usable ?? { detail: `${host} has no public address.` };
}

type Response = { status: number; retryAfter: string | undefined };

function send(
  url: URL,
  address: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': `Sendroom/${VERSION}`,
      },
      // A connection of an earlier call could lead to an address that isn't allowed any more.
      agent: false,
      signal,
      // With `all`, as Node asks for it, the answer is a list.
      lookup: (_host, options, callback) => {
        const found = { address, family: isIP(address) };
        if (options.all === true) callback(null, [found]);
        else callback(null, found.address, found.family);
      },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      let size = 0;
      const { statusCode: status = 0, headers: received } = response;
      // The status decides: whatever comes of the body, the receiver has the message.
      const done = () => resolve({ status, retryAfter: received['retry-after'] });
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > RESPONSE_MAX) response.destroy();
      });
      response.on('close', done);
      response.on('error', done);
    });
    request.end(body);
  });
}

function judgeResponse({ status, retryAfter }: Response): Outcome {
  const detail = `The receiver responded with ${status}.`;
  if (status >= 200 && status < 300) return { isDelivered: true, detail };
  if (status === 410) return { isDelivered: false, detail, isGone: true };
  if (status >= 300 && status < 400) return { isDelivered: false, detail: `${detail} Redirects aren't followed.` };
  return { isDelivered: false, detail, retryAfter: secondsIn(retryAfter) };
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
function secondsIn(retryAfter = ''): number {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0 : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

function beforeAbort<Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return Promise.race([
    result,
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    }),
  ]);
}
