import { Resolver } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { isSpecialUse } from '../../dns/wire/specialUse.ts';
import { VERSION } from '../../settings/program.ts';

/** Milliseconds for the whole call. */
const TIMEOUT = 15_000;
/** Milliseconds for a query of an address, of which two are made. */
const LOOK_UP_TIMEOUT = 2500;
/** Bytes of a response that are read. */
const RESPONSE_MAX = 64 * 1024;

/** `retryAfter`: seconds that the receiver asked for. `isGone`: it responded with 410. */
type Failure = {
  isDelivered: false;
  detail: string;
  isFinal?: true;
  isGone?: true;
  /** The receiver didn't say whether it has the message. */
  mayHaveArrived?: true;
  /** The service stopped first. */
  isHalted?: true;
  retryAfter?: number;
};
export type Outcome = { isDelivered: true; detail: string } | Failure;

/** What a sender says that its `halt` kept from an outcome. */
export const HALTED = {
  isDelivered: false,
  detail: 'The service stopped before the receiver responded.',
  isHalted: true,
} as const;

/** Whether webhooks may go to this address although it isn't public. */
export type IsAllowed = (address: string) => boolean;

/** Posts `body` to one of the host's public addresses, until `halt` aborts. Redirects aren't followed. Never rejects. */
export async function postWebhook(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  { isAllowed, halt }: { isAllowed: IsAllowed; halt: AbortSignal },
): Promise<Outcome> {
  const timeout = AbortSignal.timeout(TIMEOUT);
  const signal = AbortSignal.any([timeout, halt]);
  const progress = { isSent: false };
  try {
    const addresses = await resolveAddresses(url.hostname, isAllowed, signal);
    if (addresses.length === 0) return { isDelivered: false, detail: `${url.hostname} has no public address.` };
    if (url.protocol !== 'https:' && !addresses.every(isAllowed)) {
      return { isDelivered: false, detail: 'http is only for addresses in WEBHOOK_PRIVATE_ADDRESSES.', isFinal: true };
    }
    const onSent = () => (progress.isSent = true);
    return judgeResponse(await send(url, addresses, { headers, body, signal, onSent }));
  } catch (error) {
    const detail = timeout.aborted ? `No response within ${TIMEOUT / 1000} seconds.` : `${(error as Error).message}.`;
    const failure = halt.aborted ? HALTED : ({ isDelivered: false, detail } as const);
    return { ...failure, ...(progress.isSent && { mayHaveArrived: true }) };
  }
}

/** The addresses to connect to, so that a second look-up can't lead elsewhere. */
async function resolveAddresses(hostname: string, isAllowed: IsAllowed, signal: AbortSignal): Promise<string[]> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(host) === 0 ? await lookUp(host, signal) : [host];
  return addresses.filter((address) => !isSpecialUse(address) || isAllowed(address));
}

/** Unlike `dns.lookup`, it takes none of the few threads, which slow name servers would keep from everything else. */
async function lookUp(host: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: LOOK_UP_TIMEOUT, tries: 2 });
  signal.addEventListener('abort', () => resolver.cancel(), { once: true });
  const results = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = results.filter((one) => one.status === 'fulfilled').flatMap(({ value }) => value);
  const failed = results.find((one) => one.status === 'rejected');
  if (found.length === 0 && failed !== undefined) throw failed.reason as Error;
  return found;
}

type Response = { status: number; retryAfter: string | undefined };

type Call = {
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
  /** When all of it has left. */
  onSent: () => void;
};

/** The status and headers decide: whatever comes of the body, the receiver has the message. */
function send(url: URL, addresses: readonly string[], { headers, body, signal, onSent }: Call): Promise<Response> {
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
      lookup: (_host, { all }, callback) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        const [{ address, family }] = found as [(typeof found)[number]];
        if (all === true) callback(null, found);
        else callback(null, address, family);
      },
    });
    request.on('error', reject);
    request.on('finish', onSent);
    // Without an error after a status that switches protocols. A promise settles once.
    request.on('close', () => reject(new Error('The receiver closed the connection')));
    request.on('response', (response) => {
      const { statusCode: status = 0, headers: received } = response;
      resolve({ status, retryAfter: received['retry-after'] });
      drain(response);
    });
    request.end(body);
  });
}

/** Reads a body to its end, so that the receiver sees none of its writes fail, unless it's large or slow. */
function drain(response: IncomingMessage): void {
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > RESPONSE_MAX) response.destroy();
  });
  // Nothing follows from it.
  response.on('error', () => {});
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
