import { getContact } from '#contract/additions.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { listContactEvents, unsubscribeContact } from '#contract/interface.ts';
import { ApiError } from '../api/ApiError.ts';
import { findFirst } from '../api/findFirst.ts';
import { request, requestWithId } from '../api/client.ts';
import type { LookUpResult } from './entry.ts';

/** Sends a request, and retries it when the error is transient. `AdaptiveSender` limits the rate. */
export type SendCall = <Answer>(call: () => Promise<Answer>) => Promise<Answer>;

/** Looks up the contact by the first of `values` that the service finds. `canRead`: the service has `getContact`. */
export async function lookUpContact(
  values: readonly string[],
  canRead: boolean,
  send: SendCall,
): Promise<LookUpResult> {
  const match = await findFirst(values, async (contact) => {
    // Without `getContact`, only the 404 of another operation says whether there is a contact (docs/interface.md, 7).
    if (!canRead) await send(() => request(listContactEvents, { contact, query: { per_page: 1 } }));
    return canRead ? (await send(() => request(getContact, { contact }))).data : null;
  });
  const at = new Date().toISOString();
  if (match === null) return { state: 'unknown', value: null, uuid: null, at };
  const { value, answer } = match;
  if (answer === null) return { state: 'exists', value, uuid: null, at };
  return { state: answer.subscribed ? 'subscribed' : 'unsubscribed', value, uuid: answer.uuid, at };
}

export type UnsubscribeResult = {
  contact: ReadableContact;
  requestId: string | null;
  /** Whether an earlier try got no response. The service may have processed that one, under another request ID. */
  isRepeat: boolean;
};

/** Unsubscribes the contact that the service finds by the first possible of `values`; null when it finds none. */
export async function unsubscribe(
  values: readonly string[],
  workspace: string,
  send: SendCall,
): Promise<UnsubscribeResult | null> {
  let isRepeat = false;
  const match = await findFirst(values, (contact) =>
    send(async () => {
      try {
        return await requestWithId(unsubscribeContact, { workspace, contact });
      } catch (error) {
        isRepeat ||= error instanceof ApiError && (error.kind === 'network' || error.kind === 'timeout');
        throw error;
      }
    }),
  );
  if (match === null) return null;
  const { answer, requestId } = match.answer;
  return { contact: answer.data, requestId: requestId ?? null, isRepeat };
}
