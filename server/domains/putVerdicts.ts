import { works, type RecordStatus } from '#contract/domains/recordStatus.ts';
import type { Domain, ReadableDnsRecord } from '#contract/domains/domain.ts';
import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import { nextUpdateTime } from '../database/timestamp.ts';
import { parseExpectedRecords, UnreadableRecordError } from '../dns/expectedRecord.ts';
import type { Workspace } from '../database/workspace.ts';
import type { CheckedLine } from './checks/checkedLine.ts';
import { domainOf, type DomainRow, type RecordRow } from './domainRow.ts';
import { countStateChange } from './countStates.ts';
import { endAcceptances } from './history/endAcceptances.ts';
import { pauseFor } from './history/nextIncident.ts';
import { storeIncidents } from './history/storeIncidents.ts';
import { storeLooks } from './history/storeSpans.ts';
import { type Look, looksOf, subjectsOf } from './history/subjects.ts';
import { judgeStanding, readVerdicts, type StoredVerdict } from './standing.ts';
import { findDomainByUuid, readRecords } from './store.ts';

/**
 * Stores what a check found that began at `at` (milliseconds since the epoch), and returns the domain. An import may
 * have changed the records since: a verdict applies to the type, name and value that were checked. `longestPause`:
 * milliseconds until a domain is checked again, at most.
 */
export async function putVerdicts(
  workspace: Workspace,
  db: Database,
  uuid: string,
  lines: readonly CheckedLine[],
  at: number,
  longestPause: number,
): Promise<Domain> {
  const results = new Map<string, RecordStatus>(
    lines.flatMap((line) => (line.kind === 'record' ? [[keyOf(line.record), line.finding.result]] : [])),
  );
  return db.write(workspace, async (scope) => {
    const before = await findDomainByUuid(scope, uuid);
    if (before === null) throw new Error('The checked domain no longer exists.');
    const records = (await readRecords(scope, [before])).get(uuid) ?? [];
    const expected = parseExpectedRecords(domainOf(before, records));
    const checked = records.map((row, index) => {
      const record = expected[index];
      const isMailFrom = record !== undefined && !(record instanceof UnreadableRecordError) && record.isMailFrom;
      return { row, result: results.get(keyOf(row)) ?? null, isMailFrom };
    });
    const after = judge(before, checked, at, longestPause);
    const isChanged =
      JSON.stringify(domainOf(after.domain, after.records)) !== JSON.stringify(domainOf(before, records));
    if (isChanged) after.domain.updated_at = nextUpdateTime(at, before.updated_at);

    for (const [index, { position, is_valid, failed_at }] of after.records.entries()) {
      const stored = records[index];
      if (stored?.is_valid === is_valid && stored.failed_at === failed_at) continue;
      await scope
        .update('dns_records')
        .set({ is_valid, failed_at })
        .where('domain_uuid', '=', uuid)
        .where('position', '=', position)
        .execute();
    }
    const domain = domainOf(after.domain, after.records);
    const looks = looksOf(lines, before, records);
    const valid = new Set(subjectsOf(records).filter((_, index) => records[index]?.is_valid === 1));
    const stayed = await remember(scope, before, after.domain, { looks, valid }, at);
    const verdicts = stayed ?? (await readVerdicts(scope, [uuid])).get(uuid) ?? [];
    after.domain.next_check_at = Math.min(after.domain.next_check_at, at + pauseUntilRetry(looks, verdicts, at));
    const standing = judgeStanding(domain, verdicts);
    await countStateChange(scope, before.state, standing.state);
    const { verified, mail_from_verified, verification, status } = after.domain;
    const { updated_at, verdicts_at, next_check_at, checked_at, changed_at } = after.domain;
    const verdict = { verified, mail_from_verified, verification, status };
    const times = { updated_at, verdicts_at, next_check_at, checked_at, changed_at };
    // Not its key: SQLite would look for all rows that refer to it.
    await scope
      .update('domains')
      .set({ ...verdict, ...times, ...standing })
      .where('uuid', '=', uuid)
      .execute();
    return domain;
  });
}

/**
 * Stores what was found about each subject, and sets in `after` when it was, and when the next check may tell more. Gives
 * the verdicts if the check found the same as the last one. `valid`: the subjects that were valid before it.
 */
async function remember(
  scope: Scope,
  before: DomainRow,
  after: DomainRow,
  { looks, valid }: { looks: readonly Look[]; valid: ReadonlySet<string> },
  at: number,
): Promise<StoredVerdict[] | null> {
  const { isStored, isChanged, current } = await storeLooks(scope, before, { looks, valid }, at);
  if (!isStored) return null;
  after.checked_at = at;
  if (isChanged) after.changed_at = at;
  const accepted = await endAcceptances(scope, before.uuid, looks, at);
  const due = await storeIncidents(scope, before, looks, (subject) => accepted.has(subject), at);
  const ends = Array.from(accepted.values(), ({ until }) => until);
  after.next_check_at = Math.min(after.next_check_at, due ?? Infinity, ...ends);
  return current?.map((span) => ({ span, accepted: accepted.get(span.subject) ?? null })) ?? null;
}

function keyOf({ type, name, value }: Pick<ReadableDnsRecord, 'type' | 'name' | 'value'>): string {
  return JSON.stringify([type, name, value]);
}

// How a check changes the stored verdicts, and when the next check is (docs/decisions/0011-stored-verdicts.md).

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Milliseconds. A valid record that fails for a shorter time stays valid. */
const FAILURES_APART = 5 * MINUTE;
/** Milliseconds after which a pending domain counts as failed if its verdicts haven't changed. */
const FAILED_AFTER_MS = 72 * HOUR;

/** The statuses that this service sets. An import's others stay. */
const OWN_STATUSES = new Set(['pending', 'completed', 'failed']);

/** A stored record and its result; null if the check didn't include it. */
type CheckedRecord = { row: RecordRow; result: RecordStatus | null; isMailFrom: boolean };

type Verdict = Pick<RecordRow, 'is_valid' | 'failed_at'>;

/** The rows of a domain and its records after a check that began at `at` (milliseconds since the epoch). */
function judge(
  before: DomainRow,
  checked: readonly CheckedRecord[],
  at: number,
  longestPause: number,
): { domain: DomainRow; records: RecordRow[] } {
  const judged = checked.map((one) => ({
    ...one,
    row: { ...one.row, ...verdictOn(one.row, one.result ?? 'unknown', at) },
  }));
  const records = judged.map(({ row }) => row);
  const hasChanged = records.some(({ is_valid }, index) => is_valid !== checked[index]?.row.is_valid);
  const domain = { ...before, verdicts_at: hasChanged ? at : before.verdicts_at };
  // If all results are unknown or pending, the states of the domain stay.
  if (judged.some((one) => isSuccess(one) || one.result === 'fail')) {
    const own = judged.filter(({ isMailFrom }) => !isMailFrom);
    const mailFrom = judged.filter(({ isMailFrom }) => isMailFrom);
    domain.verified = Number(isVerified(before.verified === 1, own));
    domain.mail_from_verified = Number(isVerified(before.mail_from_verified === 1, mailFrom));
    // Either this check verified the last of both, or nothing failed.
    const isComplete = areVerified(domain, judged) && (!areVerified(before, judged) || isProven(judged));
    const now = { areValid: areValid(records), isComplete, isLate: at - domain.verdicts_at >= FAILED_AFTER_MS };
    domain.verification = nextStatus(before.verification, now);
    domain.status = nextStatus(before.status, now);
  }
  // Records imported during the check are not checked yet, so the domain stays due.
  if (checked.every(({ result }) => result !== null)) {
    const isRight = areValid(records) && areVerified(domain, judged);
    // Often after a change, and less often the longer the records have failed.
    const pause = isRight ? longestPause : Math.min(pauseFor(at - domain.verdicts_at), longestPause);
    domain.next_check_at = at + (records.some(({ failed_at }) => failed_at !== null) ? FAILURES_APART : pause);
  }
  return { domain, records };
}

const isSuccess = ({ result }: CheckedRecord) => result !== null && works(result);

/**
 * Whether a record works and none failed, not even once: a first failure keeps a state for five minutes, but the stored
 * verdict, which may never have been true, doesn't raise one.
 */
function isProven(records: readonly CheckedRecord[]): boolean {
  return records.some(isSuccess) && records.every(({ row }) => row.failed_at === null);
}

/** Whether a domain, or its MAIL FROM name, is verified by its records. */
function isVerified(was: boolean, records: readonly CheckedRecord[]): boolean {
  return areValid(records.map(({ row }) => row)) && (was || isProven(records));
}

/** Whether the domain and its MAIL FROM name are verified, as far as there are records for that. */
function areVerified({ verified, mail_from_verified }: DomainRow, records: readonly CheckedRecord[]): boolean {
  return records.every(({ isMailFrom }) => (isMailFrom ? mail_from_verified : verified) === 1);
}

/** A record becomes valid with one success, and invalid with a failure at least five minutes after its first one. */
function verdictOn({ is_valid, failed_at }: Verdict, result: RecordStatus, at: number): Verdict {
  if (works(result)) return { is_valid: 1, failed_at: null };
  // A name server has the right record, so an earlier failure is over.
  if (result === 'pending') return { is_valid, failed_at: null };
  if (result === 'unknown' || is_valid === 0) return { is_valid, failed_at };
  const since = failed_at ?? at;
  return at - since < FAILURES_APART ? { is_valid, failed_at: since } : { is_valid: 0, failed_at: null };
}

const RETRY_PAUSE = 10 * MINUTE;

/** Milliseconds until the next check of a domain at the latest. */
export const LONGEST_PAUSE = DAY;

/** Milliseconds after which what couldn't be asked is asked again: as long as it lasts already. */
function pauseUntilRetry(looks: readonly Look[], verdicts: readonly StoredVerdict[], at: number): number {
  // Without evidence it's a record that the check doesn't support.
  const unclear = looks.filter(({ finding }) => finding.result === 'unknown' && finding.evidence.length > 0);
  const subjects = new Set(unclear.map(({ subject }) => subject));
  const ages = verdicts.flatMap(({ span }) => (subjects.has(span.subject) ? at - span.started_at : []));
  return Math.min(LONGEST_PAUSE, ...ages.map((age) => Math.max(age, RETRY_PAUSE)));
}

function nextStatus(word: string, now: { areValid: boolean; isComplete: boolean; isLate: boolean }): string {
  if (!OWN_STATUSES.has(word)) return word;
  if (now.areValid) return now.isComplete ? 'completed' : word;
  return word === 'pending' && !now.isLate ? 'pending' : 'failed';
}

function areValid(records: readonly Verdict[]): boolean {
  return records.length > 0 && records.every(({ is_valid }) => is_valid === 1);
}
