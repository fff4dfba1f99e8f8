import type { ReadableChange } from '#contract/change.ts';
import type { ReadableSuppression } from '#contract/suppressions/suppression.ts';
import { PER_PAGE_MAX, type ListQuery, type Page } from '#contract/list.ts';

/** A service may always claim one more page. */
const PAGES_MAX = 50;

/**
 * With the last stronger reason that was recorded since, and with an unsubscribe by another that changed nothing, if there are. `seen` is the
 * newest change that was read. `emailThen` is the email that the contact had then, null for none, if it was changed since.
 */
export type SubscriptionChange = ReadableChange & {
  stronger?: ReadableChange;
  again?: ReadableChange;
  seen?: string;
  emailThen?: string | null;
};

/** Also one that added the contact unsubscribed. */
export function isUnsubscribe(change: SubscriptionChange | null | undefined): change is SubscriptionChange {
  const isChanged = change?.changes?.some(({ field, after }) => field === 'subscribed' && after === false);
  return isChanged === true || (change?.action === 'create' && change.suppression !== null);
}

/** By the request ID, which a proxy may have removed, or by the run. */
export const isOwnUnsubscribe = (change: ReadableChange | null | undefined, own: Own): boolean =>
  isUnsubscribe(change) && isOwn(change, own);

type Own = { requestId: string | null; run?: string | undefined };

export const isOwn = (change: ReadableChange, { requestId, run }: Own): boolean =>
  (requestId !== null && change.request_id === requestId) || (run !== undefined && change.run === run);

/** The latest changes of the subscription, newest first: those of the first page with any. */
export async function readSubscriptionChanges(
  readPage: (query: ListQuery) => Promise<Pick<Page<ReadableChange>, 'data' | 'meta'>>,
): Promise<SubscriptionChange[]> {
  const newer: ReadableChange[] = [];
  for (let page = 1; page <= PAGES_MAX; page++) {
    const { data, meta } = await readPage({ page, per_page: PER_PAGE_MAX });
    const found = data.filter(
      (change) => change.changes?.some(({ field }) => field === 'subscribed') === true || isUnsubscribe(change),
    );
    const last = found.at(0);
    newer.push(...data.slice(0, last && data.indexOf(last)));
    const stronger = newer.find(isRecordedReason);
    const again = newer.find(({ action }) => action === 'unsubscribe_again');
    if (last !== undefined) {
      const seen = newer[0]?.uuid ?? last.uuid;
      return [
        {
          ...withFacts(last, newer),
          ...(stronger && { stronger }),
          ...(again && { again }),
          ...findEmail(newer),
          seen,
        },
        ...found.slice(1),
      ];
    }
    if (!meta.has_next || data.length === 0) return findUnlogged(newer);
  }
  return [];
}

/** The email before the first change of it in `newer`, which are newest first. */
function findEmail(newer: readonly ReadableChange[]): Pick<SubscriptionChange, 'emailThen'> {
  const first = newer
    .flatMap(({ changes }) => changes?.filter(({ field }) => field === 'attributes.email') ?? [])
    .at(-1);
  if (first === undefined) return {};
  return { emailThen: typeof first.before === 'string' ? first.before : null };
}

/** What imports filled in since, of why and since when; null if nothing. */
function findFacts(newer: readonly ReadableChange[]): Partial<ReadableSuppression> | null {
  const facts: Partial<ReadableSuppression> = {};
  for (const { field, after } of newer.toReversed().flatMap(({ changes }) => changes ?? [])) {
    const value = typeof after === 'string' ? after : null;
    if (field === 'suppression.reason') facts.reason = value;
    if (field === 'suppression.since') facts.since = value;
  }
  return Object.keys(facts).length === 0 ? null : facts;
}

const UNKNOWN: ReadableSuppression = { reason: null, ticket: null, origin: null };

function withFacts(change: ReadableChange, newer: readonly ReadableChange[]): ReadableChange {
  const facts = findFacts(newer);
  return facts === null ? change : { ...change, suppression: { ...UNKNOWN, ...change.suppression, ...facts } };
}

/** An import that adds somebody unsubscribed without a reason has no line for it. */
function findUnlogged(changes: readonly ReadableChange[]): SubscriptionChange[] {
  const [newest] = changes;
  const facts = findFacts(changes);
  const stronger = changes.find(isRecordedReason);
  if (newest === undefined || (facts === null && stronger === undefined)) return [];
  const suppression = { ...UNKNOWN, origin: 'import', ...facts };
  return [
    {
      ...newest,
      seen: newest.uuid,
      action: 'create',
      created_at: null,
      request_id: null,
      run: null,
      reason: null,
      changes: [],
      suppression,
      ...(stronger && { stronger }),
      ...findEmail(changes),
    },
  ];
}

/** A stronger reason of somebody who was unsubscribed already, such as a complaint. */
export const isRecordedReason = ({ action, suppression, changes }: ReadableChange): boolean =>
  action === 'unsubscribe' && suppression !== null && changes?.length === 0;

/** Why the contact is unsubscribed: the strongest of what was said. */
export const reasonOf = ({ suppression, stronger }: SubscriptionChange): string | null =>
  (stronger?.suppression ?? suppression)?.reason ?? null;
