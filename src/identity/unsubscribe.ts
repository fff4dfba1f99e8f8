import type { ReadableContact } from '#contract/contact.ts';
import { unsubscribeContact } from '#contract/interface.ts';
import { ApiError } from '../api/ApiError.ts';
import { requestWithId } from '../api/client.ts';

export type CompletedUnsubscribe = {
  contact: ReadableContact;
  /** Of the response; null where it has none. */
  requestId: string | null;
  /** What the log of the service calls the requests that were sent for it; undefined where it has no runs. */
  run?: string | undefined;
  /** Whether an earlier request got no response. The service may have processed that one, under another request ID. */
  isRepeat: boolean;
};

/**
 * Unsubscribes a contact by its UUID or an identity, as part of `run`. Throws an `ApiError`; calls `onLost` before where the service may
 * have done it all the same, so that a retry does not take the change for its own.
 */
export async function unsubscribe(
  input: { workspace: string; contact: string },
  run: string | undefined,
  onLost: () => void,
): Promise<Omit<CompletedUnsubscribe, 'isRepeat'>> {
  try {
    const { answer, requestId } = await requestWithId(unsubscribeContact, input, undefined, run);
    return { contact: answer.data, requestId: requestId ?? null, run };
  } catch (error) {
    if (isAnswerLost(error)) onLost();
    throw error;
  }
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
