import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatSortDescriptor, type Page } from '#contract/list.ts';
import { putEvents } from '../contacts/events/putEvents.ts';
import { putContacts, updateContact } from '../contacts/store.ts';
import { CALLER } from '../testing/testDatabase.ts';
import { putAddresses } from '../domains/putAddresses.ts';
import { putDomains } from '../domains/putDomains.ts';
import { putVerdicts } from '../domains/putVerdicts.ts';
import { adviceLine } from '../testing/testLooks.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, listPath, LISTS, type Tenant } from '../testing/testTenants.ts';

const MIB = 1024 * 1024;
const TWO_HOURS = 2 * 3_600_000;
const ANSWER_MAX = 1.25 * MIB;
const VALUE = 'v'.repeat(8 * 1024 - 2);
const attributesOf = (values: number) =>
  Object.fromEntries(Array.from({ length: values }, (_, index) => [`a${index}`, VALUE]));
/** The limit, and a size from before the limit. */
const LARGE = attributesOf(7);
const OLD = JSON.stringify(attributesOf(200));

let service: TestService;
let own: Tenant;
beforeAll(async () => {
  service = await startTestService();
  [own] = await createTwinTenants(service.database, service.clock.now);
  await fill();
});
afterAll(() => service[Symbol.asyncDispose]());

const many = (count: number) => Array.from({ length: count }, (_, index) => index);

async function fill(): Promise<void> {
  const { database, clock } = service;
  const { workspace, contact, domain } = own;
  const contacts = many(150).map((index) => ({
    uuid: randomUUID(),
    subscribed: false,
    created_at: clock.now - (index % 40) * 1000,
    attributes: { email: `c${index}@example.com`, company: `Company ${index % 7}`, ...(index % 2 === 0 && LARGE) },
  }));
  const events = many(150).map((index) => ({
    contact,
    event_name: `page ${index % 5}`,
    created_at: clock.now - (index % 40) * 1000,
    attributes: { ...(index % 2 === 0 && LARGE), index },
  }));
  const value = 'v'.repeat(60 * 1024);
  const domains = many(120).map((index) => ({
    name: `d${index}.example.com`,
    dns: index % 3 > 0 ? [{ type: 'TXT', name: '@', value, is_valid: false }] : [],
  }));
  const addresses = many(120).map((index) => ({ domain, address: `a${index}`, display_name: 'x'.repeat(1000) }));
  await database.write(workspace, async (scope) => {
    await putContacts(scope, contacts, clock.now);
    await putEvents(scope, events, clock.now);
    await putDomains(scope, domains, clock.now);
    await putAddresses(scope, addresses, clock.now);
    const [first, second] = contacts;
    const own = sql`workspace_id = ${workspace.id}`;
    for (const { uuid } of [first, second].filter((one) => one !== undefined)) {
      await sql`update contacts set attributes = ${OLD} where ${own} and uuid = ${uuid}`.execute(scope.kysely);
    }
    await sql`update events set attributes = ${OLD} where ${own} and attributes in (${'{"index":3}'}, ${'{"index":43}'})`.execute(
      scope.kysely,
    );
    await sql`update addresses set display_name = ${VALUE.repeat(20)} where ${own} and address like ${'a1%'}`.execute(
      scope.kysely,
    );
  });
  // Fewer spans a day than are bounded (docs/decisions/0038-domain-history.md).
  for (const look of many(118)) {
    const finding = { found: [look % 3 === 0 ? value : `${look}`] };
    await putVerdicts(
      workspace,
      database,
      domain,
      [adviceLine('dmarc', finding)],
      clock.now + look * TWO_HOURS,
      3_600_000,
    );
  }
  for (let round = 0; round < 90; round++) {
    const changes = Object.fromEntries(Object.keys(LARGE).map((key) => [key, round % 2 === 0 ? VALUE : null]));
    await updateContact(workspace, database, contact, changes, CALLER, clock.now + round);
  }
}

/** Without a UUID: a suppression, a report, a span or a change. */
type Row =
  | { uuid: string }
  | { contact: { uuid: string } }
  | { domain: { uuid: string }; subject?: string; between?: object }
  | { started_at: string };
type SizedPage = Page<Row> & { bytes: number };

async function get(path: string, page: number, perPage: number, more: string): Promise<SizedPage> {
  const response = await service.call(`${path}?page=${page}&per_page=${perPage}${more}`, { token: own.token });
  expect(response.status).toBe(200);
  const text = await response.text();
  return { ...(JSON.parse(text) as Page<Row>), bytes: Buffer.byteLength(text) };
}

async function walk(path: string, perPage: number, more: string, asTold: boolean): Promise<SizedPage[]> {
  const pages: SizedPage[] = [];
  for (let asked = perPage, page = 1; ; page++) {
    const got = await get(path, page, asked, more);
    expect(got.meta.current_page).toBe(page);
    pages.push(got);
    if (!got.meta.has_next) return pages;
    if (asTold) asked = got.meta.per_page;
  }
}

function idOf(row: Row): string {
  if ('uuid' in row) return row.uuid;
  if ('contact' in row) return row.contact.uuid;
  return 'domain' in row ? JSON.stringify([row.domain.uuid, row.subject, row.between]) : row.started_at;
}
const idsOf = (pages: SizedPage[]) => pages.flatMap(({ data }) => data.map(idOf));

const sortedBy = (id: string, desc: boolean) => `&sorting[]=${formatSortDescriptor({ id, desc })}`;
/** A list without large rows belongs into WITHOUT_LARGE_ROWS. */
const CASES: Record<string, { total: number; orders: string[] }> = {
  // With two of each tenant, of which one is unsubscribed.
  listContacts: { total: 152, orders: ['', '&search=company', sortedBy('company', true)] },
  listSuppressions: { total: 151, orders: ['', sortedBy('since', false)] },
  listContactEvents: { total: 162, orders: ['', '&search=page', sortedBy('event_name', false)] },
  listDomains: { total: 121, orders: ['', '&search=example'] },
  listDomainAddresses: { total: 122, orders: [''] },
  listAddresses: { total: 122, orders: ['', '&search=example', sortedBy('domain_name', true)] },
  listContactChanges: { total: 91, orders: [''] },
  listDomainReports: { total: 121, orders: ['', '&search=example'] },
  getDomainHistory: { total: 121, orders: [''] },
  listDomainChanges: { total: 120, orders: [''] },
};

/** No values: at most 20 names of 255 characters per line, or a reason of 500. */
const WITHOUT_LARGE_ROWS = new Set([
  'listChanges',
  'listRuns',
  'listRunContacts',
  'listMembers',
  'listTokens',
  'listSessions',
  'listIncidents',
  'listAcceptances',
  'listSharedLinks',
  'listDestinations',
  'listDeliveries',
]);

describe.each(LISTS.filter(({ id }) => !WITHOUT_LARGE_ROWS.has(id)).map((list) => [list.id, list] as const))(
  '%s',
  (id, list) => {
    const found = CASES[id];
    if (found === undefined) throw new Error(`${id} has no case in this file.`);
    const { total: all, orders } = found;
    const path = () => listPath(list, own);
    test.each(orders)('has readable pages with each record once (%s)', async (more) => {
      const total = (await get(path(), 1, 1, more)).meta.total;
      if (more.includes('search')) expect(total).toBeGreaterThan(100);
      else expect(total).toBe(all);
      const pages = await walk(path(), 100, more, false);
      expect(new Set(idsOf(pages)).size).toBe(total);
      expect(idsOf(pages)).toHaveLength(total);
      expect(idsOf(await walk(path(), 37, more, true))).toEqual(idsOf(pages));
      for (const { bytes, data, meta } of pages) {
        expect(data.length).toBeLessThanOrEqual(meta.per_page);
        expect(bytes > ANSWER_MAX && data.length > 1).toBe(false);
      }
      expect((await get(path(), 1, 100, more)).meta.per_page).toBeLessThan(100);
    });
  },
);

test('a page without large records has the requested size', async () => {
  const { workspace, token } = (await createTwinTenants(service.database, service.clock.now))[1];
  const people = Array.from({ length: 120 }, (_, index) => ({
    attributes: { email: `s${index}@example.com`, note: 'n'.repeat(3800) },
  }));
  await service.database.write(workspace, (scope) => putContacts(scope, people, service.clock.now));
  const response = await service.call('/v1/contacts?per_page=100', { token });
  expect(await response.json()).toMatchObject({ meta: { per_page: 100, total: 122 } });
});
