import { setTimeout as delay } from 'node:timers/promises';

/** The result of `work`, or the error of `createError` once `milliseconds` are over. `work` goes on. */
export function withTimeout<Value>(
  work: Promise<Value>,
  milliseconds: number,
  createError: () => Error,
): Promise<Value> {
  const timeout = delay(milliseconds, null, { ref: false }).then(() => {
    throw createError();
  });
  return Promise.race([work, timeout]);
}
