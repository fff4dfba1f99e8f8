import { useSuspenseQuery } from '@tanstack/react-query';
import type { Session } from '#contract/session.ts';
import { sessionQuery } from './session.ts';

/** The signed-in session; suspends while it is read. For pages inside the shell, which shows none of them signed out. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data === null) throw new Error('useSession is for pages inside the shell');
  return data;
}

/** Whether the service offers an addition, by the id of its operation. */
export function useCapability(operation: { id: string }): boolean {
  return useSession().capabilities.includes(operation.id);
}
