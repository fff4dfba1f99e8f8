import { judge, type Judgement } from '../catalogue/catalogue.ts';
import { withoutOuterBlanks } from './plainText.ts';
import { detectCorruption } from './detectCorruption.ts';
import { isRearranged, measureCut } from './measureCut.ts';

/** Characters. Some hosts truncate a little before the end of a string, at 255; a shorter text may be another one. */
const CUT_MIN = 240;

/** Judges the TXT records at a name, one of which must be exactly the expected one: the token of a service. */
export function judgeText({ texts, expected }: { texts: readonly string[]; expected: string }): Judgement {
  // Services ignore blanks around a token.
  if (texts.some((text) => withoutOuterBlanks(text) === expected)) return judge('MATCH', {});
  for (const text of texts) {
    const judgement = detectCorruption(text, (repaired) => repaired === expected) ?? judgeBlanks(text, expected);
    if (judgement !== null) return { ...judgement, offer: undefined };
    if (isRearranged(text, expected)) return judge('STRINGS_SWAPPED', {});
    const cut = text.length < CUT_MIN ? null : measureCut(text, expected);
    if (cut !== null) return judge('VALUE_CUT', cut);
  }
  const [kind = ''] = /^[\w.-]+[=:]/.exec(expected) ?? [];
  const another = kind === '' ? undefined : texts.find((text) => text.startsWith(kind));
  return judge('TEXT_MISSING', { count: texts.length, another: another ?? null });
}

function judgeBlanks(text: string, expected: string): Judgement | null {
  if (withoutBlanks(text) !== withoutBlanks(expected)) return null;
  return text.length < expected.length ? judge('SPACE_LOST_AT_SPLIT', {}) : judge('SPACES_INSIDE', {});
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/g, '');
}
