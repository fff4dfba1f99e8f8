import { type DomainState, DOMAIN_STATES, judgeDomainState } from '#contract/domains/domainState.ts';
import type { Domain } from '#contract/domains/domain.ts';
import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import { must } from '#contract/values/must.ts';
import type { Scope } from '../database/scope.ts';
import type { DomainRow } from './domainRow.ts';
import { type AcceptanceRow, readAcceptances } from './history/readAcceptances.ts';
import { type JudgedSpan, readJudgedSpans } from './history/readSpans.ts';
import { subjectsOf } from './history/subjects.ts';

/** How a domain stands, stored in its row with every change. */
export type Standing = Pick<DomainRow, 'state' | 'urgency' | 'verdict_bytes'>;

/** What the last check found about one subject, and who accepts it. */
export type StoredVerdict = { span: JudgedSpan; accepted: AcceptanceRow | null };

/** The verdicts of each of these domains, by UUID. */
export async function readVerdicts(scope: Scope, uuids: readonly string[]): Promise<Map<string, StoredVerdict[]>> {
  const spans = await readJudgedSpans(scope, uuids);
  const accepted = await readAcceptances(scope, [...spans.keys()]);
  return new Map(
    Array.from(spans, ([uuid, own]) => [
      uuid,
      own.map((span) => ({ span, accepted: accepted.get(`${uuid} ${span.subject}`) ?? null })),
    ]),
  );
}

/** Each verdict with the index of its record in the domain; null for other subjects. */
export function withIndexes(
  { dns }: Pick<Domain, 'dns'>,
  verdicts: readonly StoredVerdict[],
): (StoredVerdict & { index: number | null })[] {
  const indexes = new Map(subjectsOf(dns).map((subject, index) => [subject, index]));
  return verdicts.map((verdict) => ({
    ...verdict,
    index: verdict.span.kind === 'record' ? (indexes.get(verdict.span.subject) ?? null) : null,
  }));
}

export function judgeStanding(domain: Domain, verdicts: readonly StoredVerdict[]): Standing {
  const judged = withIndexes(domain, verdicts).map(({ span: { result }, accepted, index }) => ({
    result,
    accepted,
    index,
  }));
  // Every field of a domain of ours is known.
  const state = must(judgeDomainState(domain, judged));
  return { state, urgency: urgencyOf(state, judged), verdict_bytes: bytesOf(verdicts) };
}

const COUNTED_MAX = 99;

/** The state counts first, then how much fails, then how much should be better. */
function urgencyOf(state: DomainState, verdicts: readonly { result: RecordStatus; accepted: unknown }[]): number {
  const count = (wanted: RecordStatus) =>
    Math.min(COUNTED_MAX, verdicts.filter(({ result, accepted }) => accepted === null && result === wanted).length);
  return DOMAIN_STATES.indexOf(state) * 10_000 + count('fail') * 100 + count('warn');
}

/** Bytes of a verdict besides its own texts, at most. */
const VERDICT_BYTES = 350;
/** Of one that's accepted, with the name of the domain and of who accepts it. */
const ACCEPTANCE_BYTES = 1200;

function bytesOf(verdicts: readonly StoredVerdict[]): number {
  const sizes = verdicts.map(({ span: { subject, code, cause }, accepted }) => {
    const texts = Buffer.byteLength(JSON.stringify([subject, code, cause]));
    return (
      VERDICT_BYTES + texts + (accepted === null ? 0 : ACCEPTANCE_BYTES + 2 * texts + bytesOfText(accepted.reason))
    );
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

const bytesOfText = (text: string) => Buffer.byteLength(JSON.stringify(text));
