import { randomUUID } from 'node:crypto';
import type { SenderAddress } from '#contract/domains/domain.ts';
import { UUID } from '#contract/values/field.ts';
import type { ImportOutcome } from '../database/importOutcome.ts';
import { foldText } from '../database/search/textSearch.ts';
import type { Scope } from '../database/scope.ts';
import { nextUpdateTime } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';
import { addressKeysOf, type AddressRow, type DomainRow } from './domainRow.ts';
import { hasSameFields, validateStorable, validateTextLengths } from './importValidation.ts';
import { findDomain } from './store.ts';

/** A sender address to import. `domain` is the UUID or name of its domain. Times are milliseconds since the epoch. */
export type ImportedAddress = Partial<Omit<SenderAddress, 'created_at' | 'updated_at'>> & {
  domain?: string;
  created_at?: number;
  updated_at?: number;
};

const LOCAL_MAX = 64;
/** A dot-string or a quoted string (RFC 5321, 4.1.2), with letters of any script (RFC 6531). */
const LOCAL =
  /^(?:[\w!#$%&'*+/=?^`{|}~\-\u{80}-\u{10ffff}]+(?:\.[\w!#$%&'*+/=?^`{|}~\-\u{80}-\u{10ffff}]+)*|"(?:[^"\\]|\\[ -~])*")$/u;

/** One outcome for each. An existing one is found by UUID if there is one, else by domain and local part. */
export async function putAddresses(
  scope: Scope,
  addresses: readonly ImportedAddress[],
  now: number,
): Promise<ImportOutcome[]> {
  const outcomes: ImportOutcome[] = [];
  for (const address of addresses) outcomes.push(await putAddress(scope, address, now));
  return outcomes;
}

async function putAddress(scope: Scope, given: ImportedAddress, now: number): Promise<ImportOutcome> {
  if (given.uuid !== undefined && !UUID.test(given.uuid)) return [{ field: 'uuid', message: 'uuid is not a UUID.' }];
  const address = given.address?.trim() ?? given.full_address?.trim().replace(/@[^@]*$/, '') ?? '';
  if (address === '' || address.length > LOCAL_MAX || /\p{Cc}/u.test(address) || !LOCAL.test(address)) {
    return [{ field: 'address', message: 'address is not the local part of an address.' }];
  }
  const errors = [...validateStorable(given), ...validateTextLengths(given)];
  if (errors.length > 0) return errors;
  const domain = await findDomain(scope, given.domain ?? given.domain_uuid ?? '');
  if (domain === null) return [{ field: 'domain', message: 'No domain of this workspace has this UUID or name.' }];

  const stored = scope.select('addresses').selectAll();
  const namesake = await stored
    .where('domain_uuid', '=', domain.uuid)
    .where('address_key', '=', foldText(address))
    .executeTakeFirst();
  const before =
    given.uuid === undefined ? namesake : await stored.where('uuid', '=', given.uuid.toLowerCase()).executeTakeFirst();
  if (namesake !== undefined && namesake.uuid !== before?.uuid) {
    return [{ field: 'address', message: 'The domain already has this address.' }];
  }
  const row = buildAddressRow(scope.workspace, domain, address, given, before, now);
  if (before === undefined) {
    await scope.insert('addresses', row).execute();
    await countMore(scope, row.domain_uuid, 1);
    await scope
      .update('workspace_heads')
      .set(({ eb }) => ({ address_count: eb('address_count', '+', 1) }))
      .execute();
    return 'added';
  }
  if (hasSameFields(row, before)) return 'unchanged';
  const { workspace_id: _, ...columns } = row;
  await scope
    .update('addresses')
    .set({ ...columns, updated_at: given.updated_at ?? nextUpdateTime(now, before.updated_at) })
    .where('uuid', '=', before.uuid)
    .execute();
  if (row.domain_uuid !== before.domain_uuid) {
    await countMore(scope, before.domain_uuid, -1);
    await countMore(scope, row.domain_uuid, 1);
  }
  return 'changed';
}

async function countMore(scope: Scope, domain: string, more: 1 | -1): Promise<void> {
  await scope
    .update('domains')
    .set(({ eb }) => ({ address_count: eb('address_count', '+', more) }))
    .where('uuid', '=', domain)
    .execute();
}

function buildAddressRow(
  workspace: Workspace,
  domain: DomainRow,
  address: string,
  given: ImportedAddress,
  before: AddressRow | undefined,
  now: number,
): AddressRow {
  const createdAt = given.created_at ?? before?.created_at ?? now;
  // The rest stays as long as the domain does.
  const rest =
    before?.domain_uuid === domain.uuid ? before.full_address.slice(before.address.length) : `@${domain.name}`;
  const texts = {
    address,
    full_address: given.full_address?.trim() ?? address + rest,
    verification: given.verification ?? before?.verification ?? 'pending',
  };
  return {
    workspace_id: workspace.id,
    uuid: before?.uuid ?? (given.uuid ?? randomUUID()).toLowerCase(),
    domain_uuid: domain.uuid,
    ...texts,
    ...addressKeysOf(texts, domain.name_key),
    provider: given.provider ?? before?.provider ?? domain.provider,
    display_name: given.display_name ?? before?.display_name ?? '',
    created_at: createdAt,
    updated_at: given.updated_at ?? before?.updated_at ?? createdAt,
  };
}
