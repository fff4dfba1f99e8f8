import type { QueryClient } from '@tanstack/react-query';
import { baseUrl } from '../api/client.ts';
import {
  countLeft,
  deleteJournal,
  type JournalList,
  listJournals,
  readListOf,
  readLists,
} from '../bulk/journal/journal.ts';
import { hasUnsaved, isDraftInAnyTab, readUnsaved, RUNNING_IMPORT } from '../session/unsavedDrafts.ts';
import { placeName } from '../session/workspaces.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { readRailMark, setRailMark } from '../ui/page/railMarks.ts';
import { paths } from '../url/paths.ts';

// What navigation and sign-out do about bulk lists in this browser. Loaded when needed.

/** Marks the navigation if a list was started before this page was loaded, or in another tab, and is not finished. */
export async function markUnfinishedList(): Promise<void> {
  const list = await readListOf(placeName());
  const left = list === null ? null : countLeft(list);
  // A run in this tab sets its own mark.
  if (readRailMark(paths.bulk)?.isRunning) return;
  setRailMark(
    paths.bulk,
    left === null ? null : { text: `${formatCount(left)} left`, isRunning: false, run: list?.run },
  );
}

async function mayDiscardDrafts(client: QueryClient): Promise<boolean> {
  if (hasUnsaved(client) && !window.confirm('Sign out and discard unsaved changes?')) return false;
  if (readUnsaved(client, RUNNING_IMPORT) !== undefined)
    return window.confirm(
      'An import of contacts is running. Sign out and stop it? To continue it, choose the same file again.',
    );
  if (hasUnsaved(client) || !(await isDraftInAnyTab())) return true;
  return window.confirm('Another tab has unsaved changes or a running import. Sign out anyway?');
}

/**
 * Returns the function that deletes this browser's lists in all workspaces; null if the user cancelled. Call it before the sign-out,
 * after which the browser may no longer report them.
 */
export async function prepareDeletion(client: QueryClient): Promise<(() => Promise<void>) | null> {
  if (!(await mayDiscardDrafts(client))) return null;
  const names = await listJournals(baseUrl());
  const question = askOf(await readLists(names));
  if (question !== null && !window.confirm(question)) return null;
  return async () => {
    await Promise.all(names.map(deleteJournal));
    setRailMark(paths.bulk, null);
  };
}

/** What to ask before these lists are deleted; null if each has ended and its receipt was downloaded. */
function askOf(lists: readonly JournalList[]): string | null {
  const begun = lists.map(countLeft).filter((left) => left !== null);
  const left = begun.reduce((sum, count) => sum + count, 0);
  // While this tab runs the list, the journal has the number from its start.
  const mark = readRailMark(paths.bulk);
  const text = mark?.text ?? `${formatCount(left)} left`;
  const losses = [
    // A list running in this tab may not be in the journal, which a browser can refuse.
    ...(begun.length > 0 || mark?.isRunning === true ? [`A list in Bulk unsubscribe is not finished: ${text}.`] : []),
    ...(lists.some(({ stage, is_saved }) => stage === 'ended' && is_saved === false)
      ? ['The receipt of a bulk unsubscribe was not downloaded.']
      : []),
    ...(lists.some(({ stage }) => stage === 'plan')
      ? ['A list in Bulk unsubscribe was not run: no one on it has been unsubscribed.']
      : []),
    ...(lists.some(({ stage }) => stage === 'typed') ? ['A text in Bulk unsubscribe was not read.'] : []),
  ];
  if (losses.length === 0) return null;
  return `${losses.join(' ')} Sign out and delete ${losses.length > 1 ? 'them' : 'it'} from this browser?`;
}
