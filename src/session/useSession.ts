import { useSuspenseQuery } from '@tanstack/react-query';
import { use } from 'react';
import { getWorkspace } from '#contract/additions.ts';
import type { Session } from '#contract/session.ts';
import { sessionQuery } from './session.ts';

const NEVER = new Promise<never>(() => undefined);

/** Suspends while it loads. For pages inside the shell, which requires a session. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  // After a 401 a page may render once more before it unmounts.
  return data ?? use(NEVER);
}

export function useCapability(operation: { id: string }): boolean {
  return useSession().capabilities.includes(operation.id);
}

/** Whether the service has the additions. A gateway has only the DNS check. */
export const useHasAdditions = (): boolean => useCapability(getWorkspace);

/** The name of the custom identity: null if there is none, undefined if the service doesn't say. */
export function useIdentityField(): string | null | undefined {
  const { identity_field } = useSession();
  return useHasAdditions() ? identity_field : undefined;
}
