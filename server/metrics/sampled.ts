import { setTimeout as delay } from 'node:timers/promises';

type Limits = {
  /** Milliseconds for which an answer is good; then the next one who wants it asks again. A failure is good for nobody else. */
  lasts: number;
  /** Milliseconds until a question has failed. Less than `lasts`, so that there is one at a time. */
  patience: number;
};

/** Asks `ask` now and then, however many want to know, and keeps none of them waiting for long. */
export function sampled<Answer>(ask: () => Promise<Answer>, { lasts, patience }: Limits): () => Promise<Answer> {
  let latest: { at: number; answer: Promise<Answer> } | null = null;

  async function answer(): Promise<Answer> {
    const late = delay(patience, null, { ref: false }).then(() => {
      throw new Error(`There was no answer within ${patience} milliseconds.`);
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
    if (latest === null || at - latest.at >= lasts) latest = { at, answer: answer() };
    return latest.answer;
  };
}
