import type { ReadableContact } from '#contract/contact.ts';
import { unsubscribeContact } from '#contract/interface.ts';
import { ApiError } from '../api/ApiError.ts';
import { requestWithId } from '../api/client.ts';

export type CompletedUnsubscribe = {
  contact: ReadableContact;
  requestId: string | null;
  /** Undefined if the service's log has no runs. */
  run?: string | undefined;
  /** An earlier request got no response and may have taken effect. */
  isRepeat: boolean;
};

/** Calls `onLost` before it throws if the request may have taken effect. */
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

/** A random UUID. `crypto.randomUUID` needs https or localhost. */
export function newRun(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

/** Whether the request may have taken effect though its response is missing, unreadable or from a proxy (502, 504). */
export function isAnswerLost(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { kind, status = 0 } = error;
  if (kind === 'unreadable') return status >= 200 && status < 300;
  return kind === 'network' || kind === 'timeout' || status === 502 || status === 504;
}
