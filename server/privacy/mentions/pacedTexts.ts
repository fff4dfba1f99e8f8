/** Milliseconds that a file may wait for its reader, and the characters to take for each second that it waits. */
const GRACE_MS = 3_000;
const CHARACTERS_PER_SECOND = 64 * 1024;

/** `texts`, until their reader is too slow: then `end` is called. Only the time in which it takes nothing counts. */
export async function* pacedTexts(texts: AsyncIterable<string>, end: () => void): AsyncGenerator<string> {
  let left = GRACE_MS;
  for await (const text of texts) {
    const began = performance.now();
    const timer = setTimeout(end, left);
    try {
      yield text;
    } finally {
      clearTimeout(timer);
    }
    // What buffers took at once is no credit for later.
    left = Math.min(GRACE_MS, left - (performance.now() - began) + (text.length / CHARACTERS_PER_SECOND) * 1000);
  }
}
