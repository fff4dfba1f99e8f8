import * as z from 'zod/mini';
import { type RecordStatus, works } from './recordStatus.ts';
import { Timestamp } from '#contract/values/field.ts';

/** What the history of a domain says about the key of one selector. */
export const DkimKey = z.strictObject({
  subject: z.string(),
  selector: z.string(),
  /** Whether a record of the domain lists it. */
  is_listed: z.boolean(),
  /** The first look since which every one found it; null while it's missing, or nobody knows. */
  published_since: z.nullable(Timestamp),
  /** Whether the first look of all found it, so that it may be older. */
  is_older: z.boolean(),
  /** From when it may be taken out of the DNS; null while it's listed, because mail may be signed with it. */
  may_go_at: z.nullable(Timestamp),
});
export type DkimKey = z.infer<typeof DkimKey>;

/**
 * Milliseconds for which a key is needed after the last mail was signed with it. Senders give up after four to five days
 * (RFC 5321, 4.5.4.1); SIDN recommends to keep it for a week (Hands-on: implementing SPF, DKIM and DMARC in Exim, 4.12).
 */
const KEPT_AFTER = 7 * 24 * 60 * 60_000;

type KeySpan = { subject: string; started_at: string; ended_at: string; result: RecordStatus };

const KEY_NAME = /^\S+ (?:(\S+)\.)?_domainkey\./;

/** Whether a subject is the key of a selector. */
const isKeySubject = (subject: string): boolean => KEY_NAME.test(subject);

/** The keys that spans of a domain are about, listed ones first. `listed`: the subjects of its records. */
export function dkimKeysOf(spans: readonly KeySpan[], listed: readonly string[]): DkimKey[] {
  const own = spans.filter(({ subject }) => isKeySubject(subject));
  const bySubject = Map.groupBy(
    own.toSorted((one, other) => (one.started_at < other.started_at ? -1 : 1)),
    ({ subject }) => subject,
  );
  const keys = Array.from(bySubject, ([subject, looks]) => keyOf(subject, looks, listed.includes(subject)));
  return keys.toSorted((one, other) => Number(other.is_listed) - Number(one.is_listed));
}

function keyOf(subject: string, looks: readonly KeySpan[], is_listed: boolean): DkimKey {
  let since: KeySpan | null = null;
  for (const look of looks) {
    if (look.result === 'fail') since = null;
    else if (works(look.result)) since ??= look;
  }
  // An import that no longer lists it comes after the last look.
  const lastUse = looks.at(-1)?.ended_at ?? '';
  return {
    subject,
    selector: KEY_NAME.exec(subject)?.[1] ?? '',
    is_listed,
    published_since: since?.started_at ?? null,
    is_older: since !== null && since === looks[0],
    may_go_at: is_listed ? null : new Date(Date.parse(lastUse) + KEPT_AFTER).toISOString(),
  };
}
