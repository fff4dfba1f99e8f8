import { setTimeout as delay } from 'node:timers/promises';

type CacheLimits = {
  /** Milliseconds for which an answer is good; then the next one who wants it asks again. A failure is good for nobody else. */
  ttlMs: number;
  /** Milliseconds until a question has failed. Less than `lasts`, so that there is one at a time. */
  timeoutMs: number;
};

/** Asks `ask` now and then, however many want to know, and keeps none of them waiting for long. */
export function memoizeWithTtl<Answer>(
  ask: () => Promise<Answer>,
  { ttlMs, timeoutMs }: CacheLimits,
): () => Promise<Answer> {
  let latest: { at: number; answer: Promise<Answer> } | null = null;

  async function answer(): Promise<Answer> {
    const late = delay(timeoutMs, null, { ref: false }).then(() => {
      throw new Error(`There was no answer within ${timeoutMs} milliseconds.`);
    });
    try {
      return await Promise.race([ask(), late]);
    } catch (error) {
      latest = null;
      throw error;
    }
  }

  return () => {
    const at = performance.now();
    if (latest === null || at - latest.at >= ttlMs) latest = { at, answer: answer() };
    return latest.answer;
  };
}
