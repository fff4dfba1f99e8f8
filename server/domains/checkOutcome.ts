import type { ReadableDomain } from '#contract/domain.ts';
import type { LiveCheckLine } from './runLiveCheck.ts';
import type { ReplayStream } from './replayStream.ts';

/** How a check ended: not everything could be asked, no resolver answered, all who asked for it left, or it is a fault of ours. */
export type CheckOutcome = 'complete' | 'incomplete' | 'unreachable' | 'abandoned' | 'failed';

export function classifyOutcome({ complete, signal }: ReplayStream<LiveCheckLine<ReadableDomain>>): CheckOutcome {
  if (signal.aborted) return 'abandoned';
  if (complete === null) return 'failed';
  const findings = complete.flatMap((line) => (line.kind === 'record' ? line.finding : []));
  if (findings.some(({ code }) => code === 'RESOLVER_UNREACHABLE')) return 'unreachable';
  // What is not even asked is no fault of the resolvers.
  return findings.some(({ result, evidence }) => result === 'unknown' && evidence.length > 0)
    ? 'incomplete'
    : 'complete';
}
