import type { ReadableDomain } from '#contract/domain.ts';
import type { LiveCheckLine } from './runLiveCheck.ts';
import type { ReplayStream } from './replayStream.ts';

/**
 * How a check ended. `incomplete`: some queries failed. `unreachable`: no resolver answered. `abandoned`: all clients
 * disconnected. `failed`: an error in this program.
 */
export type CheckOutcome = 'complete' | 'incomplete' | 'unreachable' | 'abandoned' | 'failed';

/** The outcome of a check that has ended. */
export function classifyOutcome({ complete, signal }: ReplayStream<LiveCheckLine<ReadableDomain>>): CheckOutcome {
  if (signal.aborted) return 'abandoned';
  if (complete === null) return 'failed';
  const findings = complete.flatMap((line) => (line.kind === 'record' ? line.finding : []));
  if (findings.some(({ code }) => code === 'RESOLVER_UNREACHABLE')) return 'unreachable';
  // `unknown` without evidence is a record that the check does not support.
  return findings.some(({ result, evidence }) => result === 'unknown' && evidence.length > 0)
    ? 'incomplete'
    : 'complete';
}
