const SLICE_MS = 12;

export async function mapWithPauses<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  const pause = createPause();
  for (const item of items) {
    results.push(map(item, results.length));
    await pause();
  }
  return results;
}

/** To await in a loop: pauses if the loop has worked for long, after `before`. */
export function createPause(): (before?: () => void) => Promise<void> {
  let sliceEnd = performance.now() + SLICE_MS;
  return async (before) => {
    if (performance.now() <= sliceEnd) return;
    before?.();
    await nextTask();
    sliceEnd = performance.now() + SLICE_MS;
  };
}

/** A timer waits at least 4 ms, a message doesn't. */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise<void>((resolve) => {
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}
