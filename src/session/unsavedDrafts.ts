import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { baseUrl } from '../api/client.ts';

// What was typed and not saved is in the memory of the tab, in the query cache: with all other data of the session a sign-out
// drops it. While there is any, closing the tab asks first, and so does signing out in any tab.

/** The first part of the query keys of drafts. */
const DRAFT = 'draft';

export const hasDraft = (client: QueryClient): boolean =>
  client.getQueryCache().findAll({ queryKey: [DRAFT] }).length > 0;

/** The draft that was kept under this name and not dropped since, else undefined. */
export function readUnsaved(client: QueryClient, name: string): unknown {
  return client.getQueryData([DRAFT, name]);
}

/** Keeps the draft until it is dropped. */
export function keepUnsaved(client: QueryClient, name: string, draft: unknown): void {
  prepare(client);
  client.setQueryData([DRAFT, name], draft);
}

export function dropUnsaved(client: QueryClient, name: string): void {
  client.removeQueries({ queryKey: [DRAFT, name], exact: true });
}

/** While `isUnsaved`, what a dialog shows is a draft. It doesn't outlast the dialog: nothing else can be reached from there. */
export function useUnsavedDraft(isUnsaved: boolean): void {
  const client = useQueryClient();
  const name = useId();
  useEffect(() => {
    if (!isUnsaved) return;
    keepUnsaved(client, name, true);
    return () => dropUnsaved(client, name);
  }, [client, name, isUnsaved]);
}

const prepared = new WeakSet<QueryClient>();

function prepare(client: QueryClient): void {
  if (prepared.has(client)) return;
  prepared.add(client);
  client.setQueryDefaults([DRAFT], { gcTime: Infinity });
  let announced: AbortController | null = null;
  client.getQueryCache().subscribe(({ type, query }) => {
    if (query.queryKey[0] !== DRAFT || (type !== 'added' && type !== 'removed')) return;
    if (hasDraft(client) === (announced !== null)) return;
    announced?.abort();
    announced = announced === null ? announceDraft() : null;
  });
}

// A tab that has a draft holds a lock, so that a sign-out in another tab can ask first. A lock has no content, and the browser
// releases that of a tab which is closed.

const lockName = () => `sendroom draft ${baseUrl()}`;
/** In an insecure context browsers have none. Other tabs then do not know of the draft. */
const readLocks = () => navigator.locks as LockManager | undefined;

/** Tells the browser and the other tabs that this one has a draft, until it is aborted. */
function announceDraft(): AbortController {
  const control = new AbortController();
  const { signal } = control;
  window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
  const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  void readLocks()?.request(lockName(), { mode: 'shared' }, () => ended);
  return control;
}

/** Whether any tab has a draft. */
export async function isDraftInAnyTab(): Promise<boolean> {
  const { held } = (await readLocks()?.query()) ?? {};
  return held?.some(({ name }) => name === lockName()) ?? false;
}
