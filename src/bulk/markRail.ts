import { formatCount } from '../ui/format/formatCount.ts';
import { setRailMark } from '../ui/page/railMarks.ts';
import { paths } from '../url/paths.ts';
import { countWork, type DeskState } from './deskState.ts';

/** Shows in the rail what is left of a list that was begun. A closed desk leaves the mark: the list is still there. */
export function markRail(state: DeskState): void {
  if (state.phase === 'opening' || state.phase === 'elsewhere') return;
  const isUnfinished = state.phase === 'running' || state.phase === 'paused';
  const isRunning = state.phase === 'running';
  const text = isUnfinished ? `${formatCount(countWork(state).left)} left` : '';
  setRailMark(paths.desk, isUnfinished ? { text, isRunning } : null);
}
