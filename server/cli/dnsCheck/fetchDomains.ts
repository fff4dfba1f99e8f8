import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import { parseJson } from '#contract/values/json.ts';
import { listAcceptances } from '#contract/domains/domainHistory.ts';
import type { ReadableAcceptance } from '#contract/domains/domainReport.ts';
import { listDomains } from '#contract/interface.ts';
import { formatListQuery, PER_PAGE_MAX, type Page } from '#contract/list.ts';
import { toPrintable } from '../terminal/printable.ts';
import { CommandError } from '../terminal/terminal.ts';
import { readLimited } from '../terminal/readText.ts';

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
  // A domain may move to another page between two requests.
  for await (const domain of fetchAll<ReadableDomain>({ baseUrl, token, list: listDomains, what: 'domains' })) {
    domains.set(domain.uuid, domain);
  }
  return [...domains.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The faults that somebody accepts in the service; none from a service without them. Throws `CommandError`. */
export async function fetchAcceptances(baseUrl: URL, token: string): Promise<ReadableAcceptance[]> {
  const source = { baseUrl, token, list: listAcceptances, what: 'accepted faults', isOptional: true };
  return Array.fromAsync(fetchAll<ReadableAcceptance>(source));
}

type ListSource<Item> = {
  baseUrl: URL;
  token: string;
  list: { path: string; reading: z.ZodMiniType<Page<Item>> };
  /** In messages. */
  what: string;
  /** Whether a service may lack it. */
  isOptional?: boolean;
};

async function* fetchAll<Item>(source: ListSource<Item>): AsyncGenerator<Item> {
  const { what } = source;
  for (let page = 1; page <= PAGES_MAX; page++) {
    const fetched = await fetchPage(source, page);
    if (fetched === null) return;
    const { data, meta } = fetched;
    if (meta.current_page !== page) {
      throw new CommandError(`The service returned page ${meta.current_page} of its ${what} instead of page ${page}.`);
    }
    yield* data;
    if (!meta.has_next) return;
  }
  throw new CommandError(`The service has more than ${PAGES_MAX} pages of ${what}.`);
}

/** Null where the service lacks the list, and may. */
async function fetchPage<Item>(
  { baseUrl, token, list, what, isOptional = false }: ListSource<Item>,
  page: number,
): Promise<Page<Item> | null> {
  const query = formatListQuery({ page, per_page: PER_PAGE_MAX });
  const address = `${baseUrl.href.replace(/\/$/, '')}${list.path}?${query.toString()}`;
  const { response, body } = await fetchWithRetries(address, token);
  const { status, headers } = response;
  if (status === 404 && isOptional) return null;
  if (status >= 300 && status < 400) {
    const target = toPrintable((headers.get('location') ?? 'another address').replace(/\?.*/s, ''), 200);
    throw new CommandError(
      `The service at ${baseUrl.origin} redirects to ${target}, which doesn't get the token. If the service is there, use it as --base-url.`,
    );
  }
  if (status === 401) throw new CommandError("The service doesn't accept the token.");
  if (isTransient(status))
    throw new ServiceUnavailableError(`The service keeps responding ${status} to the list of ${what}.`);
  if (!response.ok) throw new CommandError(`The service responded ${status} to the list of ${what}.`);
  const read = z.safeParse(list.reading, parseJson(body));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = issue === undefined || issue.path.length === 0 ? '' : `: see ${issue.path.join('.')}`;
  throw new CommandError(`The service's response isn't a list of ${what}${field}.`);
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
