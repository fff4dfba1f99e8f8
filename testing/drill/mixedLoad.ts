import { setTimeout as delay } from 'node:timers/promises';
import { formatListQuery, type ListQuery, type Page } from '../../contract/list.ts';
import { CONSOLE_HEADER } from '../../contract/session.ts';
import type { Random } from '../../server/demo/seededRandom.ts';

export type MixedLoadTarget = {
  url: string;
  /** Access token of a workspace that may be changed, and its UUID. */
  token: string;
  workspace: string;
  /** The contact with the most events, and the number of contacts with an email like it. */
  busiest: string;
  contacts: number;
  /** UUIDs of domains that can be checked. */
  domains: readonly string[];
  random: Random;
};

type ApiCall = { path: string; method?: string; json?: unknown; headers?: Record<string, string>; expected?: number[] };

/** Milliseconds that a caller waits after each answer. */
const PAUSE = 20;
const EXPORTED_PAGES = 20;

/**
 * Random calls of everything that users and programs do with the service, by as many callers at once, until `signal`.
 * Returns the number of answered calls. An unexpected answer ends it, except a 503 with Retry-After.
 */
export async function runMixedLoad(service: MixedLoadTarget, callers: number, signal: AbortSignal): Promise<number> {
  let answered = 0;
  async function call(again: ApiCall): Promise<Response> {
    const { path, method, json, headers, expected = [200] } = again;
    const response = await fetch(service.url + path, {
      method: method ?? (json === undefined ? 'GET' : 'POST'),
      headers: {
        authorization: `Bearer ${service.token}`,
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    const body = await response.text();
    const wait = response.status === 503 ? Number(response.headers.get('retry-after')) : 0;
    if (wait > 0) {
      await delay(wait * 1000);
      return call(again);
    }
    if (!expected.includes(response.status)) throw new Error(`${path} returned ${response.status}: ${body}`);
    answered++;
    await delay(PAUSE);
    return new Response(response.status === 204 ? null : body, response);
  }

  const acts = actsOf(service, call);
  const caller = async () => {
    while (!signal.aborted) await service.random.pick(acts)();
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return answered;
}

const eventsOf = (contact: string) => `/v1/contacts/${contact}/events`;
const fromConsole = { [CONSOLE_HEADER]: '1' };

function actsOf(
  { token, workspace, busiest, contacts, domains, random }: MixedLoadTarget,
  call: (one: ApiCall) => Promise<Response>,
): (() => Promise<unknown>)[] {
  const someone = () => `c${random.below(contacts)}@example.com`;
  const list = (path: string, query: ListQuery) => call({ path: `${path}?${formatListQuery(query)}` });
  /** A random page anywhere in the list. */
  const anywhere = async (path: string, query: ListQuery = {}) => {
    const { meta } = (await (await list(path, query)).json()) as Page<unknown>;
    await list(path, { ...query, page: 1 + random.below(meta.last_page) });
  };
  const sortedBy = (id: string): ListQuery => ({ sorting: [{ id, desc: random.chance(0.5) }] });

  return [
    () => anywhere(eventsOf(busiest), sortedBy('created_at')),
    () => anywhere(eventsOf(busiest), sortedBy('event_name')),
    () => anywhere(eventsOf(busiest), { search: random.pick(['EMAIL_', 'e', 'order_paid', 'refund', random.uuid()]) }),
    () => anywhere(eventsOf(someone())),
    () => anywhere('/v1/contacts', sortedBy(random.pick(['email', 'company', 'created_at']))),
    () => anywhere('/v1/contacts', { search: `c${random.below(1000)}` }),
    () => anywhere('/v1/contacts', { filters: { subscribed: false } }),
    () => anywhere('/v1/domains', sortedBy('name')),
    () => anywhere(`/v1/domains/${random.pick(domains)}/addresses`),
    () => anywhere(`/v1/contacts/${someone()}/changes`),
    () => call({ path: `/v1/contacts/${someone()}` }),
    () => call({ path: `/v1/contacts/${random.uuid()}`, expected: [404] }),
    () => call({ path: '/v1/domains?per_page=many', expected: [422] }),
    () => call({ path: `/v1/contacts/${someone()}`, json: { attributes: { first_name: random.uuid() } } }),
    async () => {
      const path = `/v1/workspaces/${workspace}/contacts/${someone()}`;
      await call({ path: `${path}/unsubscribe`, method: 'POST' });
      await call({ path: `${path}/subscribe`, json: { reason: 'Asked for it again' } });
    },
    // The queue of checks may be full.
    () => call({ path: `/v1/domains/${random.pick(domains)}/check`, method: 'POST', expected: [200, 429] }),
    async () => {
      const opened = await call({ path: '/session', json: { token }, headers: fromConsole });
      const headers = {
        ...fromConsole,
        authorization: '',
        cookie: opened.headers.getSetCookie()[0]?.split(';')[0] ?? '',
      };
      await call({ path: '/session', headers });
      await call({ path: '/session', method: 'DELETE', headers, expected: [204] });
    },
    () => call({ path: '/session', json: { token: random.uuid() }, headers: fromConsole, expected: [401, 429] }),
    async () => {
      for (let page = 1; page <= EXPORTED_PAGES; page++) await list(eventsOf(busiest), { per_page: 100, page });
    },
  ];
}
