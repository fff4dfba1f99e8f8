import type { ReadableDnsRecord, ReadableDomain } from '#contract/domains/domain.ts';
import type { CheckedRecord } from '#contract/recordFiles/recordChanges.ts';
import { type Item, stateOf } from '../records/items.ts';
import { createRecordFields } from '../records/recordFields.ts';

/** Without a check, records that the service stores as right are left out. */
export function listChecked(domain: ReadableDomain, items: readonly Item[]): CheckedRecord[] {
  return items.flatMap((item): CheckedRecord | [] => {
    const { about, record } = item;
    const finding = item.finding ?? (record === null || record.is_valid === true ? null : toUnchecked(record, domain));
    if (finding === null) return [];
    const known = { domain: domain.name, finding, isAccepted: stateOf(item) === 'accepted' };
    if (record === null) return { ...known, kind: 'advice', title: about ?? '' };
    const { type, name } = createRecordFields(record, domain, null);
    return { ...known, kind: 'record', title: `${type} ${name}` };
  });
}

function toUnchecked(record: ReadableDnsRecord, domain: ReadableDomain): CheckedRecord['finding'] {
  const fix = { todo: "Not checked: add it if it isn't there.", ...createRecordFields(record, domain, null) };
  return { result: 'fail', code: '', diagnosis: '', expected: null, found: [], evidence: [], zone: null, fix };
}
