/** Milliseconds of work after which the browser may update the page. */
const SLICE_MS = 12;

/** Maps with pauses, so that the browser may update the page. */
export async function mapWithPauses<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  const pause = createPause();
  for (const item of items) {
    results.push(map(item, results.length));
    const pausing = pause();
    if (pausing !== undefined) await pausing;
  }
  return results;
}

/** A function to await in a loop: it lets the browser update the page when the loop has worked for long. */
export function createPause(): () => Promise<void> | undefined {
  let sliceEnd = performance.now() + SLICE_MS;
  return () => {
    if (performance.now() <= sliceEnd) return undefined;
    return nextTask().then(() => {
      sliceEnd = performance.now() + SLICE_MS;
    });
  };
}

/** Browsers let a timer wait for 4 ms, but not a message. */
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
