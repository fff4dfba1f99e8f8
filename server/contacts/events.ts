import { type RawBuilder, sql } from 'kysely';
import { type CheckedListQuery, metaOf, type Sort } from '#contract/list.ts';
import { containing } from '../database/containing.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { Workspace } from '../workspaces/store.ts';
import { findPlace, type Owner } from './eventPeriods.ts';
import { findContactRow } from './identities.ts';

/** Up to this many names are read each from its own range of the index and merged; SQLite merges at most 500. */
const ARMS_MAX = 200;

type EventRow = { uuid: string; event_name: string; attributes: string; created_at: number };
type NameCount = { event_name: string; count: number };

/**
 * A page of the events of the contact that `value` names, as JSON text (`Page<Event>`): stored attributes are JSON
 * already, and reading them only to write them again would cost more than the rest of the call. Null when there is no
 * such contact. Newest first unless sorted; within one name the newest first; equal rows by uuid.
 */
export async function listContactEvents(
  workspace: Workspace,
  db: Database,
  value: string,
  query: CheckedListQuery,
): Promise<string | null> {
  return db.read(async (trx) => {
    const contact = await findContactRow(workspace, trx, value);
    if (contact === null) return null;
    const { search, sorting, per_page } = query;
    const list: List = {
      trx,
      owner: { workspace_id: workspace.id, contact_id: contact.id },
      count: contact.event_count,
      search,
      offset: (query.page - 1) * per_page,
      limit: per_page,
    };
    const byName = sorting[0]?.id === 'event_name';
    const names = search === '' && !byName ? null : await matchingNames(list);
    const total = names === null ? list.count : names.reduce((sum, name) => sum + name.count, 0);

    let rows: EventRow[] = [];
    if (list.offset < total) {
      if (names !== null && byName) rows = await readByName(list, sorting, names);
      else if (names === null || total === list.count) rows = await readByTime(list, sorting, null);
      else rows = await readByTime(list, sorting, names);
    }
    return `{"data":[${rows.map(eventText).join(',')}],"meta":${JSON.stringify(metaOf(query, total))}}`;
  });
}

function eventText({ uuid, event_name, attributes, created_at }: EventRow): string {
  const name = JSON.stringify(event_name);
  const time = new Date(created_at).toISOString();
  return `{"uuid":"${uuid}","event_name":${name},"attributes":${attributes},"created_at":"${time}"}`;
}

type List = {
  trx: Transaction;
  owner: Owner;
  /** How many events the contact has. */
  count: number;
  search: string;
  offset: number;
  limit: number;
};

/** In the order of the names. */
async function matchingNames(list: List): Promise<NameCount[]> {
  const { rows } = await sql<NameCount>`select event_name, count ${namesOf(list)} order by event_name`.execute(
    list.trx,
  );
  return rows;
}

function namesOf({ owner, search }: List): RawBuilder<unknown> {
  const matching = search === '' ? sql`` : sql`and ${containing<'event_names'>('name_key', search)}`;
  return sql`from event_names where workspace_id = ${owner.workspace_id} and contact_id = ${owner.contact_id} ${matching}`;
}

/** Reads name after name: the counters say which of them the page touches. */
async function readByName(
  list: List,
  [first, ...rest]: readonly Sort[],
  names: readonly NameCount[],
): Promise<EventRow[]> {
  const rows: EventRow[] = [];
  let { offset } = list;
  for (const name of first?.desc ? names.toReversed() : names) {
    if (rows.length === list.limit) break;
    if (offset < name.count) {
      rows.push(...(await readByTime({ ...list, offset, limit: list.limit - rows.length }, rest, [name])));
    }
    offset = Math.max(0, offset - name.count);
  }
  return rows;
}

/** Reads in the order of time, all names or some, from the place the counters tell, so that few rows are skipped. */
async function readByTime(
  list: List,
  [time = { id: 'created_at', desc: true }, name]: readonly Sort[],
  names: readonly NameCount[] | null,
): Promise<EventRow[]> {
  const { trx, owner } = list;
  const set = names === null ? null : nameSet(list, names);
  const place = await findPlace(trx, owner, list.count, set, list.offset, time.desc);

  const direction = sql.raw(time.desc ? 'desc' : 'asc');
  const second = name === undefined ? sql`` : sql`event_name ${sql.raw(name.desc ? 'desc' : 'asc')},`;
  const order = sql`order by created_at ${direction}, ${second} uuid ${direction}`;
  // Without the casts SQLite would look at the values and prepare the statement anew for each of them.
  const page = sql`${order} limit cast(${list.limit} as integer) offset cast(${place.skip} as integer)`;
  const edge = place.edge === null ? sql`` : sql`and created_at ${sql.raw(time.desc ? '<' : '>=')} ${place.edge}`;
  const from = sql`from events where workspace_id = ${owner.workspace_id} and contact_id = ${owner.contact_id} ${edge}`;

  let query = sql<EventRow>`select uuid, event_name, attributes, created_at ${from} ${page}`;
  if (names !== null && names.length > ARMS_MAX) {
    query = sql`select uuid, event_name, attributes, created_at ${from} and event_name in (${set}) ${page}`;
  } else if (names !== null) {
    // The keys come from the index alone; attributes are looked up for the rows of the page only. The cross join keeps
    // SQLite from starting with the events.
    const arms = names.map(
      ({ event_name }) => sql`select created_at, event_name, uuid ${from} and event_name = ${event_name}`,
    );
    query = sql`
      select page.uuid as uuid, page.event_name as event_name, attributes, page.created_at as created_at
      from (${sql.join(arms, sql` union all `)} ${page}) as page cross join events
      where events.workspace_id = ${owner.workspace_id} and events.contact_id = ${owner.contact_id}
        and events.created_at = page.created_at and events.uuid = page.uuid
      ${order}`;
  }
  return (await query.execute(trx)).rows;
}

/** `names` for `in`: as they are, or as the search that found them when they are more than a statement should carry. */
function nameSet(list: List, names: readonly NameCount[]): RawBuilder<unknown> {
  if (names.length > 1) return sql`select event_name ${namesOf(list)}`;
  return sql.join(names.map((name) => name.event_name));
}
