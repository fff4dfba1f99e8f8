import { judgeDomainState } from '#contract/domains/domainState.ts';
import { findLatestFindings, type LiveCheck } from '../../check/liveCheck.ts';
import { adviceFinding, rowOfDomain, type DomainRow, type RowFinding } from './domainRow.ts';

/** A row with what a check of this tab has found, unless a later check is stored. */
export function overlayCheck(row: DomainRow, check: LiveCheck | undefined): DomainRow {
  if (check === undefined || isOutdated(row, check)) return row;
  const { completion } = check;
  const domain = completion?.domain ?? row.domain;
  const findings = [...overlayRecords(row, domain, check), ...overlayAdvice(row, check)];
  return {
    ...row,
    domain,
    findings,
    state: judgeDomainState(
      domain,
      findings.filter(({ code }) => code !== null),
    ),
    checkedAt: completion?.checked_at ?? row.checkedAt,
  };
}

const isOutdated = ({ checkedAt }: DomainRow, { completion }: LiveCheck) =>
  completion !== null && checkedAt !== null && checkedAt > completion.checked_at;

/** What is stored stays until the check has reached the record. */
function overlayRecords(row: DomainRow, domain: DomainRow['domain'], check: LiveCheck): RowFinding[] {
  const latest = findLatestFindings(domain.dns, check);
  return rowOfDomain(domain).findings.map((listed, at): RowFinding => {
    const finding = latest[at]?.finding;
    const stored = row.findings.find(({ record }) => isSame(record, listed.record)) ?? listed;
    if (finding === undefined) return { ...stored, index: listed.index, record: listed.record };
    return { ...listed, ...withHistory(stored, finding) };
  });
}

const isSame = (one: RowFinding['record'], other: RowFinding['record']) =>
  one !== null && other !== null && one.type === other.type && one.name === other.name && one.value === other.value;

/** A check that finds the same changes neither since when it is so, nor who accepts it. */
function withHistory(stored: RowFinding | undefined, finding: NonNullable<RowFinding['finding']>) {
  const { result, code, turn } = finding;
  const isUnchanged = stored?.code === code && stored.result === result;
  return {
    result,
    code,
    turn,
    finding,
    since: isUnchanged ? stored.since : null,
    accepted: isUnchanged ? stored.accepted : null,
  };
}

/** Earlier advice stays until the check has ended. */
function overlayAdvice(row: DomainRow, { lines, earlierLines, completion }: LiveCheck): RowFinding[] {
  const stored = new Map(row.findings.flatMap((one) => (one.record === null ? [[one.subject, one]] : [])));
  const before = completion === null ? [...stored.values()] : [];
  const found = [...(completion === null ? earlierLines : []), ...lines].flatMap((line): RowFinding[] =>
    line.kind === 'advice' ? [adviceFinding(line.about, withHistory(stored.get(line.about), line.finding))] : [],
  );
  return [...new Map([...before, ...found].map((one) => [one.subject, one])).values()];
}
