import type { ApiError } from '../api/ApiError.ts';
import type { UnsubscribeOutcome } from './entry.ts';

/** An outcome without a contact, a request or a reason. `at` is ISO 8601. */
export function createOutcome(state: UnsubscribeOutcome['state'], at = new Date().toISOString()): UnsubscribeOutcome {
  return { state, uuid: null, request_id: null, why: null, at };
}

/** `refused` where the same request would be answered the same way again, else `failed`. */
export function toErrorOutcome(error: ApiError): UnsubscribeOutcome {
  const isRefusal = error.kind === 'input' || (error.kind === 'status' && !error.isTransient);
  return {
    ...createOutcome(isRefusal ? 'refused' : 'failed'),
    request_id: error.requestId ?? null,
    why: error.message,
  };
}
