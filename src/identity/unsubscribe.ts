import type { ReadableContact } from '#contract/contact.ts';
import { explainedUnsubscribe, type Unsubscription } from '#contract/suppressions/suppression.ts';
import { ApiError } from '../api/ApiError.ts';
import { requestWithId } from '../api/client.ts';

export type CompletedUnsubscribe = {
  contact: ReadableContact;
  /** Of the response; null where it has none. */
  requestId: string | null;
  /** What the audit log calls the requests that belong together; undefined for a service without runs. */
  run?: string | undefined;
  /** Whether the response to an earlier request was lost. The service may have processed that one, under another request ID. */
  isRepeat: boolean;
};

/** The unsubscribe of one contact, which may take several requests: a retry must not claim what a lost one may have done. */
export class UnsubscribeCall {
  readonly run: string | undefined;
  wasLost: boolean;

  constructor(run: string | undefined, wasLost = false) {
    this.run = run;
    this.wasLost = wasLost;
  }

  /** Sends one request. Throws an `ApiError`. */
  async send(input: {
    workspace: string;
    contact: string;
    body: Unsubscription | undefined;
  }): Promise<CompletedUnsubscribe> {
    const { run } = this;
    try {
      const { result, requestId = null } = await requestWithId(explainedUnsubscribe, input, undefined, run);
      return { contact: result.data, requestId, run, isRepeat: this.wasLost };
    } catch (error) {
      this.wasLost ||= isResponseLost(error);
      throw error;
    }
  }
}

/** A random UUID as the name of a run. `crypto.randomUUID` exists on https and localhost only. */
export function newRun(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

/**
 * Whether the service may have processed a request though its response was lost: none came, a proxy sent another one
 * (502, 504), or it is unreadable.
 */
export function isResponseLost(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { kind, status = 0 } = error;
  if (kind === 'unreadable') return status >= 200 && status < 300;
  return kind === 'network' || kind === 'timeout' || status === 502 || status === 504;
}
