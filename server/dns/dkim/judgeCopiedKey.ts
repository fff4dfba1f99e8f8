import { judge, type Judgement, resultOf } from '../catalogue/catalogue.ts';
import { judgeDkim } from './judgeDkim.ts';
import { judgeKey, keyIdentity } from './judgeKey.ts';

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
  if (target && resultOf(target.code, 'record') === 'fail') return target;
  if (resultOf(copied.code, 'record') === 'fail') return { ...copied, offer: undefined };
  if (target === null) return judge('TXT_COPIED_FROM_TARGET', { isCompared: false });
  const keys = [texts, targetTexts ?? []].map(usableKey);
  return keys[0] === keys[1] ? judge('TXT_COPIED_FROM_TARGET', { isCompared: true }) : judge('DKIM_COPY_OUTDATED', {});
}

function usableKey(texts: readonly string[]): string | null {
  const key = texts.find((text) => resultOf(judgeKey(text, 'owner').code, 'record') !== 'fail');
  return key === undefined ? null : keyIdentity(key);
}
