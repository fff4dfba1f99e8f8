import type { Selectable } from 'kysely';
import type { DnsRecord, Domain, SenderAddress } from '#contract/domains/domain.ts';
import type { Tables } from '../database/schema/tables.ts';
import { foldText, searchKey, sortKey } from '../database/search/textSearch.ts';
import { timestamp } from '../database/timestamp.ts';

export type DomainRow = Selectable<Tables['domains']>;
export type RecordRow = Selectable<Tables['dns_records']>;
export type AddressRow = Selectable<Tables['addresses']>;

export function domainOf(row: DomainRow, records: readonly RecordRow[]): Domain {
  return {
    uuid: row.uuid,
    name: row.name,
    domain: row.domain,
    verified: row.verified === 1,
    provider: row.provider,
    status: row.status,
    verification: row.verification,
    mail_from_domain: row.mail_from_domain,
    mail_from_verified: row.mail_from_verified === 1,
    dns: records.map(recordOf),
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

export function recordOf({ type, name, value, is_valid }: RecordRow): DnsRecord {
  return { type, name, value, is_valid: is_valid === 1 };
}

export function addressOf(row: AddressRow): SenderAddress {
  return {
    uuid: row.uuid,
    domain_uuid: row.domain_uuid,
    address: row.address,
    full_address: row.full_address,
    provider: row.provider,
    display_name: row.display_name,
    verification: row.verification,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

/** The derived columns of an address of the domain with this `name_key`. */
export function addressKeysOf(
  { address, full_address, verification }: Pick<AddressRow, 'address' | 'full_address' | 'verification'>,
  domainKey: string,
) {
  return {
    address_key: foldText(address),
    full_key: searchKey(foldText(full_address)),
    verification_key: foldVerification(verification),
    domain_key: domainKey,
  };
}

export const foldVerification = (word: string): string => sortKey(foldText(word));

/** A domain name as it is written, with composed letters (NFC), as IDNA has them, and without the final dot. */
export function tidyDomainName(name: string): string {
  return name.trim().normalize('NFC').replace(/\.$/, '');
}

/** A domain name as names are compared: as `tidyDomainName`, in lower case. */
export function foldDomainName(name: string): string {
  return tidyDomainName(name.toLowerCase());
}

/** Whether `name` is reserved for examples and tests, and so not in the public DNS (RFC 2606, RFC 6761). */
export function isReservedName(name: string): boolean {
  return /(^|\.)(example|test|invalid|localhost|example\.(com|net|org))$/.test(foldDomainName(name));
}
