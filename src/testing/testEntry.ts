import { createPageMeta } from '#contract/list.ts';
import { createEntry, type BulkEntry } from '../bulk/bulkState.ts';

// For tests: entries of a list, and the log of a contact.

/** The entry at this place, which names somebody. */
export const entryAt = (index: number, rest: Partial<BulkEntry> = {}): BulkEntry => ({
  ...createEntry({
    index,
    line: index + 1,
    text: '',
    as: '',
    values: ['x'],
    repeats: null,
    source: null,
    leftOut: null,
  }),
  ...rest,
});

/** Without `subscribed`, an unsubscribe; with null, a change of something else. */
type Logged = {
  id: string | null;
  at?: string;
  subscribed?: boolean | null;
  run?: string;
  token?: string;
  reason?: string;
};

/** The answer to a call for the changes of a contact. */
export function logOf(changes: readonly Logged[]) {
  const data = changes.map(({ id, at, subscribed = false, run, token = 'support', reason }, index) => ({
    uuid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    action: subscribed ? 'subscribe' : 'unsubscribe',
    created_at: at ?? '2026-11-21T12:41:05.000Z',
    actor: { kind: 'token', uuid: token, name: token, email: null },
    run: run ?? null,
    request_id: id,
    reason: reason ?? null,
    suppression: null,
    changes: [
      subscribed === null
        ? { field: 'attributes.note', before: null, after: 'x' }
        : { field: 'subscribed', before: !subscribed, after: subscribed },
    ],
  }));
  return { data, meta: createPageMeta({ page: 1, per_page: 100 }, data.length) };
}
