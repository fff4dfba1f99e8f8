import { baseUrl } from '../api/client.ts';

// A tab that has a draft holds a lock, so that a sign-out in another tab can ask first. A lock has no content, and the browser
// releases that of a tab which is closed.

const lockName = () => `sendroom draft ${baseUrl()}`;
/** In an insecure context browsers have none. Other tabs then do not know of the draft. */
const readLocks = () => navigator.locks as LockManager | undefined;

let release: (() => void) | null = null;

/** To be called whenever this tab gets its first draft, or has none any more. */
export function setHasDraft(has: boolean): void {
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
