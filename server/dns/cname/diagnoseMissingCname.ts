import { isFailure, judge, type Judgement } from '../catalogue/catalogue.ts';
import { isKeyName } from '../wire/names.ts';
import type { Inspection } from '../inspection.ts';
import { formatData, type ResourceRecord } from '../wire/message.ts';
import { wildcardProbe } from '../probes.ts';
import { isAtCloudflare, isProxied } from './cloudflare.ts';
import { judgeDkim } from '../dkim/judgeDkim.ts';
import { judgeKey, keyIdentity } from '../dkim/judgeKey.ts';

const TYPES = ['TXT', 'A', 'AAAA', 'MX'] as const;

export async function diagnoseMissingCname(inspection: Inspection, missing: Judgement): Promise<Judgement | null> {
  const { expected, delegation, conversation } = inspection;
  const at = async (name: string, types: readonly (typeof TYPES)[number][]): Promise<ResourceRecord[]> => {
    const found = await Promise.all(types.map((type) => inspection.queryRecords(name, type)));
    return found.flat().filter((data) => data.name === name && TYPES.some((type) => type === data.type));
  };
  const records = [...(await at(expected.name, ['TXT', 'A'])), ...(await at(expected.name, ['AAAA', 'MX']))];
  const types = TYPES.filter((type) => records.some((data) => data.type === type));
  // A flattened alias of a name without addresses leaves an empty name.
  if (types.length === 0)
    return isAtCloudflare(delegation) ? judge('CNAME_FLATTENED', { isOfTarget: false }, { ttl: missing.ttl }) : null;
  await inspection.addEvidence(expected.name, ...types);
  const found = (some: readonly ResourceRecord[]) => ({ found: some.map(formatData).toSorted(), ttl: missing.ttl });

  const texts = records.filter(({ type }) => type === 'TXT');
  if (texts.some(({ value }) => value.trim().replace(/\.$/, '').toLowerCase() === expected.value)) {
    return judge('WRONG_TYPE', {}, found(texts));
  }
  // Records of a wildcard were not published for this name.
  const probe = wildcardProbe(expected.name, conversation.unusedLabel);
  const everywhere = new Set((await at(probe, types)).map((data) => `${data.type} ${formatData(data)}`));
  const own = records.filter((data) => !everywhere.has(`${data.type} ${formatData(data)}`));
  const keys = texts.map(({ value }) => value).filter((text) => /(^|;)\s*p\s*=/.test(text));
  if (isKeyName(expected.name) && keys.length > 0) {
    const { records: there } = await inspection.lookUp(expected.value, 'TXT');
    const targetTexts = there && there.map(({ value }) => value);
    const judgement = judgeCopiedKey({ texts: keys, targetTexts });
    // A wildcard may bring the right key for all selectors, or revoke unused ones.
    const isOfUse = judgement !== null && !isFailure(judgement);
    if (judgement !== null && (isOfUse || own.length > 0)) return { ...found(texts), ...judgement };
  }
  if (own.length === 0) {
    await inspection.addEvidence(probe, ...types);
    return judge('WILDCARD_ANSWERS', {}, found(records));
  }
  const addresses = own.filter(({ type }) => type === 'A' || type === 'AAAA');
  const shown = addresses.map(({ value }) => value);
  if (isProxied(inspection, shown)) return judge('PROXIED_CLOUDFLARE', {}, found(addresses));
  if (addresses.length === own.length) {
    const { records: there } = await inspection.lookUp(expected.value, 'A');
    const theirs = new Set(there?.map(({ value }) => value));
    const ipv4 = addresses.filter(({ type }) => type === 'A');
    const isOfTarget = ipv4.length > 0 && ipv4.every(({ value }) => theirs.has(value));
    return judge('CNAME_FLATTENED', { isOfTarget }, found(addresses));
  }
  const kinds = [...new Set(own.map(({ type }) => type))].toSorted();
  return judge('OTHER_TYPE_AT_NAME', { types: kinds }, found(own));
}

/**
 * Judges a key that is published as TXT where a CNAME is listed. `targetTexts` are the texts at the target of the
 * CNAME: empty when there are none, null when that is not known. The CNAME is offered.
 */
export function judgeCopiedKey({
  texts,
  targetTexts,
}: {
  texts: readonly string[];
  targetTexts: readonly string[] | null;
}): Judgement | null {
  const copied = judgeDkim({ texts, expected: null, by: 'owner' });
  if (copied === null) return null;
  if (copied.code === 'DKIM_PRIVATE_KEY') return copied;
  const target = targetTexts && judgeDkim({ texts: targetTexts, expected: null, by: 'provider' });
  if (targetTexts !== null && (target === null || target.code === 'DKIM_REVOKED')) {
    return judge('DKIM_COPY_WITHDRAWN', { isGone: target === null }, { offer: null });
  }
  // The CNAME would lead to a key that is not usable either.
  if (target && isFailure(target)) return target;
  if (isFailure(copied)) return { ...copied, offer: undefined };
  if (target === null) return judge('TXT_COPIED_FROM_TARGET', { isCompared: false });
  const keys = [texts, targetTexts ?? []].map(usableKey);
  return keys[0] === keys[1] ? judge('TXT_COPIED_FROM_TARGET', { isCompared: true }) : judge('DKIM_COPY_OUTDATED', {});
}

function usableKey(texts: readonly string[]): string | null {
  const key = texts.find((text) => !isFailure(judgeKey(text, 'owner')));
  return key === undefined ? null : (keyIdentity(key) ?? null);
}
