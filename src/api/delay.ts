export async function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const end = () => {
    clearTimeout(timer);
    reject(signal?.reason as Error);
  };
  const timer = setTimeout(() => {
    signal?.removeEventListener('abort', end);
    resolve();
  }, milliseconds);
  signal?.addEventListener('abort', end, { once: true });
  return promise;
}
