import { useSuspenseQuery } from '@tanstack/react-query';
import { use } from 'react';
import { getWorkspace } from '#contract/additions.ts';
import type { Session } from '#contract/session.ts';
import { sessionQuery } from './session.ts';

const NEVER = new Promise<never>(() => undefined);

/** The session; suspends while it is read. For pages inside the shell, which shows them only while signed in. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  // After a 401 a page may render once more before the shell unmounts it.
  return data ?? use(NEVER);
}

/** Whether the service offers an addition, by the id of its operation. */
export function useCapability(operation: { id: string }): boolean {
  return useSession().capabilities.includes(operation.id);
}

/** Whether the service has more than the bare interface: all additions or, but for the DNS check of a gateway, none. */
export const useHasAdditions = (): boolean => useCapability(getWorkspace);

/** The name of the workspace's custom identity: null where it has none, undefined where the service does not tell. */
export function useIdentityField(): string | null | undefined {
  const { identity_field } = useSession();
  return useHasAdditions() ? identity_field : undefined;
}
