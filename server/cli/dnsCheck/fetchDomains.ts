import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { ReadableDomain } from '#contract/domain.ts';
import { parseJson } from '#contract/values/json.ts';
import { listDomains } from '#contract/interface.ts';
import { formatListQuery, PER_PAGE_MAX, type Page } from '#contract/list.ts';
import { toPrintable } from '../terminal/printable.ts';
import { CommandError } from '../terminal/terminal.ts';
import { readLimited } from './readText.ts';

export class ServiceUnavailableError extends CommandError {}

/** Milliseconds: for all attempts at one page; between attempts. */
const TIMEOUT = 30_000;
const PAUSES = [500, 2000];
const PAGES_MAX = 10_000;
/** Bytes of a page. */
const PAGE_BYTES_MAX = 16 * 1024 * 1024;

/** Sorted by name. Throws `CommandError`. */
export async function fetchDomains(baseUrl: URL, token: string): Promise<ReadableDomain[]> {
  const domains = new Map<string, ReadableDomain>();
  for (let page = 1; page <= PAGES_MAX; page++) {
    const { data, meta } = await fetchPage(baseUrl, token, page);
    if (meta.current_page !== page) {
      throw new CommandError(`The service returned page ${meta.current_page} of its domains instead of page ${page}.`);
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
  const { response, body } = await fetchWithRetries(address, token);
  const { status, headers } = response;
  if (status >= 300 && status < 400) {
    const target = toPrintable((headers.get('location') ?? 'another address').replace(/\?.*/s, ''), 200);
    throw new CommandError(
      `The service at ${baseUrl.origin} redirects to ${target}, which doesn't get the token. If the service is there, use it as --base-url.`,
    );
  }
  if (status === 401) throw new CommandError("The service doesn't accept the token.");
  if (isTransient(status))
    throw new ServiceUnavailableError(`The service keeps responding ${status} to the list of domains.`);
  if (!response.ok) throw new CommandError(`The service responded ${status} to the list of domains.`);
  const read = z.safeParse(listDomains.reading, parseJson(body));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = issue === undefined || issue.path.length === 0 ? '' : `: see ${issue.path.join('.')}`;
  throw new CommandError(`The service's response isn't a list of domains${field}.`);
}

const isTransient = (status: number) => status >= 500 || status === 429;

/** Throws `ServiceUnavailableError` if no attempt gets a whole response in time. */
async function fetchWithRetries(address: string, token: string): Promise<{ response: Response; body: string }> {
  const signal = AbortSignal.timeout(TIMEOUT);
  for (const pause of [...PAUSES, null]) {
    try {
      const response = await fetch(address, {
        headers: { accept: 'application/json', authorization: `Bearer ${token}` },
        // A redirect would take the token elsewhere.
        redirect: 'manual',
        signal,
      });
      const body = await readLimited(response.body ?? [], PAGE_BYTES_MAX, 'A page of the service');
      if (pause === null || !isTransient(response.status)) return { response, body };
    } catch (cause) {
      if (cause instanceof CommandError) throw cause;
      if (pause === null || signal.aborted) {
        const why = signal.aborted ? `didn't respond within ${TIMEOUT / 1000} seconds` : "can't be reached";
        throw new ServiceUnavailableError(`The service at ${new URL(address).origin} ${why}.`, { cause });
      }
    }
    await delay(pause);
  }
  throw new Error('The last attempt returns or throws.');
}
