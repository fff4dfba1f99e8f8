import type { ReadableDnsRecord, ReadableDomain } from '#contract/domain.ts';
import type { CheckedRecord } from '#contract/recordFiles/recordChanges.ts';
import { findLatestFindings, type LiveCheck } from '../check/liveCheck.ts';
import { createRecordFields } from '../records/recordFields.ts';

/** Without a check, records that the service stores as right are left out. */
export function listChecked(domain: ReadableDomain, check: LiveCheck | undefined): CheckedRecord[] {
  const latest = findLatestFindings(domain.dns, check);
  const records = (domain.dns ?? []).flatMap((record, index) => {
    const finding = latest[index]?.finding ?? (record.is_valid === true ? null : toUnchecked(record, domain));
    const { type, name } = createRecordFields(record, domain, null);
    return finding === null ? [] : { title: `${type} ${name}`, domain: domain.name, kind: 'record' as const, finding };
  });
  const advice = (check?.lines ?? []).flatMap((line) =>
    line.kind === 'advice' ? { title: line.about, domain: domain.name, kind: line.kind, finding: line.finding } : [],
  );
  return [...records, ...advice];
}

function toUnchecked(record: ReadableDnsRecord, domain: ReadableDomain): CheckedRecord['finding'] {
  const fix = { todo: "Not checked: add it if it isn't there.", ...createRecordFields(record, domain, null) };
  return { result: 'fail', code: '', diagnosis: '', expected: null, found: [], evidence: [], zone: null, fix };
}
