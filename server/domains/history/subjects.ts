import type { Finding } from '#contract/domains/dnsCheck.ts';
import { advicePurpose, type Purpose, purposesIn } from '#contract/receivers/purpose.ts';
import type { SubjectKind } from '#contract/domains/domainReport.ts';
import type { ReadableDnsRecord } from '#contract/domains/domain.ts';
import type { CheckedLine } from '../checks/checkedLine.ts';
import { beginning } from '../../database/search/textSearch.ts';
import { foldDomainName } from '../domainRow.ts';

/** What one look found about one subject of a domain. */
export type Look = { kind: SubjectKind; subject: string; purpose: Purpose; finding: Finding };

/** Characters of a subject. It's part of keys, and an entry in an index of PostgreSQL has at most 2,700 bytes. */
const SUBJECT_MAX = 300;

type NamedRecord = Pick<ReadableDnsRecord, 'type' | 'name'>;

/** The subject of each record of a domain: its type and name, and a number for the second one with both. */
export function subjectsOf(records: readonly NamedRecord[]): string[] {
  return distinct(
    records.map(({ type, name }) => `${(type ?? '').trim().toUpperCase()} ${foldDomainName(name ?? '')}`),
  );
}

function distinct(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return names.map((whole) => {
    const name = beginning(whole, SUBJECT_MAX);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} #${count}`;
  });
}

const keyOf = ({ type, name, value }: ReadableDnsRecord | DnsRecordRow) => JSON.stringify([type, name, value]);
type DnsRecordRow = { type: string; name: string; value: string };

type LookedAtDomain = { name: string; mail_from_domain: string };

/**
 * What a check found about each subject, given the records that are listed now. A finding is about the type, name and
 * value that were checked, so records that were imported during the check have none.
 */
export function looksOf(
  lines: readonly CheckedLine[],
  domain: LookedAtDomain,
  records: readonly DnsRecordRow[],
): Look[] {
  const checked = new Map(
    lines.flatMap((line) => (line.kind === 'record' ? [[keyOf(line.record), line.finding]] : [])),
  );
  const subjects = subjectsOf(records);
  const purposeOf = purposesIn(domain);
  const ofRecords = records.flatMap((record, index): Look[] => {
    const finding = checked.get(keyOf(record));
    const purpose = purposeOf(record);
    return finding === undefined ? [] : [{ kind: 'record', subject: subjects[index] ?? '', purpose, finding }];
  });
  const others = lines.flatMap((line) => (line.kind === 'record' ? [] : line));
  const names = distinct(others.map(({ about }) => about));
  const ofOthers = others.map(({ kind, about, finding }, at): Look => {
    return { kind, subject: names[at] ?? '', purpose: kind === 'advice' ? advicePurpose(about) : 'other', finding };
  });
  return [...ofRecords, ...ofOthers];
}

/** The subjects of listed records that an import takes away, or for which it lists another value. */
export function subjectsWithoutRecord(before: readonly DnsRecordRow[], after: readonly DnsRecordRow[]): string[] {
  const subjects = subjectsOf(after);
  const values = new Map(after.map(({ value }, index) => [subjects[index], value]));
  const old = subjectsOf(before);
  return before.flatMap(({ value }, index) => {
    const subject = old[index] ?? '';
    return values.get(subject) === value ? [] : subject;
  });
}
