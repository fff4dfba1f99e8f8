import { sql } from 'kysely';
import { putEvents } from '../server/contacts/putEvents.ts';
import { putContacts } from '../server/contacts/store.ts';
import { rebuildContactParts } from '../server/database/contactParts.ts';
import type { Database } from '../server/database/database.ts';
import { rebuildSearchIndex } from '../server/database/searchContacts.ts';
import type { Workspace } from '../server/database/workspace.ts';
import { phoneDigitsOf } from './bulkRows.ts';
import { openStores, START, type Stores } from './eventStores.ts';
import { UUID_OF } from './logStores.ts';

// Whole workspaces, for what reads all of them (`admin export`, `admin check`). The engine makes most of the rows by itself, in minutes for
// a million contacts.

/** Contacts. A million only in kept stores, because creating them takes minutes. Three events for each. */
export const WORKSPACE_SIZES = 'BENCH_STORES' in process.env ? [10_000, 100_000, 1_000_000] : [10_000, 100_000];
const BATCH = 10_000;

/**
 * Writes `count` contacts and three events for each, all of other names; a tenth as many events of one contact; and a change of one contact
 * in a hundred.
 */
async function fill(db: Database, workspace: Workspace, count: number): Promise<void> {
  const uuid = (await db.space()) === null ? UUID_OF.PostgreSQL : UUID_OF.SQLite;
  const id = sql.lit(workspace.id);
  const numbers = sql`with recursive numbers (n) as (
    select cast(1 as bigint) union all select n + 1 from numbers where n < ${sql.lit(count)})`;
  const three = sql`(select 0 as k union all select 1 union all select 2) as three`;
  const name = sql`'name_' || ((n * 7 + k * 13) % 40)`;
  const run = (statement: ReturnType<typeof sql>) => db.write(workspace, ({ kysely }) => statement.execute(kysely));
  await run(sql`
    insert into contacts (workspace_id, id, uuid, subscribed, attributes, created_at, updated_at, event_count, email_key,
      first_name_key, last_name_key, company_key, search_key)
    ${numbers}, texts as (
      select n, 'person.' || n || '@example.com' as email, '+49 ' || n as phone, 'zoe ' || (n % 5000) as first_name,
        'company ' || (n % 1000) as company from numbers
    )
    select ${id}, n, ${uuid}, case when n % 10 = 0 then 0 else 1 end,
      '{"email":"' || email || '","phone":"' || phone || '","first_name":"' || first_name || '","company":"' || company
        || '","plan":"gold","seats":' || (n % 7) || '}',
      ${START} + n * 1000, ${START} + n * 1000, 3, email, first_name, '', company,
      email || ${'\n'} || phone || ${'\n'} || first_name || ${'\n\n'} || company || ${'\n\n+49'} || n
    from texts`);
  await run(sql`
    insert into identities (workspace_id, kind, key, contact_id)
    select ${id}, 'email', email_key, id from contacts where workspace_id = ${id} order by email_key`);
  await run(sql`
    insert into identities (workspace_id, kind, key, digits, contact_id)
    ${numbers} select ${id}, 'phone', '+49 ' || n, ${phoneDigitsOf(sql`n`)}, n from numbers order by 3`);
  await run(sql`
    insert into events (workspace_id, contact_id, created_at, uuid, event_name, attributes)
    ${numbers} select ${id}, n, ${START} + n * 1000 + k * 86400000, ${uuid}, ${name},
      '{"campaign":"c-' || (n % 50) || '","subject":"Your order ' || n || '","device":{"os":"ios","version":' || (n % 20) || '}}'
    from numbers cross join ${three}`);
  await run(sql`
    insert into event_names (workspace_id, contact_id, event_name, name_key, count)
    ${numbers} select ${id}, n, ${name}, ${name}, 1 from numbers cross join ${three}`);
  await db.write(workspace, (scope) =>
    scope
      .updateOwn()
      .set({ contact_count: count, subscribed_count: count - Math.floor(count / 10), next_contact_id: count + 1 })
      .execute(),
  );
  await db.unscoped.write(rebuildSearchIndex);
  await db.write(workspace, rebuildContactParts);

  for (let first = 0; first < count / 10; first += BATCH) {
    const events = Array.from({ length: Math.min(BATCH, count / 10 - first) }, (_, at) => ({
      contact: 'person.1@example.com',
      event_name: `name_${at % 40}`,
      attributes: {
        campaign: `c-${at % 50}`,
        subject: `Your order ${first + at}`,
        device: { os: 'ios', version: at % 20 },
      },
      created_at: START + (first + at) * 60_000,
    }));
    await db.write(workspace, (scope) => putEvents(scope, events, START));
  }
  const changes = Array.from({ length: count / 100 }, (_, at) => ({
    attributes: { email: `person.${at * 100 + 1}@example.com`, plan: 'silver' },
  }));
  await db.write(workspace, (scope) => putContacts(scope, changes, START + count * 1000));
}

/** Workspaces of `sizes` contacts on each engine. */
export function openWorkspaceStores(folder: string, sizes: readonly number[]): Promise<Stores> {
  return openStores(folder, 'workspace', sizes, fill, { fillsEach: true });
}
