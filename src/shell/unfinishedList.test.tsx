import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dropUnsaved, keepUnsaved, RUNNING_IMPORT } from '../session/unsavedDrafts.ts';
import { setRailMark } from '../ui/page/railMarks.ts';
import { paths } from '../url/paths.ts';
import { prepareDeletion } from './unfinishedList.ts';

const client = new QueryClient();
const ask = vi.fn<(question?: string) => boolean>(() => false);

beforeEach(() => {
  // A browser that keeps no list, as in a private window.
  vi.stubGlobal('indexedDB', { databases: () => Promise.resolve([]) });
  vi.stubGlobal('confirm', ask);
});
afterEach(() => {
  setRailMark(paths.bulk, null);
  vi.unstubAllGlobals();
  ask.mockClear();
});

/** What a sign-out asks, of a user who says no. */
async function asked(): Promise<string[]> {
  const isAllowed = (await prepareDeletion(client)) !== null;
  const questions = ask.mock.calls.map(([question = '']) => question);
  expect(isAllowed).toBe(questions.length === 0);
  return questions;
}

test('a sign-out with nothing to lose asks nothing', async () => {
  expect(await asked()).toEqual([]);
});

test('a sign-out asks about unsaved changes', async () => {
  keepUnsaved(client, 'contact', 'typed');
  expect(await asked()).toEqual(['Sign out and discard unsaved changes?']);
  dropUnsaved(client, 'contact');
});

test('a sign-out asks about an import that is running by its name', async () => {
  keepUnsaved(client, RUNNING_IMPORT, true);
  expect(await asked()).toEqual([
    'An import of contacts is running. Sign out and stop it? To continue it, choose the same file again.',
  ]);
  dropUnsaved(client, RUNNING_IMPORT);
});

test('a sign-out asks once about a running list, even if the browser does not store it', async () => {
  setRailMark(paths.bulk, { text: '3 left', isRunning: true });
  expect(await asked()).toEqual([
    'A list in Bulk unsubscribe is not finished: 3 left. Sign out and delete it from this browser?',
  ]);
});
