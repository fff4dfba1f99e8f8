import type { Finding } from '#contract/domains/dnsCheck.ts';
import type { ResponsibleParty } from '#contract/domains/responsibleParty.ts';
import type { ReadableDomainReport } from '#contract/domains/domainReport.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domains/domain.ts';
import { judgeDomainState, type DomainState } from '#contract/domains/domainState.ts';
import { RECORD_STATUSES, storedStatus, type RecordStatus } from '#contract/domains/recordStatus.ts';
import { classifyAdvice, classifyRecord, type RecordKind } from '../../records/recordKind.ts';

type Verdict = ReadableDomainReport['verdicts'][number];

/** What is known about a listed record, or a piece of advice. */
export type RowFinding = {
  /** SPF counts as SPF at MAIL FROM too: receivers check it there. */
  kind: RecordKind;
  /** It is for MAIL FROM. */
  isMailFrom: boolean;
  /** The listed record, or null for advice. */
  record: ReadableDnsRecord | null;
  /** Of the record in the domain; null for advice. */
  index: number | null;
  /** "CNAME k1._domainkey.example.com", or what the advice is about. */
  subject: string;
  result: RecordStatus;
  /** Null if only `is_valid` is known. */
  code: string | null;
  turn: ResponsibleParty | null;
  /** The first check that found it. */
  since: string | null;
  accepted: Verdict['accepted'];
  /** In full, if this tab has checked it. */
  finding: Finding | null;
};

/** What a check of this tab does for a row. */
export type RowCheck = 'idle' | 'waiting' | 'checking' | Error;

/** A line of the table: a stored report, or a domain of a service without reports. */
export type DomainRow = {
  uuid: string;
  domain: ReadableDomain;
  /** Null if the service doesn't send enough. */
  state: DomainState | null;
  findings: readonly RowFinding[];
  /** By receiver, what it does with the domain's mail. */
  receivers: Readonly<Record<string, string>>;
  checkedAt: string | null;
  check: RowCheck;
};

export function rowOfReport({ domain, state, verdicts, receivers, checked_at }: ReadableDomainReport): DomainRow {
  const byIndex = new Map(verdicts.map((verdict) => [verdict.kind === 'record' ? verdict.index : null, verdict]));
  const findings = [
    ...storedFindings(domain).map((stored): RowFinding => {
      const verdict = byIndex.get(stored.index);
      return verdict === undefined ? stored : { ...stored, ...pickVerdict(verdict) };
    }),
    ...verdicts.flatMap((verdict): RowFinding[] =>
      verdict.kind === 'advice' ? [adviceFinding(verdict.subject, pickVerdict(verdict))] : [],
    ),
  ];
  return { uuid: domain.uuid, domain, state, findings, receivers, checkedAt: checked_at, check: 'idle' };
}

export function rowOfDomain(domain: ReadableDomain): DomainRow {
  return {
    uuid: domain.uuid,
    domain,
    state: judgeDomainState(domain),
    findings: storedFindings(domain),
    receivers: {},
    checkedAt: null,
    check: 'idle',
  };
}

function storedFindings(domain: ReadableDomain): RowFinding[] {
  return (domain.dns ?? []).map((record, index) => {
    const kind = classifyRecord(record, domain);
    const isMailFrom = kind === 'mailFrom';
    return {
      kind: isMailFrom && /^TXT$/i.test(record.type ?? '') ? 'spf' : kind,
      isMailFrom,
      record,
      index,
      subject: `${record.type ?? ''} ${record.name ?? ''}`.trim(),
      result: storedStatus(record.is_valid),
      code: null,
      turn: null,
      since: null,
      accepted: null,
      finding: null,
    };
  });
}

const pickVerdict = ({ result, code, turn, since, accepted }: Verdict) => ({
  result,
  code,
  turn,
  since,
  accepted,
  finding: null,
});

/** About something that isn't listed. `about` may end with a number, as the second one does. */
export function adviceFinding(
  about: string,
  found: Pick<RowFinding, 'result' | 'code' | 'turn' | 'since' | 'accepted' | 'finding'>,
): RowFinding {
  const what = about.replace(/ #\d+$/, '');
  const kind = what === 'mail_from_spf' ? 'spf' : classifyAdvice(what);
  return { kind, isMailFrom: what.startsWith('mail_from'), record: null, index: null, subject: about, ...found };
}

/** What isn't right, the worst first; what somebody accepts comes last. */
export function listProblems(findings: readonly RowFinding[]): RowFinding[] {
  const rank = ({ accepted, result }: RowFinding) =>
    (accepted === null ? 0 : RECORD_STATUSES.length) + RECORD_STATUSES.indexOf(result);
  return findings.filter(({ result }) => result !== 'ok').toSorted((one, other) => rank(one) - rank(other));
}

/** The finding that decides who must act; null if nothing has to be done. */
export function worstFinding({ findings }: Pick<DomainRow, 'findings'>): RowFinding | null {
  const worst = listProblems(findings)[0];
  return worst === undefined || worst.accepted !== null || worst.code === null ? null : worst;
}

const STATES: readonly (DomainState | null)[] = ['failing', 'pending', 'warning', null, 'healthy'];

/** Of a service that can't sort so: the rows of a page by state, then by how much fails. */
export function worstFirst(rows: readonly DomainRow[]): DomainRow[] {
  const failed = ({ findings }: DomainRow) => findings.filter(({ result }) => result === 'fail').length;
  return rows.toSorted(
    (one, other) => STATES.indexOf(one.state) - STATES.indexOf(other.state) || failed(other) - failed(one),
  );
}
