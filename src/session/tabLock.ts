/**
 * Waits for the lock `name`, and returns the function that releases it. `onWaiting` is called if another tab holds it. In an
 * insecure context browsers have no locks, and it is granted immediately. Rejects if the browser refuses locks.
 */
export async function acquireTabLock(name: string, onWaiting: () => void): Promise<() => void> {
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return () => {};
  const { promise: granted, resolve: grant, reject: refuse } = Promise.withResolvers<() => void>();
  // The lock is held until the promise of its callback resolves.
  const hold = () => new Promise<void>((release) => grant(release));
  locks
    .request(name, { ifAvailable: true }, (lock) => {
      if (lock !== null) return hold();
      onWaiting();
      locks.request(name, hold).catch(refuse);
      return undefined;
    })
    .catch(refuse);
  return granted;
}
