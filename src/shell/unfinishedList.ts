import { baseUrl } from '../api/client.ts';
import { countUnfinished, deleteJournal } from '../journal/journal.ts';
import { formatCount } from '../ui/formatCount.ts';
import { readRailMark, setRailMark } from '../ui/railMarks.ts';
import { paths } from '../url/paths.ts';

// What the rail and the sign-out do about a list that was begun and is not finished. Loaded when needed.

/** Shows in the rail that such a list was begun before this page was loaded, or in another tab. */
export async function markUnfinishedList(): Promise<void> {
  const left = await countUnfinished(baseUrl());
  // A run of this tab marks the rail by itself.
  if (readRailMark(paths.desk)?.isRunning) return;
  setRailMark(paths.desk, left === null ? null : { text: `${formatCount(left)} left`, isRunning: false });
}

/** Whether a sign-out may delete the list. Asks if it is not finished. */
export async function mayDeleteList(): Promise<boolean> {
  const left = await countUnfinished(baseUrl());
  if (left === null) return true;
  // While this tab runs the list, the rail counts and the journal has the number from its start.
  const text = readRailMark(paths.desk)?.text ?? `${formatCount(left)} left`;
  return window.confirm(
    `A list in Bulk unsubscribe is not finished: ${text}. Sign out, and delete it with the receipt of those already done?`,
  );
}

export async function deleteList(): Promise<void> {
  await deleteJournal(baseUrl());
  setRailMark(paths.desk, null);
}
