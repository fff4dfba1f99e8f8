import { sql, type SqlBool } from 'kysely';
import type { Domain, SenderAddress } from '#contract/domain.ts';
import { type CheckedListQuery, metaOf, type Page } from '#contract/list.ts';
import { containing, sortedPart } from '../database/containing.ts';
import type { Database, Transaction } from '../database/database.ts';
import { countMatching, type Listed, mayTakeLong, NEWEST_FIRST, readPage } from '../database/listPage.ts';
import { fitting, hasLarge } from '../database/pageSize.ts';
import type { Workspace } from '../workspaces/store.ts';
import { addressOf, type AddressRow, domainOf, type DomainRow, foldDomainName, type RecordRow } from './domainRow.ts';

/** Sortable columns that may be longer than an index holds. */
const TEXTS: ReadonlySet<string> = new Set([
  'name',
  'domain',
  'provider',
  'status',
  'verification',
  'mail_from_domain',
]);

/** Newest first unless sorted; equal rows by uuid, in the direction of the last descriptor. */
export async function listDomains(workspace: Workspace, db: Database, asked: CheckedListQuery): Promise<Page<Domain>> {
  const within = sql<SqlBool>`workspace_id = ${workspace.id}`;
  const read = mayTakeLong(asked) ? db.readLong : db.read;
  return read(workspace, async (trx) => {
    const { domain_count, has_large } = await trx
      .selectFrom('workspaces')
      .select(['domain_count', hasLarge('domains', within).as('has_large')])
      .where('id', '=', workspace.id)
      .executeTakeFirstOrThrow();
    const query = has_large ? await fitting(trx, 'domains', within, asked) : asked;
    const list: Listed = {
      table: 'domains',
      key: 'uuid',
      workspaceId: workspace.id,
      within,
      size: domain_count,
    };
    if (query.search !== '') {
      list.matching = await countMatching(trx, list, containing<'domains'>('name_key', query.search));
    }
    const sorting = query.sorting.length > 0 ? query.sorting : [NEWEST_FIRST];
    const order = sorting.map(({ id, desc }) => ({ by: TEXTS.has(id) ? sortedPart(id) : sql.ref(id), desc }));
    const rows = await readPage<DomainRow>(trx, list, order, query);
    const records = await recordsOf(workspace, trx, rows);
    return {
      data: rows.map((row) => domainOf(row, records.get(row.uuid) ?? [])),
      meta: metaOf(query, list.matching?.total ?? list.size),
    };
  });
}

/** Null when `workspace` has no domain with this uuid. */
export async function getDomain(workspace: Workspace, db: Database, uuid: string): Promise<Domain | null> {
  return db.read(workspace, async (trx) => {
    const row = await domainByUuid(workspace, trx, uuid);
    return row && domainOf(row, (await recordsOf(workspace, trx, [row])).get(row.uuid) ?? []);
  });
}

/** The records of each of `domains`, by its uuid, in the order in which they were given. */
export async function recordsOf(
  workspace: Workspace,
  trx: Transaction,
  domains: readonly Pick<DomainRow, 'uuid'>[],
): Promise<Map<string, RecordRow[]>> {
  if (domains.length === 0) return new Map();
  const rows = await trx
    .selectFrom('dns_records')
    .selectAll()
    .where('workspace_id', '=', workspace.id)
    .where(
      'domain_uuid',
      'in',
      domains.map(({ uuid }) => uuid),
    )
    .orderBy('domain_uuid')
    .orderBy('position')
    .execute();
  return Map.groupBy(rows, (row) => row.domain_uuid);
}

/** Newest first; null when `workspace` has no domain with this uuid. */
export async function listAddresses(
  workspace: Workspace,
  db: Database,
  domainUuid: string,
  asked: CheckedListQuery,
): Promise<Page<SenderAddress> | null> {
  const within = sql<SqlBool>`workspace_id = ${workspace.id} and domain_uuid = ${domainUuid.toLowerCase()}`;
  const read = mayTakeLong(asked) ? db.readLong : db.read;
  return read(workspace, async (trx) => {
    const domain = await trx
      .selectFrom('domains')
      .select(['address_count', hasLarge('addresses', within).as('has_large')])
      .where('workspace_id', '=', workspace.id)
      .where('uuid', '=', domainUuid.toLowerCase())
      .executeTakeFirst();
    if (domain === undefined) return null;
    const query = domain.has_large ? await fitting(trx, 'addresses', within, asked) : asked;
    const list: Listed = {
      table: 'addresses',
      key: 'uuid',
      workspaceId: workspace.id,
      within,
      size: domain.address_count,
    };
    const order = [{ by: sql.ref('created_at'), desc: true }];
    const rows = await readPage<AddressRow>(trx, list, order, query);
    return { data: rows.map(addressOf), meta: metaOf(query, list.size) };
  });
}

/** The domain that `value`, a UUID or a name, stands for; for imports. */
export async function findDomain(workspace: Workspace, trx: Transaction, value: string): Promise<DomainRow | null> {
  return (await domainByUuid(workspace, trx, value)) ?? domainByName(workspace, trx, value);
}

export async function domainByUuid(workspace: Workspace, trx: Transaction, uuid: string): Promise<DomainRow | null> {
  const row = await trx
    .selectFrom('domains')
    .selectAll()
    .where('workspace_id', '=', workspace.id)
    .where('uuid', '=', uuid.toLowerCase())
    .executeTakeFirst();
  return row ?? null;
}

export async function domainByName(workspace: Workspace, trx: Transaction, name: string): Promise<DomainRow | null> {
  const row = await trx
    .selectFrom('domains')
    .selectAll()
    .where('workspace_id', '=', workspace.id)
    .where('name_key', '=', foldDomainName(name))
    .executeTakeFirst();
  return row ?? null;
}
