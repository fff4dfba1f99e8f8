import type { ReadableContact } from '#contract/contact.ts';
import { unsubscribeContact } from '#contract/interface.ts';
import { ApiError } from '../api/ApiError.ts';
import { requestWithId } from '../api/client.ts';

export type CompletedUnsubscribe = {
  contact: ReadableContact;
  /** Of the response; null where it has none. */
  requestId: string | null;
  /** Whether an earlier try got no response. The service may have processed that one, under another request ID. */
  isRepeat: boolean;
};

/**
 * Unsubscribes a contact by its UUID or an identity. `send` calls what it is given, and may call it again after an error:
 * the operation is idempotent. `run` is the run that it is part of. Throws an `ApiError`.
 */
export async function unsubscribe(
  input: { workspace: string; contact: string },
  send: <Answer>(call: () => Promise<Answer>) => Promise<Answer> = (call) => call(),
  run?: string,
): Promise<CompletedUnsubscribe> {
  let isRepeat = false;
  const { answer, requestId } = await send(async () => {
    try {
      return await requestWithId(unsubscribeContact, input, undefined, run);
    } catch (error) {
      isRepeat ||= isAnswerLost(error);
      throw error;
    }
  });
  return { contact: answer.data, requestId: requestId ?? null, isRepeat };
}

/** Whether the service may have done what it was asked, though no answer came. */
export const isAnswerLost = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'network' || error.kind === 'timeout');
