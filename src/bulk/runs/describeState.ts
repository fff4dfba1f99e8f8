import type { ReadableBulkRun, RunState } from '#contract/runs/runs.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import type { Tone } from '../../ui/values/StatusBadge.tsx';

/** `extent`: how far it got. */
type Described = { words: string; tone: Tone; extent?: string };

const STATES: Readonly<Record<RunState, Described>> = {
  incomplete: { words: 'Incomplete', tone: 'warn' },
  waiting: { words: 'Waiting for approval', tone: 'wait' },
  open: { words: 'Not finished', tone: 'wait' },
  finished: { words: 'Finished', tone: 'good' },
  undone: { words: 'Undone', tone: 'neutral' },
};

type Told = Pick<ReadableBulkRun, 'state' | 'imported' | 'unsubscribed' | 'resubscribed'>;

export function describeState({ state, imported, unsubscribed, resubscribed }: Told): Described {
  const undo = state === 'open' ? imported?.undo : null;
  if (undo) return partlyUndone(undo.done, undo.contacts);
  if (state === 'undone' && !imported && (resubscribed ?? 0) < (unsubscribed ?? 0)) {
    return partlyUndone(resubscribed ?? 0, unsubscribed ?? 0);
  }
  return STATES[state as RunState] ?? { words: state ?? 'Unknown', tone: 'neutral' };
}

const partlyUndone = (done: number, of: number): Described => ({
  words: 'Partly undone',
  tone: 'warn',
  extent: `${formatCount(done)} of ${formatCount(of)} contacts`,
});
