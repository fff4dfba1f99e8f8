import type { ListQuery } from '../../contract/list.ts';
import { BUSIEST_CONTACT, BUSIEST_DOMAIN, CONTACTS, openContactStores, RARE_EVENT } from './contactStores.ts';
import { type Case, firstPage, measureCases, sorted } from './listCases.ts';
import { ENGINES } from './stores.ts';
import type { BenchmarkRow } from './measure/table.ts';

// Lists of contacts, events, domains and addresses over HTTP: ratios to a first page of the same run, and how they grow.

const UNSUBSCRIBED: ListQuery = { filters: { subscribed: false } };
const MANY: ListQuery = { search: 'engineer' };

const CONTACT_PAGE = firstPage('contacts', '/v1/contacts');
const SEARCH_PAGE: Case = { ...CONTACT_PAGE, what: 'search, many hits (a quarter)', query: MANY, base: CONTACT_PAGE };
const DOMAIN_PAGE = firstPage('domains', '/v1/domains');
const ADDRESS_PAGE = firstPage('addresses', `/v1/domains/${BUSIEST_DOMAIN}/addresses`);

const EVENT_PAGE = firstPage('events', `/v1/contacts/${BUSIEST_CONTACT}/events`);

const NEAR = 'at most 3, x 1.5';
const MIDDLE = 'at 100,000 at most 5; at a million 30 ms on SQLite, 100 ms on PostgreSQL';
const contacts = (what: string, depth: number, query: ListQuery = {}, goal = MIDDLE): Case => {
  return { what: `contacts, ${what}`, path: CONTACT_PAGE.path, depth, query, base: CONTACT_PAGE, goal };
};
const events = (what: string, depth: number, goal: string, search?: string): Case => {
  return {
    ...EVENT_PAGE,
    what: `events, ${what}`,
    depth,
    query: search === undefined ? {} : { search },
    base: EVENT_PAGE,
    goal,
  };
};
const found = (what: string, depth: number, more: ListQuery): Case => {
  const query = { ...MANY, ...more };
  return {
    ...CONTACT_PAGE,
    what: `search, many hits, ${what}`,
    depth,
    query,
    base: SEARCH_PAGE,
    goal: depth === 0.5 ? '' : 'at most 5, x 1.5',
  };
};

const CASES: readonly Case[] = [
  CONTACT_PAGE,
  contacts('last page', 1, {}, NEAR),
  contacts('in the middle', 0.5),
  contacts('by email, in the middle', 0.5, sorted('email')),
  contacts('by company, in the middle', 0.5, sorted('company')),
  contacts('last changed first, in the middle', 0.5, sorted('-updated_at')),
  contacts('by company, then newest, in the middle', 0.5, sorted('company', '-created_at'), ''),
  contacts('not subscribed, first page', 0, UNSUBSCRIBED, NEAR),
  contacts('not subscribed, in the middle', 0.5, UNSUBSCRIBED),
  contacts('not subscribed by email, in the middle', 0.5, { ...UNSUBSCRIBED, ...sorted('email') }),
  contacts('search with no hit', 0, { search: 'nothing' }, 'at most 5, x 1.5'),
  contacts('search with few hits (20)', 0, { search: 'rarity' }, 'at most 5, x 1.5'),
  SEARCH_PAGE,
  found('in the middle', 0.5, {}),
  found('by email, in the middle', 0.5, sorted('email')),
  found('by email, last page', 1, sorted('email')),
  found('subscribed', 0, { filters: { subscribed: true } }),
  found('not subscribed', 0, UNSUBSCRIBED),
  found('not subscribed, in the middle', 0.5, UNSUBSCRIBED),
  contacts('search of two letters', 0, { search: 'os' }, ''),
  EVENT_PAGE,
  events('last page', 1, NEAR),
  events('in the middle', 0.5, MIDDLE),
  events('search with many hits', 0, NEAR, 'email_'),
  events('search with many hits, in the middle', 0.5, MIDDLE, 'email_'),
  events('search with few hits (20)', 0, NEAR, RARE_EVENT),
  events('search with no hit', 0, NEAR, 'nothing'),
  DOMAIN_PAGE,
  { ...DOMAIN_PAGE, what: 'domains, in the middle', depth: 0.5, base: DOMAIN_PAGE, goal: MIDDLE },
  { ...ADDRESS_PAGE, base: DOMAIN_PAGE },
  { ...ADDRESS_PAGE, what: 'addresses, in the middle', depth: 0.5, base: ADDRESS_PAGE, goal: MIDDLE },
  { ...ADDRESS_PAGE, what: 'addresses, last page', depth: 1, base: ADDRESS_PAGE, goal: NEAR },
];

export async function measureContactLists(folder: string): Promise<BenchmarkRow[]> {
  const stores = await openContactStores(folder);
  try {
    const rows: BenchmarkRow[] = [];
    for (const engine of ENGINES) rows.push(...(await measureCases(engine, stores, CONTACTS, CASES)));
    return rows;
  } finally {
    await stores.stop();
  }
}
