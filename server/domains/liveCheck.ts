import type { CheckLine, Result } from '#contract/dnsCheck.ts';
import type { DnsRecord, Domain } from '#contract/domain.ts';
import type { Database } from '../database/database.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Asker } from '../dns/asker.ts';
import { checkDomain, type RecordCheck } from '../dns/checkDomain.ts';
import type { Log } from '../requestLog.ts';
import type { Workspace } from '../workspaces/store.ts';
import { putVerdicts } from './putVerdicts.ts';

/** What a check works with. */
export type CheckMeans = {
  /** Who asks the DNS about the domain of this name. */
  askerFor: (domain: string) => Asker;
  database: Database;
  /** The current time in milliseconds since the epoch. */
  now: () => number;
  log: Log;
};

/** Seconds. */
const AGAIN_SOONEST = 10;
const AGAIN_LATEST = 3600;

/**
 * What the DNS says about `domain` now, line by line; the verdicts are stored before the last one. After `signal` nothing
 * more is asked, nothing is stored, and it fails.
 */
export async function* liveCheck(
  { askerFor, database, now, log }: CheckMeans,
  workspace: Workspace,
  domain: Domain,
  signal: AbortSignal,
): AsyncGenerator<CheckLine, void, void> {
  const at = now();
  const checks: RecordCheck[] = [];
  for await (const line of checkDomain(askerFor(domain.name), domain, signal)) {
    signal.throwIfAborted();
    const { kind, finding } = line;
    if (kind === 'advice') {
      yield { kind, about: line.about, finding };
    } else {
      checks.push(line);
      yield { kind, index: line.index, record: domain.dns[line.index] as DnsRecord, finding };
    }
  }
  signal.throwIfAborted();
  logChecks(log, workspace, domain, checks);
  const stored = await putVerdicts(workspace, database, domain.uuid, checks, at);
  yield { kind: 'end', checked_at: timestamp(at), again_in: againIn(checks), domain: stored };
}

export function isRight(result: Result): boolean {
  return result === 'ok' || result === 'warn';
}

/** Resolvers go on saying what they remember of what is not right. */
function againIn(checks: readonly RecordCheck[]): number {
  const wrong = checks.filter(({ finding }) => !isRight(finding.result));
  if (wrong.length === 0) return 0;
  const shortest = Math.min(...wrong.map(({ ttl }) => ttl));
  return Math.min(Math.max(shortest, AGAIN_SOONEST), AGAIN_LATEST);
}

function logChecks(log: Log, workspace: Workspace, domain: Domain, checks: readonly RecordCheck[]): void {
  const records = checks.map(({ record: { type, name }, finding: { code } }) => ({ type, name, code }));
  const line = { workspace: workspace.uuid, domain: domain.name, records };
  // What is not even asked is no fault of the resolvers.
  const hasFault = checks.some(({ finding }) => finding.result === 'unknown' && finding.evidence.length > 0);
  if (hasFault) log.warn(line, 'domain checked, but not everything could be asked');
  else log.info(line, 'domain checked');
}
