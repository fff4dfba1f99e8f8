import {
  ADDRESS_TAGS,
  isDmarc,
  type Policy,
  POLICY_TAGS,
  readDmarc,
  reportDomains,
  strengthOf,
} from './dmarcRecord.ts';
import type { DmarcInterpretation } from './interpretDmarc.ts';

/**
 * Creates a DMARC record to publish: `tags` with `change` applied, where null removes a tag. `rua` and `ruf`
 * cannot be changed to lose an address: the result is null. The policy is the second tag, as older receivers require.
 * `fallback` is the policy when the intended one is not clear. Null when the record would lose something.
 */
export function offerDmarc(
  { tags, lost = [] }: Pick<DmarcInterpretation, 'tags'> & { lost?: readonly string[] },
  change: Readonly<Record<string, string | null>> = {},
  fallback: Policy = 'none',
): string | null {
  const changes = new Map(Object.entries(change));
  const changed = new Map<string, string | null>([...inOrder(tags, changes), ...changes]);
  const p = changed.get('p') ?? fallback;
  const kept = [...changed].flatMap(([tag, value]) => (tag === 'p' || value === null ? [] : `; ${tag}=${value}`));
  const offer = `v=DMARC1; p=${p}${kept.join('')}`;
  return lost.length === 0 && isLossless(offer, tags, changes) ? offer : null;
}

function isLossless(
  offer: string,
  tags: ReadonlyMap<string, string>,
  changes: ReadonlyMap<string, string | null>,
): boolean {
  const read = readDmarc(offer);
  if (!isDmarc(offer) || read.unreadable.length > 0) return false;
  // A domain without a dot is the rest of a damaged one.
  if (!reportDomains(read).every((domain) => /[^.]\.[^.]/.test(domain))) return false;
  const isKept = [...tags].every(([tag, value]) => changes.has(tag) || read.tags.get(tag) === value);
  const isAsStrong = POLICY_TAGS.every((tag) => strengthOf(read.tags.get(tag)) >= strengthOf(tags.get(tag)));
  const keepsAddresses = ADDRESS_TAGS.every((tag) => {
    const addresses = new Set(read.tags.get(tag)?.split(','));
    return (tags.get(tag)?.split(',') ?? []).every((address) => addresses.has(address));
  });
  return isKept && isAsStrong && keepsAddresses;
}

/** Older and newer receivers read different tags for the same purpose: "pct=0; t=y". */
function inOrder(
  tags: ReadonlyMap<string, string>,
  changes: ReadonlyMap<string, string | null>,
): [string, string | null][] {
  const t = changes.get('t');
  return [...tags].flatMap(([tag, value]): [string, string | null][] =>
    tag === 'pct' && t !== undefined
      ? [
          [tag, value],
          ['t', t],
        ]
      : [[tag, value]],
  );
}
