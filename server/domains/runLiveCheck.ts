import type { CheckCompletion, CheckLine, CheckResult, Finding, RecordFinding } from '#contract/dnsCheck.ts';
import type { Domain, ReadableDomain } from '#contract/domain.ts';
import type { Database } from '../database/database.ts';
import { timestamp } from '../database/timestamp.ts';
import type { DnsClient } from '../dns/conversation/dnsClient.ts';
import { checkDomain, type RecordCheck } from '../dns/checkDomain.ts';
import type { Log } from '../settings/log.ts';
import type { Workspace } from '../database/workspace.ts';
import { putVerdicts } from './putVerdicts.ts';

/** What a live check needs. */
export type CheckDependencies = {
  /** The DNS client for the domain of this name. */
  dnsClientFor: (domain: string) => DnsClient;
  /** The current time in milliseconds since the epoch. */
  now: () => number;
  log: Log;
};

/** The domain to check: one that is stored here, or one of the service behind a gateway. */
export type CheckSubject<About extends ReadableDomain = Domain> = {
  /** The ID of the workspace or token, for the log. Results are not shared between owners. */
  owner: string;
  domain: About;
  /**
   * Handles the end of a check that began at `at` (milliseconds since the epoch), and returns the domain after that.
   */
  conclude: (checks: readonly RecordCheck[], at: number) => Promise<About>;
};

/** A line of the response of a live check. */
export type LiveCheckLine<About extends ReadableDomain> =
  | (Omit<RecordFinding, 'record'> & { record: NonNullable<About['dns']>[number] })
  | (Omit<CheckCompletion, 'domain'> & { domain: About })
  | Extract<CheckLine, { kind: 'advice' }>;

/** A stored domain: the verdicts of the check are stored. */
export function storedDomainSubject(workspace: Workspace, database: Database, domain: Domain): CheckSubject {
  const { uuid } = domain;
  return {
    owner: workspace.uuid,
    domain,
    conclude: (checks, at) => putVerdicts(workspace, database, uuid, checks, at),
  };
}

/** Seconds. */
const AGAIN_SOONEST = 10;
const AGAIN_LATEST = 3600;

/** `conclude` is called before the last line. Throws after `signal` aborts, and queries nothing more. */
export async function* runLiveCheck<About extends ReadableDomain>(
  { dnsClientFor, now, log }: CheckDependencies,
  { owner, domain, conclude }: CheckSubject<About>,
  signal: AbortSignal,
): AsyncGenerator<LiveCheckLine<About>, void, void> {
  type Record = NonNullable<About['dns']>[number];
  const records: readonly Record[] = domain.dns ?? [];
  const at = now();
  const checks: RecordCheck[] = [];
  const onError = (err: unknown) => log.error({ err, workspace: owner, domain: domain.name }, 'a check failed');
  for await (const line of checkDomain(dnsClientFor(domain.name), domain, { signal, onError })) {
    signal.throwIfAborted();
    const { kind, finding } = line;
    if (kind === 'advice') {
      yield { kind, about: line.about, finding };
    } else {
      checks.push(line);
      yield { kind, index: line.index, record: records[line.index] as Record, finding };
    }
  }
  signal.throwIfAborted();
  logChecks(log, owner, domain, checks);
  const concluded = await conclude(checks, at);
  yield { kind: 'end', checked_at: timestamp(at), again_in: secondsUntilRecheck(checks), domain: concluded };
}

/** Whether the result needs no further check soon. */
export function isRight(result: CheckResult): boolean {
  return result === 'ok' || result === 'warn';
}

/** Seconds until a recheck can have another result: until then, resolvers cache the wrong responses. */
function secondsUntilRecheck(checks: readonly RecordCheck[]): number {
  const wrong = checks.filter(({ finding }) => !isRight(finding.result));
  if (wrong.length === 0) return 0;
  const shortest = Math.min(...wrong.map(({ ttl }) => ttl));
  return Math.min(Math.max(shortest, AGAIN_SOONEST), AGAIN_LATEST);
}

function logChecks(log: Log, owner: string, domain: ReadableDomain, checks: readonly RecordCheck[]): void {
  const records = checks.map(({ record: { type, name }, finding: { code } }) => ({ type, name, code }));
  const line = { workspace: owner, domain: domain.name, records };
  if (checks.some(({ finding }) => isIncomplete(finding)))
    log.warn(line, 'domain checked, but not everything could be asked');
  else log.info(line, 'domain checked');
}

/** Whether a query failed. `unknown` without evidence is a record that the check does not support. */
export function isIncomplete({ result, evidence }: Finding): boolean {
  return result === 'unknown' && evidence.length > 0;
}
