import { baseUrl } from '../api/client.ts';
import { countAllUnfinished, countUnfinished, deleteJournal, listJournals } from '../journal/journal.ts';
import { placeName } from '../session/workspaces.ts';
import { formatCount } from '../ui/formatCount.ts';
import { readRailMark, setRailMark } from '../ui/railMarks.ts';
import { paths } from '../url/paths.ts';

// What the rail and the sign-out do about a list that was begun and is not finished. Loaded when needed.

/** Shows in the rail that such a list was begun before this page was loaded, or in another tab. */
export async function markUnfinishedList(): Promise<void> {
  const left = await countUnfinished(placeName());
  // A run of this tab marks the rail by itself.
  if (readRailMark(paths.desk)?.isRunning) return;
  setRailMark(paths.desk, left === null ? null : { text: `${formatCount(left)} left`, isRunning: false });
}

/**
 * Gives what deletes the lists of this browser at a sign-out, in all workspaces; null where the user wants to keep one that is not
 * finished. To be called before: afterwards the browser may be deleting them itself, and does not tell which there are.
 */
export async function prepareDeletion(): Promise<(() => Promise<void>) | null> {
  const names = await listJournals(baseUrl());
  const left = await countAllUnfinished(names);
  // While this tab runs the list, the rail counts and the journal has the number from its start.
  const text = readRailMark(paths.desk)?.text ?? `${formatCount(left ?? 0)} left`;
  const question = `A list in Bulk unsubscribe is not finished: ${text}. Sign out, and delete it with the receipt of those already done?`;
  if (left !== null && !window.confirm(question)) return null;
  return async () => {
    await Promise.all(names.map(deleteJournal));
    setRailMark(paths.desk, null);
  };
}
