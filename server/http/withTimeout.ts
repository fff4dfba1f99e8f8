import { setTimeout as delay } from 'node:timers/promises';

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
