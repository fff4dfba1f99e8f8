import type { ReadableBulkRun, RunState } from '#contract/runs.ts';
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

export function describeState({ state, imported }: Pick<ReadableBulkRun, 'state' | 'imported'>): Described {
  const undo = state === 'open' ? imported?.undo : null;
  if (undo) {
    const extent = `${formatCount(undo.done)} of ${formatCount(undo.contacts)} contacts`;
    return { words: 'Partly undone', tone: 'warn', extent };
  }
  return STATES[state as RunState] ?? { words: state ?? 'Unknown', tone: 'neutral' };
}
