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
    return new Promise<void>((resolve) => setTimeout(resolve)).then(() => {
      sliceEnd = performance.now() + SLICE_MS;
    });
  };
}
