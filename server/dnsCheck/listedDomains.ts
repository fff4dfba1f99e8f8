import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { ReadableDomain } from '#contract/domain.ts';
import { listDomains } from '#contract/interface.ts';
import { formatListQuery, PER_PAGE_MAX, type Page } from '#contract/list.ts';
import { CommandFailure } from '../admin/commandFailure.ts';
import { ServiceAway } from './serviceAway.ts';

/** Milliseconds for one page, and the pauses before it is asked for again. */
const TIMEOUT = 15_000;
const PAUSES = [500, 2000];
const PAGES_MAX = 10_000;

/** Every domain of the token's workspace. Throws `CommandFailure`. */
export async function fetchDomains(baseUrl: URL, token: string): Promise<ReadableDomain[]> {
  const domains = new Map<string, ReadableDomain>();
  for (let page = 1; page <= PAGES_MAX; page++) {
    const { data, meta } = await fetchPage(baseUrl, token, page);
    if (meta.current_page !== page) {
      throw new CommandFailure(
        `The service was asked for page ${page} of its domains and gave page ${meta.current_page}.`,
      );
    }
    // While pages are walked a domain may move from one to the next.
    for (const domain of data) domains.set(domain.uuid, domain);
    if (!meta.has_next) return [...domains.values()];
  }
  throw new CommandFailure(`The service has more than ${PAGES_MAX} pages of domains.`);
}

async function fetchPage(baseUrl: URL, token: string, page: number): Promise<Page<ReadableDomain>> {
  const query = formatListQuery({ page, per_page: PER_PAGE_MAX, sorting: [{ id: 'name', desc: false }] });
  const address = `${baseUrl.href.replace(/\/$/, '')}${listDomains.path}?${query.toString()}`;
  const response = await fetchWithPatience(address, token);
  if (response.status === 401) throw new CommandFailure('The service does not accept the token.');
  if (isPassing(response)) {
    throw new ServiceAway(
      `The service answered ${response.status} to the list of domains, and again when asked later.`,
    );
  }
  if (!response.ok) throw new CommandFailure(`The service answered ${response.status} to the list of domains.`);
  const read = z.safeParse(listDomains.reading, await json(response));
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = issue === undefined || issue.path.length === 0 ? '' : `: see ${issue.path.join('.')}`;
    throw new CommandFailure(`The service did not answer with a list of domains${field}.`);
  }
  return read.data;
}

/** Busy or out of order for now. */
function isPassing({ status }: Response): boolean {
  return status >= 500 || status === 429;
}

async function fetchWithPatience(address: string, token: string): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const pause = PAUSES[attempt];
    try {
      const response = await fetch(address, {
        headers: { accept: 'application/json', authorization: `Bearer ${token}` },
        // The token is for this address alone.
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT),
      });
      if (pause === undefined || !isPassing(response)) return response;
      await response.body?.cancel();
    } catch (cause) {
      if (pause === undefined)
        throw new ServiceAway(`The service at ${new URL(address).origin} cannot be reached.`, { cause });
    }
    await delay(pause);
  }
}

async function json(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}
