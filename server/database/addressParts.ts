import { type RawBuilder, type Selectable, sql } from 'kysely';
import { must } from '#contract/must.ts';
import type { CheckedListQuery } from '#contract/list.ts';
import { engineOf } from './engine.ts';
import { type ListSource, readPage, readRows } from './listPage.ts';
import type { Scope } from './scope.ts';
import { FOREVER, NEVER } from './timestamp.ts';
import type { Tables } from './tables.ts';

// Why a page in the middle of the addresses of a domain costs no more than the first: docs/decisions/0036-contact-parts.md.
//
// A domain is divided exactly when it has more addresses than a part may have. A row of address_parts has the place where a part of its
// addresses begins, oldest first, and how many there are from there to the next part. No address has to be at that place.

/** In addresses. A part with more than `max` is split. */
export const ADDRESS_PART_SIZE = { max: 1_000 };

type AddressRow = Selectable<Tables['addresses']>;

/** Where an address stands: in its domain by creation, then by UUID. */
export type AddressPlace = Pick<AddressRow, 'domain_uuid' | 'created_at' | 'uuid'>;

/**
 * Counts an address that was added to its domain (`more` is 1) or taken from it (-1). `total`: how many the domain has since. Called
 * after the address was written.
 */
export async function countAddress(scope: Scope, place: AddressPlace, more: 1 | -1, total: number): Promise<void> {
  const { domain_uuid: domain } = place;
  if (total === ADDRESS_PART_SIZE.max + 1 && more === 1) return divide(scope, domain);
  if (total === ADDRESS_PART_SIZE.max && more === -1) return undivide(scope, domain);
  if (total <= ADDRESS_PART_SIZE.max) return;
  const [part] = await scope.run(sql<Part>`
    update address_parts set count = count + ${more} where ${isOf(scope, domain)} and (first_time, first_uuid) = (
      select first_time, first_uuid from address_parts
      where ${isOf(scope, domain)} and (first_time, first_uuid) <= (${placeValues(place)})
      order by first_time desc, first_uuid desc limit 1)
    returning first_time as time, first_uuid as uuid, count`);
  // A process of an older version went on writing to a file whose schema had changed: what it added was not counted.
  if (part === undefined) return divide(scope, domain);
  const { count, time, uuid } = part;
  const begins = sql`${isOf(scope, domain)} and (first_time, first_uuid) = (${placeValues({ created_at: time, uuid })})`;
  if (count > ADDRESS_PART_SIZE.max) await split(scope, domain, part, begins);
  if (count === 0 && uuid !== '') await scope.run(sql`delete from address_parts where ${begins}`);
}

/** Counts the addresses of all domains anew. */
export async function rebuildAddressParts(scope: Scope): Promise<void> {
  await scope.delete('address_parts').execute();
  const large = await scope
    .select('domains')
    .select('uuid')
    .where('address_count', '>', ADDRESS_PART_SIZE.max)
    .execute();
  for (const { uuid } of large) await divide(scope, uuid);
}

/** A page of the addresses of the domain `domain`, newest first. */
export async function readAddresses(
  scope: Scope,
  domain: string,
  list: ListSource,
  { page, per_page }: CheckedListQuery,
): Promise<AddressRow[]> {
  const skip = (page - 1) * per_page;
  const limit = Math.min(per_page, list.size - skip);
  /** How many are older than those of the page. */
  const older = list.size - skip - limit;
  if (Math.min(skip, older) <= ADDRESS_PART_SIZE.max) {
    return readPage<AddressRow>(scope, list, [{ by: sql.ref('created_at'), desc: true }], { page, per_page });
  }
  const part = await engineOf(scope.kysely).findCounted<Pick<AddressPlace, 'created_at' | 'uuid'>>(
    {
      scope,
      columns: sql`first_time as created_at, first_uuid as uuid`,
      count: sql.ref('count'),
      from: sql`from address_parts where ${isOf(scope, domain)}`,
      order: sql`first_time, first_uuid`,
    },
    older,
  );
  if (part === null)
    throw new Error('The addresses and the counters of their list disagree: run `admin check --rebuild-lists`.');
  const found = await scope.run(sql<{ key: string | number }>`
    select ${sql.ref(list.key)} as key from addresses
    where ${list.within} and (created_at, uuid) >= (${placeValues(part.row)})
    order by created_at, uuid
    limit cast(${limit} as integer) offset cast(${older - part.before} as integer)`);
  return readRows<AddressRow>(scope, list, found.map(({ key }) => key).toReversed());
}

/** One sentence for each domain or part whose counters are wrong. */
export async function findAddressPartErrors(scope: Scope): Promise<string[]> {
  const { id } = scope;
  const undivided = await scope.run(sql<{ uuid: string; is_divided: number }>`
    select uuid, case when parts is null then 0 else 1 end as is_divided from domains left join (
      select domain_uuid, count(*) as parts, min(first_time) as first_time from address_parts
      where workspace_id = ${id} group by domain_uuid
    ) as of_domains on domain_uuid = uuid
    where workspace_id = ${id} and case
      when address_count > ${sql.lit(ADDRESS_PART_SIZE.max)} then parts is null or first_time <> ${sql.lit(NEVER)}
      else parts is not null end
    order by uuid`);
  const miscounted = await scope.run(sql<{ domain: string; uuid: string; count: number; counted: number }>`
    select domain, uuid, count, counted from (
      select domain_uuid as domain, first_uuid as uuid, count, (
        select count(*) from addresses
        where addresses.workspace_id = ${id} and addresses.domain_uuid = parts.domain_uuid
          and (addresses.created_at, addresses.uuid) >= (parts.first_time, parts.first_uuid)
          and (addresses.created_at, addresses.uuid) < (parts.next_time, parts.next_uuid)
      ) as counted
      from (
        select domain_uuid, first_time, first_uuid, count,
          coalesce(lead(first_time) over of_domain, ${sql.lit(FOREVER)}) as next_time,
          coalesce(lead(first_uuid) over of_domain, '') as next_uuid
        from address_parts where workspace_id = ${id}
        window of_domain as (partition by domain_uuid order by first_time, first_uuid)
      ) as parts
    ) as compared
    where count <> counted order by domain, uuid`);
  return [
    ...undivided.map(({ uuid, is_divided }) =>
      is_divided === 1
        ? `The addresses of the domain ${uuid} are counted by parts that do not fit to their number.`
        : `The addresses of the domain ${uuid} are not counted by parts.`,
    ),
    ...miscounted.map(
      ({ domain, uuid, count, counted }) =>
        `Of the addresses of the domain ${domain}, from ${uuid === '' ? 'the first' : uuid} on, there are ${counted}, and ${count} are counted.`,
    ),
  ];
}

type Part = { time: number; uuid: string; count: number };

const isOf = (scope: Scope, domain: string) => sql`workspace_id = ${scope.id} and domain_uuid = ${domain}`;
const placeValues = ({ created_at, uuid }: Pick<AddressPlace, 'created_at' | 'uuid'>) =>
  sql`cast(${created_at} as bigint), ${uuid}`;

/** The first part begins before every address, so that each has one. */
async function divide(scope: Scope, domain: string): Promise<void> {
  await scope.run(sql`
    insert into address_parts (workspace_id, domain_uuid, first_time, first_uuid, count)
    select cast(${scope.id} as bigint), ${domain},
      case when number = 0 then ${sql.lit(NEVER)} else created_at end, case when number = 0 then '' else uuid end,
      coalesce(lead(number) over (order by number), total) - number
    from (
      select created_at, uuid, row_number() over (order by created_at, uuid) - 1 as number, count(*) over () as total
      from addresses where ${isOf(scope, domain)}
    ) as numbered
    where number % ${sql.lit(ADDRESS_PART_SIZE.max / 2)} = 0`);
}

async function undivide(scope: Scope, domain: string): Promise<void> {
  await scope.run(sql`delete from address_parts where ${isOf(scope, domain)}`);
}

/** Divides a part into halves. `begins`: the condition for its row. */
async function split(
  scope: Scope,
  domain: string,
  { time, uuid, count }: Part,
  begins: RawBuilder<unknown>,
): Promise<void> {
  const half = Math.floor(count / 2);
  await engineOf(scope.kysely).stepInOrder(scope, async () => {
    const [cut] = await scope.run(sql<{ time: number; uuid: string }>`
      select created_at as time, uuid from addresses
      where ${isOf(scope, domain)} and (created_at, uuid) >= (${placeValues({ created_at: time, uuid })})
      order by created_at, uuid limit 1 offset ${sql.lit(half)}`);
    const { time: first_time, uuid: first_uuid } = must(cut);
    await scope.run(sql`update address_parts set count = ${half} where ${begins}`);
    await scope.insert('address_parts', { domain_uuid: domain, first_time, first_uuid, count: count - half }).execute();
  });
}
