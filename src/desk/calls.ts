import { getContact } from '#contract/additions.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { listContactEvents, unsubscribeContact } from '#contract/interface.ts';
import { ApiError } from '../api/ApiError.ts';
import { request, requestWithId } from '../api/client.ts';
import type { LookUpResult } from './entry.ts';

/** How a call is sent: again when it fails in passing, slower when asked. */
export type SendCall = <Answer>(call: () => Promise<Answer>) => Promise<Answer>;

/** Looks a contact up by the first of `values` the service knows, and changes nothing. */
export async function lookUpContact(
  values: readonly string[],
  canRead: boolean,
  send: SendCall,
): Promise<LookUpResult> {
  const known = await firstKnown(values, async (contact) => {
    // Whether there is one is all a bare interface tells (404, docs/interface.md, 7).
    if (!canRead) await send(() => request(listContactEvents, { contact, query: { per_page: 1 } }));
    return canRead ? (await send(() => request(getContact, { contact }))).data : null;
  });
  const at = new Date().toISOString();
  if (known === null) return { state: 'unknown', value: null, uuid: null, at };
  const { value, answer } = known;
  if (answer === null) return { state: 'exists', value, uuid: null, at };
  return { state: answer.subscribed ? 'subscribed' : 'unsubscribed', value, uuid: answer.uuid, at };
}

export type UnsubscribeResult = {
  contact: ReadableContact;
  requestId: string | null;
  /** Whether an earlier try got no answer, so that it may be the one the service knows this by. */
  isRepeat: boolean;
};

/** Unsubscribes the contact that the first known of `values` names; null when the service knows none. */
export async function unsubscribe(
  values: readonly string[],
  workspace: string,
  send: SendCall,
): Promise<UnsubscribeResult | null> {
  let isRepeat = false;
  const known = await firstKnown(values, (contact) =>
    send(async () => {
      try {
        return await requestWithId(unsubscribeContact, { workspace, contact });
      } catch (error) {
        isRepeat ||= error instanceof ApiError && (error.kind === 'network' || error.kind === 'timeout');
        throw error;
      }
    }),
  );
  return known === null
    ? null
    : { contact: known.answer.answer.data, requestId: known.answer.requestId ?? null, isRepeat };
}

async function firstKnown<Answer>(
  values: readonly string[],
  ask: (value: string) => Promise<Answer>,
): Promise<{ value: string; answer: Answer } | null> {
  for (const value of values) {
    try {
      return { value, answer: await ask(value) };
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
  }
  return null;
}
