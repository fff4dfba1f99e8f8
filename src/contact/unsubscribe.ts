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
  /** What the log of the service calls the requests that were sent for it; undefined where it has no runs. */
  run?: string | undefined;
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
  return { contact: answer.data, requestId: requestId ?? null, isRepeat, run };
}

/** A name for requests that belong together, for a service whose log has runs: a random UUID. `crypto.randomUUID` is for pages on https and localhost only. */
export function newRun(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

/**
 * Whether the service may have done what it was asked, though no answer of it came: none at all, one that a proxy gave in its place
 * (502, 504), or one that cannot be read.
 */
export function isAnswerLost(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { kind, status = 0 } = error;
  if (kind === 'unreadable') return status >= 200 && status < 300;
  return kind === 'network' || kind === 'timeout' || status === 502 || status === 504;
}
