import { ApiError } from './ApiError.ts';

/** Calls `send` with each value until the answer is not a 404. Null when all are. */
export async function findFirst<Answer>(
  values: readonly string[],
  send: (value: string) => Promise<Answer>,
): Promise<{ value: string; answer: Answer } | null> {
  for (const value of values) {
    try {
      return { value, answer: await send(value) };
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
  }
  return null;
}
