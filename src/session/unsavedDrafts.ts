import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { baseUrl } from '../api/client.ts';

// Drafts are in the query cache, so a sign-out drops them: closing the tab, and signing out in any, ask first.

const DRAFT = 'draft';
/** The name of a draft that loses nothing: the service knows how far the import is. */
export const RUNNING_IMPORT = 'import';

const hasDraft = (client: QueryClient): boolean => findDrafts(client).length > 0;

/** Whether something is lost with the drafts. */
export const hasUnsaved = (client: QueryClient): boolean =>
  findDrafts(client).some(({ queryKey }) => queryKey[1] !== RUNNING_IMPORT);

const findDrafts = (client: QueryClient) => client.getQueryCache().findAll({ queryKey: [DRAFT] });

export function readUnsaved(client: QueryClient, name: string): unknown {
  return client.getQueryData([DRAFT, name]);
}

export function keepUnsaved(client: QueryClient, name: string, draft: unknown): void {
  prepare(client);
  client.setQueryData([DRAFT, name], draft);
}

export function dropUnsaved(client: QueryClient, name: string): void {
  client.removeQueries({ queryKey: [DRAFT, name], exact: true });
}

/** Marks a dialog as unsaved while it is open. */
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

// A tab with a draft holds a lock, so that a sign-out in another tab can ask first. The browser releases it with the tab.

const lockName = () => `sendroom draft ${baseUrl()}`;
/** Undefined in an insecure context. */
const readLocks = () => navigator.locks as LockManager | undefined;

/** Announces a draft to the browser and other tabs, until it is aborted. */
function announceDraft(): AbortController {
  const control = new AbortController();
  const { signal } = control;
  window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
  const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  void readLocks()?.request(lockName(), { mode: 'shared' }, () => ended);
  return control;
}

export async function isDraftInAnyTab(): Promise<boolean> {
  const { held } = (await readLocks()?.query()) ?? {};
  return held?.some(({ name }) => name === lockName()) ?? false;
}
