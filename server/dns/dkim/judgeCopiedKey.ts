import { judge, type Judgement, resultOf } from '../catalogue/catalogue.ts';
import { judgeDkim } from './judgeDkim.ts';
import { judgeKey, keyIdentity } from './judgeKey.ts';

/**
 * The key that an owner published as TXT where a CNAME is listed, against what the target of the CNAME says. `targetTexts`
 * is empty where nothing is there, and null where nobody could tell. What it offers is the CNAME.
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
  // A CNAME would only lead to what is of no use either.
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
