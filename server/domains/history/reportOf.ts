import { sql, type SqlBool } from 'kysely';
import { type DkimKey, dkimKeysOf } from '#contract/domains/dkimKeys.ts';
import type { DetailedDomainReport } from '#contract/domains/domainHistory.ts';
import type { Acceptance, DomainReport, Verdict } from '#contract/domains/domainReport.ts';
import { judgeReceivers } from '#contract/receivers/judgeReceivers.ts';
import { advicePurpose, purposesIn } from '#contract/receivers/purpose.ts';
import type { Domain } from '#contract/domains/domain.ts';
import type { Finding } from '#contract/domains/dnsCheck.ts';
import { must } from '#contract/values/must.ts';
import { actorIn } from '../../database/changeLog/author.ts';
import type { Scope } from '../../database/scope.ts';
import { timeOrNull, timestamp } from '../../database/timestamp.ts';
import { domainOf, type DomainRow } from '../domainRow.ts';
import { readVerdicts, type StoredVerdict, withIndexes } from '../standing.ts';
import { readRecords } from '../store.ts';
import type { SpanRow } from './moveSpans.ts';
import type { AcceptanceRow } from './readAcceptances.ts';
import { unpackEvidence } from './storedEvidence.ts';
import { subjectsOf } from './subjects.ts';

type Named = Pick<DomainRow, 'uuid' | 'name'>;

/** The reports of these domains, in their order. */
export async function readReports(scope: Scope, rows: readonly DomainRow[]): Promise<DomainReport[]> {
  const uuids = rows.map(({ uuid }) => uuid);
  const records = await readRecords(scope, rows);
  const verdicts = await readVerdicts(scope, uuids);
  // Verdicts of one check have their times in common.
  const texts = new Map<number, string>();
  const timeOf = (time: number) => texts.getOrInsertComputed(time, timestamp);
  return rows.map((row) => {
    const domain = domainOf(row, records.get(row.uuid) ?? []);
    const own = inOrder(withIndexes(domain, verdicts.get(row.uuid) ?? []));
    return {
      domain,
      state: row.state,
      sends_bulk: row.sends_bulk === 1,
      checked_at: timeOrNull(row.checked_at),
      changed_at: timeOrNull(row.changed_at),
      address_count: row.address_count,
      receivers: receiversOf(domain, row.sends_bulk === 1, own),
      verdicts: own.map((verdict) => verdictOf(row, verdict, timeOf)),
    };
  });
}

/** The report of one domain, with each finding in full. */
export async function readDetailedReport(scope: Scope, row: DomainRow): Promise<DetailedDomainReport> {
  const [report] = await readReports(scope, [row]);
  const rows = await scope
    .select('domain_spans')
    .select(['subject', 'finding', 'evidence'])
    .where('domain_uuid', '=', row.uuid)
    .where('ended_at', 'is', null)
    .execute();
  const findings = new Map(rows.map((span) => [span.subject, findingOf(span)]));
  const { verdicts, ...others } = must(report);
  return {
    ...others,
    next_check_at: timeOrNull(row.next_check_at === 0 ? null : row.next_check_at),
    dkim_keys: await readKeys(scope, row, subjectsOf(others.domain.dns)),
    verdicts: verdicts.map((verdict) => ({ ...verdict, finding: must(findings.get(verdict.subject)) })),
  };
}

/** Of each key, only the spans that count: the first, the last, the last fault, and the first right one after it. */
async function readKeys(scope: Scope, { uuid, checked_at }: DomainRow, listed: readonly string[]): Promise<DkimKey[]> {
  const ofDomain = sql<SqlBool>`workspace_id = ${scope.id} and domain_uuid = ${uuid}`;
  const rows = await scope.run(sql<KeySpanRow>`
    with keys as (
      select subject as key, min(started_at) as first_at, max(started_at) as last_at,
        coalesce(max(case when result = 'fail' then started_at end), 0) as failed_at
      from domain_spans where ${ofDomain} and kind = 'record' and subject like '%domainkey.%'
      group by subject
    )
    select subject, started_at, ended_at, result from keys join domain_spans on ${ofDomain} and subject = key
      and started_at in (first_at, last_at, failed_at, (
        select min(started_at) from domain_spans
        where ${ofDomain} and subject = key and started_at > failed_at and result in ('ok', 'warn')))`);
  const spans = rows.map(({ started_at, ended_at, ...row }) => ({
    ...row,
    started_at: timestamp(started_at),
    ended_at: timestamp(ended_at ?? must(checked_at)),
  }));
  return dkimKeysOf(spans, listed);
}

/** A stored finding in full. */
export function findingOf({ finding, evidence }: { finding: string; evidence: string }): Finding {
  const found = JSON.parse(finding) as Omit<Finding, 'evidence'>;
  return { ...found, evidence: unpackEvidence(evidence) };
}

type KeySpanRow = Pick<SpanRow, 'subject' | 'started_at' | 'ended_at' | 'result'>;

type IndexedVerdict = StoredVerdict & { index: number | null };

/** The places of what isn't a record, behind those of records. */
const PLACES = { record: 1e6, advice: 2e6, watch: 3e6 };

/** Records in the order of the domain, then the others by kind and name. */
function inOrder(verdicts: readonly IndexedVerdict[]): IndexedVerdict[] {
  const place = ({ index, span: { kind } }: IndexedVerdict) => index ?? PLACES[kind];
  return verdicts.toSorted(
    (one, other) => place(one) - place(other) || (one.span.subject < other.span.subject ? -1 : 1),
  );
}

/** What each receiver does with the domain's mail. */
function receiversOf(
  domain: Domain,
  sendsBulk: boolean,
  verdicts: readonly IndexedVerdict[],
): DomainReport['receivers'] {
  const purposeOf = purposesIn(domain);
  const findings = verdicts.map(({ index, span: { kind, subject, result, code } }) => {
    const record = index === null ? undefined : domain.dns[index];
    const ofOther = kind === 'advice' ? advicePurpose(subject) : 'other';
    return { purpose: record === undefined ? ofOther : purposeOf(record), result, code };
  });
  const judged = judgeReceivers({ findings, sendsBulk });
  return Object.fromEntries(judged.map(({ receiver, outcome }) => [receiver, outcome])) as DomainReport['receivers'];
}

function verdictOf(
  domain: DomainRow,
  { span, accepted, index }: IndexedVerdict,
  timeOf: (time: number) => string,
): Verdict {
  const { kind, subject, result, code, turn, cause, previous_result, previous_ended_at } = span;
  return {
    kind,
    subject,
    index,
    result,
    code,
    turn,
    cause,
    since: timeOf(span.started_at),
    checked_at: timeOf(span.ended_at ?? must(domain.checked_at)),
    before:
      previous_result === null || previous_ended_at === null
        ? null
        : { result: previous_result, checked_at: timeOf(previous_ended_at) },
    accepted: accepted && acceptanceOf(accepted, domain),
  };
}

export function acceptanceOf(row: AcceptanceRow, { uuid, name }: Named): Acceptance {
  const { subject, code, reason, accepted_at, until, ended_at } = row;
  return {
    uuid: row.uuid,
    domain: { uuid, name },
    subject,
    code,
    found: JSON.parse(row.found) as string[],
    reason,
    accepted_at: timestamp(accepted_at),
    until: timestamp(until),
    ended_at: timeOrNull(ended_at),
    actor: actorIn({ ...row, actor_email: null }),
  };
}
