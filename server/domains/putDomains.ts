import { randomUUID } from 'node:crypto';
import type { FieldChange } from '#contract/change.ts';
import type { DnsRecord, Domain } from '#contract/domains/domain.ts';
import { UUID } from '#contract/values/field.ts';
import type { FieldError } from '#contract/list.ts';
import { COMMAND, type LogAuthor } from '../database/changeLog/author.ts';
import type { ImportOutcome } from '../database/importOutcome.ts';
import type { Scope } from '../database/scope.ts';
import { nextUpdateTime } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';
import { type LogEntry, writeLog } from '../database/changeLog/writeLog.ts';
import { domainOf, type DomainRow, foldDomainName, recordOf, tidyDomainName } from './domainRow.ts';
import { hasSameFields, validateStorable, validateTextLengths } from './importValidation.ts';
import { countStateChange } from './countStates.ts';
import { forgetAcceptances } from './history/endAcceptances.ts';
import { endSpans } from './history/storeSpans.ts';
import { subjectsWithoutRecord } from './history/subjects.ts';
import { judgeStanding, readVerdicts } from './standing.ts';
import { findDomainByName, findDomainByUuid, readRecords } from './store.ts';

/** Missing fields keep their value, or get a default in a new domain. Times are milliseconds. */
export type ImportedDomain = Partial<Omit<Domain, 'name' | 'created_at' | 'updated_at'>> & {
  name: string;
  created_at?: number;
  updated_at?: number;
};

const NAME_MAX = 253;
/** Bytes of all records of a domain as JSON. A page of the list holds up to a hundred domains. */
const RECORDS_MAX = 64 * 1024;

/** One outcome for each. A domain is found by UUID if given, else by name. Changed verdicts are logged. */
export async function putDomains(
  scope: Scope,
  domains: readonly ImportedDomain[],
  now: number,
  author: LogAuthor = COMMAND,
): Promise<ImportOutcome[]> {
  const outcomes: ImportOutcome[] = [];
  const lines: LogEntry[] = [];
  for (const domain of domains) {
    outcomes.push(
      await putDomain(scope, domain, now, (name, changes) =>
        lines.push({ action: 'verdict_set', author, details: { domain: name }, changes }),
      ),
    );
  }
  if (lines.length > 0) await writeLog(scope, lines, now);
  return outcomes;
}

async function putDomain(
  scope: Scope,
  domain: ImportedDomain,
  now: number,
  onVerdicts: (name: string, changes: FieldChange[]) => void,
): Promise<ImportOutcome> {
  const errors = validateDomain(domain);
  if (errors.length > 0) return errors;
  const namesake = await findDomainByName(scope, domain.name);
  const before = domain.uuid === undefined ? namesake : await findDomainByUuid(scope, domain.uuid);
  if (namesake !== null && namesake.uuid !== before?.uuid) {
    return [{ field: 'name', message: 'Another domain of this workspace already has this name.' }];
  }
  const row = buildDomainRow(scope.workspace, domain, before, now);
  if (before === null) {
    const records = domain.dns ?? [];
    const standing = judgeStanding({ ...domainOf(row, []), dns: records }, []);
    await scope.insert('domains', { ...row, record_bytes: bytesOf(records), ...standing }).execute();
    await countStateChange(scope, null, standing.state);
    await scope
      .update('workspace_heads')
      .set(({ eb }) => ({ domain_count: eb('domain_count', '+', 1) }))
      .execute();
    await writeRecords(scope, row.uuid, records);
    return 'added';
  }
  const records = (await readRecords(scope, [before])).get(before.uuid) ?? [];
  const newRecords = domain.dns !== undefined && !hasSameFields(domain.dns, records.map(recordOf)) ? domain.dns : null;
  if (newRecords === null && hasSameFields(row, before)) return 'unchanged';

  const updatedAt = domain.updated_at ?? nextUpdateTime(now, before.updated_at);
  const after = { ...domainOf(row, []), dns: newRecords ?? records.map(recordOf) };
  const verdicts = compareVerdicts(domainOf(before, records), after);
  if (verdicts.length > 0) onVerdicts(row.name, verdicts);
  if (newRecords !== null) await forgetVerdicts(scope, before, subjectsWithoutRecord(records, newRecords), now);
  const standing = judgeStanding(after, (await readVerdicts(scope, [before.uuid])).get(before.uuid) ?? []);
  await countStateChange(scope, before.state, standing.state);
  const { workspace_id: _, ...columns } = row;
  await scope
    .update('domains')
    .set({
      ...columns,
      ...standing,
      updated_at: updatedAt,
      next_check_at: 0,
      ...(newRecords !== null && { verdicts_at: updatedAt, record_bytes: bytesOf(newRecords) }),
    })
    .where('uuid', '=', before.uuid)
    .execute();
  if (row.name_key !== before.name_key) {
    const { name_key: domain_key } = row;
    await scope.update('addresses').set({ domain_key }).where('domain_uuid', '=', before.uuid).execute();
  }
  if (newRecords !== null) await writeRecords(scope, before.uuid, newRecords);
  return 'changed';
}

/** What the last check found about them says nothing about the records that are listed now. */
async function forgetVerdicts(scope: Scope, { uuid, checked_at }: DomainRow, subjects: readonly string[], now: number) {
  if (checked_at === null) return;
  await endSpans(scope, uuid, subjects, checked_at);
  await forgetAcceptances(scope, uuid, subjects, now);
}

const VERDICTS = ['verified', 'status', 'verification', 'mail_from_verified'] as const;

/** The verdicts that differ, of the domain and of the records that stay. */
function compareVerdicts(before: Domain, after: Domain): FieldChange[] {
  const ofDomain = VERDICTS.map((field) => ({ field, before: before[field], after: after[field] }));
  const verdictOf = new Map(before.dns.map((record) => [keyOfRecord(record), record.is_valid]));
  const ofRecords = after.dns.map((record) => ({
    field: `dns ${record.type} ${record.name}`,
    before: verdictOf.get(keyOfRecord(record)) ?? record.is_valid,
    after: record.is_valid,
  }));
  return [...ofDomain, ...ofRecords].filter((change) => change.before !== change.after);
}

const keyOfRecord = ({ type, name, value }: DnsRecord) => JSON.stringify([type, name, value]);

function validateDomain(domain: ImportedDomain): FieldError[] {
  const errors: FieldError[] = [];
  if (domain.uuid !== undefined && !UUID.test(domain.uuid))
    errors.push({ field: 'uuid', message: 'uuid is not a UUID.' });
  const name = foldDomainName(domain.name);
  if (name === '' || name.length > NAME_MAX || /[\s\p{Cc}/@]/u.test(name)) {
    errors.push({ field: 'name', message: 'name is not a domain name.' });
  }
  const { created_at: _created, updated_at: _updated, ...texts } = domain;
  errors.push(...validateStorable(texts));
  const { dns, ...others } = texts;
  if (bytesOf(dns ?? []) > RECORDS_MAX) {
    errors.push({ field: 'dns', message: `The DNS records together are longer than ${RECORDS_MAX / 1024} KiB.` });
  }
  return [...errors, ...validateTextLengths(others)];
}

function buildDomainRow(
  workspace: Workspace,
  domain: ImportedDomain,
  before: DomainRow | null,
  now: number,
): DomainRow {
  const createdAt = domain.created_at ?? before?.created_at ?? now;
  const updatedAt = domain.updated_at ?? before?.updated_at ?? createdAt;
  const name = tidyDomainName(domain.name);
  return {
    workspace_id: workspace.id,
    uuid: before?.uuid ?? (domain.uuid ?? randomUUID()).toLowerCase(),
    name,
    name_key: foldDomainName(name),
    domain: domain.domain ?? before?.domain ?? name,
    verified: Number(domain.verified ?? before?.verified ?? false),
    provider: domain.provider ?? before?.provider ?? '',
    status: domain.status ?? before?.status ?? 'pending',
    verification: domain.verification ?? before?.verification ?? 'pending',
    mail_from_domain: domain.mail_from_domain ?? before?.mail_from_domain ?? '',
    mail_from_verified: Number(domain.mail_from_verified ?? before?.mail_from_verified ?? false),
    created_at: createdAt,
    updated_at: updatedAt,
    verdicts_at: before?.verdicts_at ?? updatedAt,
    next_check_at: before?.next_check_at ?? 0,
    address_count: before?.address_count ?? 0,
    record_bytes: before?.record_bytes ?? 0,
    state: before?.state ?? 'healthy',
    sends_bulk: before?.sends_bulk ?? 1,
    checked_at: before?.checked_at ?? null,
    changed_at: before?.changed_at ?? null,
    urgency: before?.urgency ?? 0,
    verdict_bytes: before?.verdict_bytes ?? 0,
  };
}

async function writeRecords(scope: Scope, uuid: string, records: readonly DnsRecord[]): Promise<void> {
  await scope.delete('dns_records').where('domain_uuid', '=', uuid).execute();
  for (const [position, { type, name, value, is_valid }] of records.entries()) {
    await scope
      .insert('dns_records', {
        domain_uuid: uuid,
        position,
        type,
        name,
        value,
        is_valid: Number(is_valid),
        failed_at: null,
      })
      .execute();
  }
}

function bytesOf(records: readonly DnsRecord[]): number {
  return Buffer.byteLength(JSON.stringify(records));
}
