import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { baseUrl } from '../api/client.ts';
import { DRAFT } from './session.ts';

// What was typed and not saved is in the memory of the tab, in the query cache: with all other data of the session a sign-out
// drops it.

/** The draft that was kept under this name and not dropped since, else undefined. */
export function readUnsaved(client: QueryClient, name: string): unknown {
  return client.getQueryData([DRAFT, name]);
}

/** Keeps the draft until it is dropped. While there is any, closing the tab asks first, and so does signing out in any tab. */
export function keepUnsaved(client: QueryClient, name: string, draft: unknown): void {
  prepare(client);
  client.setQueryData([DRAFT, name], draft);
}

export function dropUnsaved(client: QueryClient, name: string): void {
  client.removeQueries({ queryKey: [DRAFT, name], exact: true });
}

/** While `isUnsaved`, asks as for a draft. For what is typed, or shown this once, in a dialog: it is gone with that. */
export function useUnsavedWarning(isUnsaved: boolean): void {
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
  const cache = client.getQueryCache();
  const hasDraft = () => cache.findAll({ queryKey: [DRAFT] }).length > 0;
  cache.subscribe(({ type, query }) => {
    if (query.queryKey[0] !== DRAFT || (type !== 'added' && type !== 'removed')) return;
    setHasDraft(hasDraft());
  });
  // A sign-out sends the same event first (shell/unfinishedList.ts).
  window.addEventListener('beforeunload', (event) => {
    if (hasDraft()) event.preventDefault();
  });
}

// A tab that has a draft holds a lock, so that a sign-out in another tab can ask first. A lock has no content, and the browser
// releases that of a tab which is closed.

const lockName = () => `sendroom draft ${baseUrl()}`;
/** In an insecure context browsers have none. Other tabs then do not know of the draft. */
const readLocks = () => navigator.locks as LockManager | undefined;

let release: (() => void) | null = null;

/** To be called whenever this tab gets its first draft, or has none any more. */
function setHasDraft(has: boolean): void {
  if (has === (release !== null)) return;
  release?.();
  release = null;
  if (!has) return;
  const { promise: released, resolve } = Promise.withResolvers<void>();
  release = resolve;
  void readLocks()?.request(lockName(), { mode: 'shared' }, () => released);
}

/** Whether any tab has a draft. */
export async function isDraftInAnyTab(): Promise<boolean> {
  const { held } = (await readLocks()?.query()) ?? {};
  return held?.some(({ name }) => name === lockName()) ?? false;
}
