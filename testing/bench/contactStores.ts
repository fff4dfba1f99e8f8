import { sql } from 'kysely';
import { COMMAND } from '../../server/database/changeLog/author.ts';
import { chunks } from '../../server/database/chunks.ts';
import type { Database } from '../../server/database/database.ts';
import { rebuildSearchIndex } from '../../server/database/search/searchContacts.ts';
import type { Workspace } from '../../server/database/workspace.ts';
import { hashOf, insertInRanges, phoneDigitsOf, uuidOf, withoutIndexes, wordOf } from './bulkRows.ts';
import { putEvents } from '../../server/contacts/events/putEvents.ts';
import { putContacts } from '../../server/contacts/store.ts';
import { seededRandom } from '../../server/demo/seededRandom.ts';
import { putDomains } from '../../server/domains/putDomains.ts';
import { openStores, START, type Stores } from './stores.ts';

// Contacts as they are listed and searched, as many events, a hundredth as many domains, and a tenth as many addresses, all of one
// domain. The engine makes contacts and addresses by itself, as an import would leave them; the rest is written by the service's functions.

const LARGEST = process.env['BENCH_CONTACTS'];
/**
 * Numbers of contacts. A million only in kept stores, because creating them takes minutes; more where BENCH_CONTACTS says how many.
 */
export const CONTACTS =
  'BENCH_STORES' in process.env
    ? [100_000, 1_000_000, ...(LARGEST === undefined ? [] : [Number(LARGEST)])]
    : [10_000, 100_000];
/** The domain that all addresses are of. */
export const BUSIEST_DOMAIN = '00000000-0000-7000-8000-000000000000';
/** The contact that has nine of ten events, as part of an address. */
export const BUSIEST_CONTACT = encodeURIComponent('+49 1');
/** The prefix of a quarter of the events, and the name of exactly 20 of them. */
const FAMILIES = ['email', 'page', 'order', 'app'];
export const RARE_EVENT = 'refund_disputed';
/** Half of those who aren't subscribed were unsubscribed by it. */
export const RUN = '00000000-0000-4000-8000-00000000002a';
const EVENTS_AT_ONCE = 10_000;
const ROWS_AT_ONCE = 1_000;
const TWO_YEARS = 730 * 86_400_000;
const JOBS = sql`case job % 4 when 0 then 'Engineer' when 1 then 'Director' when 2 then 'Clerk' else 'Head of sales' end`;

export async function fillContacts(db: Database, workspace: Workspace, count: number): Promise<void> {
  await insertContacts(db, workspace, count);
  await putManyDomains(db, workspace, count / 100);
  await withoutIndexes(db, ['addresses'], () => insertAddresses(db, workspace, count));
  await putManyEvents(db, workspace, count);
  // So that the next step need not look at each contact whether it may see it.
  if ((await db.space()) === null) await sql`vacuum analyze`.execute(db.unscoped.kysely);
}

/** One in ten is not subscribed, one in four is an engineer, and 20 are called Rarity. Times are in no order. */
export async function insertContacts(db: Database, workspace: Workspace, count: number): Promise<void> {
  await withoutIndexes(db, ['contacts'], () => insertSubscribed(db, workspace, count));
  await withoutIndexes(db, ['identities'], () => insertIdentities(db, workspace));
  await withoutIndexes(db, ['contact_search'], () => db.unscoped.write(rebuildSearchIndex));
  await unsubscribeTenth(db, workspace);
}

/** By lines of the log, as an import does. */
async function unsubscribeTenth(db: Database, workspace: Workspace): Promise<void> {
  const found = await db.read(workspace, (scope) =>
    scope.run(sql<{ uuid: string }>`
      select uuid from (select uuid, id - 1 as n from contacts where workspace_id = ${scope.id}) as numbered
      where ${hashOf(3)} / 4 % 10 = 0 order by n`),
  );
  for (const [index, chunk] of [...chunks(found, ROWS_AT_ONCE / 2)].entries()) {
    const contacts = chunk.map(({ uuid }) => ({ uuid, attributes: {}, subscribed: false }));
    const author = { ...COMMAND, run: index % 2 === 0 ? RUN : null };
    await db.write(workspace, (scope) => putContacts(scope, contacts, START + TWO_YEARS, author), { isBulk: true });
  }
}

async function insertSubscribed(db: Database, workspace: Workspace, count: number): Promise<void> {
  const time = sql`${sql.lit(START)} + time % ${sql.lit(count)} * 1000`;
  await insertInRanges(
    db,
    workspace,
    count,
    (numbers) => sql`
      insert into contacts (workspace_id, id, uuid, subscribed, attributes, created_at, updated_at, email_key,
        first_name_key, last_name_key, company_key, search_key)
      with recursive numbers as (${numbers}),
      hashed as materialized (
        select n, ${hashOf(1)} as email, ${hashOf(2)} as name, ${hashOf(3)} as job, ${hashOf(4)} as time from numbers
      ),
      texts as materialized (
        select n, email as hash, time,
          ${wordOf('email', 0, 2)} || '.' || ${wordOf('email', 2, 5)} || n || '@' || ${wordOf('email', 5, 7)} || '.example' as email,
          '+49 ' || n as phone, ${wordOf('name', 0, 2)} as first_name,
          case when n % ${sql.lit(count / 20)} = 0 then 'Rarity' else ${wordOf('name', 2, 5)} end as last_name,
          ${wordOf('name', 5, 7)} || ' Ltd' as company, ${JOBS} as job_title
        from hashed
      )
      select ${sql.lit(workspace.id)}, n + 1, ${uuidOf(sql`n`, sql`hash`)}, 1,
        '{"email":"' || email || '","phone":"' || phone || '","first_name":"' || first_name || '","last_name":"' || last_name
          || '","company":"' || company || '","job_title":"' || job_title || '"}',
        ${time}, ${time}, email, first_name, lower(last_name), lower(company),
        lower(email || ${'\n'} || phone || ${'\n'} || first_name || ${'\n'} || last_name || ${'\n'} || company || ${'\n'} || job_title
          || ${'\n+49'} || n)
      from texts`,
  );
  await db.write(workspace, (scope) =>
    scope
      .update('workspace_heads')
      .set({
        contact_count: count,
        subscribed_count: count,
        next_contact_id: count + 1,
      })
      .execute(),
  );
}

/** In their own order, in which an index grows at its end. */
async function insertIdentities(db: Database, workspace: Workspace): Promise<void> {
  for (const [kind, key, digits] of [
    ['email', sql`email_key`, sql`null`],
    ['phone', sql`'+49 ' || (id - 1)`, phoneDigitsOf(sql`(id - 1)`)],
  ] as const) {
    await db.write(workspace, (scope) =>
      scope.run(sql`
        insert into identities (workspace_id, kind, key, digits, contact_id)
        select workspace_id, ${kind}, ${key}, ${digits}, id from contacts where workspace_id = ${scope.id} order by 3`),
    );
  }
}

async function putManyDomains(db: Database, workspace: Workspace, count: number): Promise<void> {
  const random = seededRandom(5);
  const domains = Array.from({ length: count }, (_, n) => ({
    uuid: `${String(n).padStart(8, '0')}${BUSIEST_DOMAIN.slice(8)}`,
    name: `${random.pick(['kami', 'sonber', 'vani', 'dori', 'elmar'])}${n}.example`,
    created_at: START + random.below(count) * 100_000,
  }));
  for (const chunk of chunks(domains, ROWS_AT_ONCE))
    await db.write(workspace, (scope) => putDomains(scope, chunk, START + TWO_YEARS), { isBulk: true });
}

/** All of one domain. */
async function insertAddresses(db: Database, workspace: Workspace, count: number): Promise<void> {
  const addresses = count / 10;
  const id = sql.lit(workspace.id);
  const time = sql`${sql.lit(START)} + hash % ${sql.lit(count)} * 1000`;
  await insertInRanges(
    db,
    workspace,
    addresses,
    (numbers) => sql`
      insert into addresses (workspace_id, uuid, domain_uuid, address, full_address, address_key, full_key, domain_key,
        verification_key, provider, display_name, verification, created_at, updated_at)
      with recursive numbers as (${numbers}),
      hashed as materialized (select n, ${hashOf(6)} as hash from numbers),
      named as materialized (
        select n, hash, ${wordOf('hash', 0, 2)} || n as address, domains.name as domain
        from hashed join domains on domains.workspace_id = ${id} and domains.uuid = ${BUSIEST_DOMAIN}
      )
      select ${id}, ${uuidOf(sql`n`, sql`hash`)}, ${BUSIEST_DOMAIN}, address, address || '@' || domain, address,
        address || '@' || domain, domain, 'pending', '', '', 'pending', ${time}, ${time}
      from named`,
  );
  await db.write(workspace, async (scope) => {
    await scope.update('domains').set({ address_count: addresses }).where('uuid', '=', BUSIEST_DOMAIN).execute();
    await scope.update('workspace_heads').set({ address_count: addresses }).execute();
  });
}

/** Over two years, in the order of time. */
async function putManyEvents(db: Database, workspace: Workspace, count: number): Promise<void> {
  const random = seededRandom(1);
  for (let first = 0; first < count; first += EVENTS_AT_ONCE) {
    const events = Array.from({ length: Math.min(EVENTS_AT_ONCE, count - first) }, (_, index) => {
      const at = first + index;
      const isRare = at % (count / 20) === 0;
      return {
        contact: `+49 ${isRare || random.chance(0.9) ? 1 : random.below(count)}`,
        event_name: isRare ? RARE_EVENT : `${FAMILIES[random.below(4)]}_${random.below(10)}`,
        attributes: { campaign: `c-${at % 50}`, subject: `Your order ${at}`, device: { os: 'ios', version: at % 20 } },
        created_at: START + Math.floor((at / count) * TWO_YEARS),
      };
    });
    await db.write(workspace, (scope) => putEvents(scope, events, START + TWO_YEARS), { isBulk: true });
  }
}

export function openContactStores(folder: string): Promise<Stores> {
  return openStores(folder, { name: 'contacts', sizes: CONTACTS, fill: fillContacts });
}
