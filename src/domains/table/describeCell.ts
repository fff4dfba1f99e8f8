import { RECEIVERS } from '#contract/receivers/receivers.ts';
import type { ResponsibleParty } from '#contract/domains/responsibleParty.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import type { Tone } from '../../ui/values/StatusBadge.tsx';
import { RECORD_KIND_LABELS, type RecordKind } from '../records/recordKind.ts';
import { formatStatusCount, RECORD_STATUS_LABELS } from '../records/recordStatus.ts';
import { describeCause } from './describeCause.ts';
import { listProblems, type DomainRow, type RowFinding } from './rows/domainRow.ts';

/** Who has to act, in a word; RESPONSIBLE_PARTY_LABELS has the sentence. */
export const TURN_WORDS: Readonly<Record<ResponsibleParty, string>> = {
  owner: 'You',
  provider: 'Mail provider',
  dns_host: 'DNS host',
  registrar: 'Registrar',
  report_receiver: 'Report receiver',
  checker: 'Check again',
};

/** `words` of a right cell are for screen readers only. `more`: how many problems it has besides. */
export type Cell = { tone: Tone; words: string; more: number; details: string; isRight: boolean };

const LISTED_MAX = 4;

/** What a domain's records and advice of a kind are; null if it has none. */
export function describeCell({ findings }: DomainRow, kind: RecordKind): Cell | null {
  const own = findings.filter((finding) => finding.kind === kind);
  if (own.length === 0) return null;
  const problems = listProblems(own);
  const [worst, ...others] = problems;
  if (worst === undefined) {
    const where = kind === 'spf' && own.every(({ isMailFrom }) => isMailFrom) ? ' at MAIL FROM' : '';
    return { tone: 'good', words: formatStatusCount('ok', own.length) + where, more: 0, details: '', isRight: true };
  }
  const same = own.filter(({ result }) => result === worst.result).length;
  return {
    tone: worst.accepted === null ? RECORD_STATUS_LABELS[worst.result].tone : 'neutral',
    words:
      worst.code === null ? formatStatusCount(worst.result, same, own.length) : omitKind(describeProblem(worst), kind),
    more: worst.code === null ? 0 : others.length,
    details: describeProblems(problems),
    isRight: false,
  };
}

const describeProblem = ({ code, accepted, result }: RowFinding): string => {
  const words = code === null ? RECORD_STATUS_LABELS[result].label : describeCause(code);
  return accepted === null ? words : `Accepted: ${words}`;
};

/** "No DMARC record" in the column DMARC is "No record". */
function omitKind(words: string, kind: RecordKind): string {
  const rest = words.replace(`${RECORD_KIND_LABELS[kind]} `, '');
  return rest === words ? words : rest.charAt(0).toUpperCase() + rest.slice(1);
}

function describeProblems(problems: readonly RowFinding[]): string {
  const lines = problems
    .slice(0, LISTED_MAX)
    .map((problem) => `${describeSubject(problem)}: ${describeProblem(problem)}.`);
  const rest = problems.length - lines.length;
  return [...lines, ...(rest > 0 ? [`And ${rest} more.`] : [])].join('\n');
}

/** "MAIL FROM MX" for advice about `mail_from_mx`. */
const describeSubject = ({ record, subject }: RowFinding): string =>
  escapeInvisible(record === null ? subject.replaceAll('_', ' ').toUpperCase() : subject);

export const nameCell = (kind: RecordKind, { domain }: DomainRow): string =>
  `${RECORD_KIND_LABELS[kind]} of ${escapeInvisible(domain.name)}`;

const receiverName = (id: string) => new Map(Object.entries(RECEIVERS)).get(id) ?? id;

/** The name of the only one, or how many they are. */
const count = (names: readonly string[], what: string) =>
  names.length === 1 ? (names[0] ?? '') : `${names.length} ${what}`;

/** What receivers do with the domain's mail: the strictest in words. Null if nothing is known. */
export function describeReceivers({ receivers }: DomainRow): Cell | null {
  const named = (word: string) =>
    Object.entries(receivers).flatMap(([id, what]) => (what === word ? [escapeInvisible(receiverName(id))] : []));
  const [refusing, limiting, accepting] = [named('refuses'), named('limits'), named('accepts')];
  const details = [
    ...(refusing.length > 0 ? [`Refused by ${refusing.join(', ')}.`] : []),
    ...(limiting.length > 0 ? [`Limited by ${limiting.join(', ')}.`] : []),
    ...(accepting.length > 0 ? [`Accepted by ${accepting.join(', ')}.`] : []),
  ].join('\n');
  const common = { more: 0, details };
  if (refusing.length > 0) return { ...common, tone: 'bad', words: count(refusing, 'refuse'), isRight: false };
  if (limiting.length > 0) return { ...common, tone: 'warn', words: count(limiting, 'limit'), isRight: false };
  return accepting.length === 0 ? null : { ...common, tone: 'good', words: count(accepting, 'accept'), isRight: true };
}
