import { useSuspenseQuery } from '@tanstack/react-query';
import { use } from 'react';
import type { Session } from '#contract/session.ts';
import { sessionQuery } from './session.ts';

const NEVER = new Promise<never>(() => undefined);

/** The signed-in session; suspends while it is read. For pages inside the shell, which shows none of them signed out. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  // The 401 that ended the session may reach a page a moment before the shell takes the page away.
  return data ?? use(NEVER);
}

/** Whether the service offers an addition, by the id of its operation. */
export function useCapability(operation: { id: string }): boolean {
  return useSession().capabilities.includes(operation.id);
}
