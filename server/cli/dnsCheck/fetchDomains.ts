import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { ReadableDomain } from '#contract/domain.ts';
import { parseJson } from '#contract/values/json.ts';
import { listDomains } from '#contract/interface.ts';
import { formatListQuery, PER_PAGE_MAX, type Page } from '#contract/list.ts';
import { toPrintable } from '../terminal/printable.ts';
import { CommandError } from '../terminal/terminal.ts';

/** The service does not respond. A later run may succeed. */
export class ServiceUnavailableError extends CommandError {}

/** Milliseconds: without any data, for all tries of a page; for one page; between tries. */
const IDLE_TIMEOUT = 10_000;
const PAGE_TIMEOUT = 30_000;
const PAUSES = [500, 2000];
const PAGES_MAX = 10_000;
/** Bytes of a page. */
const PAGE_BYTES_MAX = 16 * 1024 * 1024;

/** `redirect` is the target of a redirect, or null. */
type PageResponse = { status: number; redirect: string | null; body: string };

/** Sorted by name here: the interface does not show its sortable columns. Throws `CommandError`. */
export async function fetchDomains(baseUrl: URL, token: string): Promise<ReadableDomain[]> {
  const domains = new Map<string, ReadableDomain>();
  for (let page = 1; page <= PAGES_MAX; page++) {
    const { data, meta } = await fetchPage(baseUrl, token, page);
    if (meta.current_page !== page) {
      throw new CommandError(
        `The service was asked for page ${page} of its domains and gave page ${meta.current_page}.`,
      );
    }
    // A domain may move to another page between two requests.
    for (const domain of data) domains.set(domain.uuid, domain);
    if (!meta.has_next) return [...domains.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }
  throw new CommandError(`The service has more than ${PAGES_MAX} pages of domains.`);
}

async function fetchPage(baseUrl: URL, token: string, page: number): Promise<Page<ReadableDomain>> {
  const query = formatListQuery({ page, per_page: PER_PAGE_MAX });
  const address = `${baseUrl.href.replace(/\/$/, '')}${listDomains.path}?${query.toString()}`;
  const { status, redirect, body } = await fetchWithTimeout(address, token);
  if (redirect !== null) {
    throw new CommandError(
      `The service at ${baseUrl.origin} answers with a redirect to ${toPrintable(redirect, 200)}, where the token is not sent. If the service is there, name it with --base-url.`,
    );
  }
  if (status === 401) throw new CommandError('The service does not accept the token.');
  if (isPassing(status)) {
    throw new ServiceUnavailableError(
      `The service answered ${status} to the list of domains, and again when asked later.`,
    );
  }
  if (status < 200 || status > 299) throw new CommandError(`The service answered ${status} to the list of domains.`);
  const read = z.safeParse(listDomains.reading, parseJson(body));
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = issue === undefined || issue.path.length === 0 ? '' : `: see ${issue.path.join('.')}`;
    throw new CommandError(`The service did not answer with a list of domains${field}.`);
  }
  return read.data;
}

/** Whether a status is transient. */
function isPassing(status: number): boolean {
  return status >= 500 || status === 429;
}

async function fetchWithTimeout(address: string, token: string): Promise<PageResponse> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const idleTimer = setTimeout(abort, IDLE_TIMEOUT);
  const pageTimer = setTimeout(abort, PAGE_TIMEOUT);
  try {
    return await fetchWithRetries(address, token, controller.signal, () => idleTimer.refresh());
  } finally {
    clearTimeout(idleTimer);
    clearTimeout(pageTimer);
  }
}

/** `onProgress` is called for all data. Throws `ServiceUnavailableError`, also when `signal` aborts. */
async function fetchWithRetries(
  address: string,
  token: string,
  signal: AbortSignal,
  onProgress: () => void,
): Promise<PageResponse> {
  for (let attempt = 0; ; attempt++) {
    const pause = PAUSES[attempt];
    let isReached = false;
    try {
      const response = await fetch(address, {
        headers: { accept: 'application/json', authorization: `Bearer ${token}` },
        // A redirect is not followed: the token is for this address only.
        redirect: 'manual',
        signal,
      });
      isReached = true;
      onProgress();
      const { status } = response;
      const answer = { status, redirect: redirectOf(response), body: await readBody(response, onProgress) };
      if (pause === undefined || !isPassing(status)) return answer;
    } catch (cause) {
      if (cause instanceof CommandError) throw cause;
      if (pause === undefined || signal.aborted) {
        throw new ServiceUnavailableError(
          `The service at ${new URL(address).origin} ${describeFetchError(isReached, signal)}.`,
          { cause },
        );
      }
    }
    await delay(pause);
  }
}

function describeFetchError(isReached: boolean, { aborted }: AbortSignal): string {
  if (isReached) return 'does not finish its answer';
  return aborted ? `did not answer within ${IDLE_TIMEOUT / 1000} seconds` : 'cannot be reached';
}

async function readBody({ body }: Response, onProgress: () => void): Promise<string> {
  const decoder = new TextDecoder();
  let size = 0;
  let text = '';
  for await (const piece of body ?? []) {
    onProgress();
    size += piece.length;
    if (size > PAGE_BYTES_MAX) throw new CommandError('The service answers with a page of more than 16 MiB.');
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

function redirectOf({ status, headers, url }: Response): string | null {
  const location = status >= 300 && status < 400 ? headers.get('location') : null;
  if (location === null || !URL.canParse(location, url)) return location;
  const { origin, pathname } = new URL(location, url);
  return `${origin}${pathname}`;
}
