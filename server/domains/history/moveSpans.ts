import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import type { Finding } from '#contract/domains/dnsCheck.ts';
import type { Tables } from '../../database/schema/tables.ts';
import type { Selectable } from 'kysely';
import { packEvidence } from './storedEvidence.ts';
import type { Look } from './subjects.ts';

export type SpanRow = Selectable<Tables['domain_spans']>;

/** What a look compares with: the current span of a subject. */
export type CurrentSpan = Pick<
  SpanRow,
  'subject' | 'started_at' | 'kind' | 'result' | 'code' | 'turn' | 'cause' | 'finding'
>;

/** Milliseconds. Looks further apart are two spans: nobody looked in between. */
const JOINED_WITHIN = 48 * 60 * 60_000;

/** Of a subject, spans that begin within a day. Then the latest one follows what is found. */
export const SPANS_PER_DAY = 20;

const TOO_OFTEN = `It changed more than ${SPANS_PER_DAY} times in a day, so the history has only the latest state.`;

/** Characters of a cause, which is part of an index. */
const CAUSE_MAX = 300;

/** A finding as it's stored: `finding` without its evidence, as JSON. */
export type StoredFinding = Pick<SpanRow, 'result' | 'code' | 'turn' | 'cause' | 'finding' | 'evidence'>;

/** What changes because of a look. */
export type SpanMoves = {
  /** Subjects whose current span is over: it ended at the look before. */
  ended: string[];
  /** Current spans that stay, but whose finding has other words, such as a later `until`. */
  refreshed: { subject: string; finding: string }[];
  started: (StoredFinding & Pick<SpanRow, 'subject' | 'kind'>)[];
};

/**
 * Moves the spans of a domain by the look at `at`; the one before was at `lookedAt`. The end of a current span is the
 * last look, so a look that finds the same changes nothing here.
 */
export function moveSpans(
  current: readonly CurrentSpan[],
  looks: readonly Look[],
  at: number,
  lookedAt: number | null,
): SpanMoves {
  const isGap = lookedAt !== null && at - lookedAt > JOINED_WITHIN;
  const open = new Map(current.map((span) => [span.subject, span]));
  const moves: SpanMoves = { ended: [], refreshed: [], started: [] };
  for (const { kind, subject, finding } of looks) {
    const now = toStored(finding);
    const span = open.get(subject);
    if (span !== undefined && !isGap && isSameFinding(span, now)) {
      const newest = span.finding.includes(TOO_OFTEN) ? sayTooOften(now) : now;
      if (span.finding !== newest.finding) moves.refreshed.push({ subject, finding: newest.finding });
      open.delete(subject);
    } else {
      moves.started.push({ kind, subject, ...now });
    }
  }
  moves.ended = [...open.keys()];
  return moves;
}

export function toStored({ evidence, ...rest }: Finding): StoredFinding {
  const { result, code, turn } = rest;
  // A name server's name can have any bytes.
  const cause = rest.cause === null ? null : escapeInvisible(rest.cause).slice(0, CAUSE_MAX).toWellFormed();
  return { result, code, turn, cause, finding: JSON.stringify(rest), evidence: packEvidence(evidence) };
}

/** The finding, with a sentence that its span has had others. */
export function sayTooOften(stored: StoredFinding): StoredFinding {
  const finding = JSON.parse(stored.finding) as Pick<Finding, 'diagnosis'>;
  const diagnosis = `${finding.diagnosis} ${TOO_OFTEN}`;
  return { ...stored, finding: JSON.stringify({ ...finding, diagnosis }) };
}

export type ComparedFinding = Pick<StoredFinding, 'result' | 'code' | 'turn' | 'cause' | 'finding'>;

/** Whether both say the same, in whatever words. */
export function isSameFinding(one: ComparedFinding, other: ComparedFinding): boolean {
  if (one.result !== other.result || one.code !== other.code) return false;
  if (one.turn !== other.turn || one.cause !== other.cause) return false;
  return one.finding === other.finding || foundIn(one) === foundIn(other);
}

/** The values found, sorted, as JSON. */
export function foundIn({ finding }: Pick<StoredFinding, 'finding'>): string {
  return JSON.stringify((JSON.parse(finding) as Pick<Finding, 'found'>).found.toSorted());
}
