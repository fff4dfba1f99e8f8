import { isFailure, judge, type Judgement } from '../catalogue/catalogue.ts';
import type { KeyOwner } from '../catalogue/dkim.ts';
import { detectCorruption } from '../text/detectCorruption.ts';
import { isRearranged, measureCut } from '../text/measureCut.ts';
import { judgeKey, keyIdentity, writtenKey } from './judgeKey.ts';

/** Characters. A key of at least this length with which the expected one begins is a truncated copy of it. */
const CUT_MIN = 100;

type DkimInput = {
  texts: readonly string[];
  /** The expected text; null when a CNAME is expected, and any usable key is right. */
  expected: string | null;
  by: KeyOwner;
  /** Whether other DKIM keys are listed for the domain, so that not every receiver needs to support this one. */
  hasOthers?: boolean;
};

/** Judges the key at a DKIM selector, as receivers do. Null when there is no text. */
export function judgeDkim({ texts, expected, by, hasOthers = false }: DkimInput): Judgement | null {
  const records = texts.filter((text) => text.trim() !== '');
  const [record] = records;
  if (record === undefined) return null;
  const judged =
    expected === null
      ? records.length > 1
        ? judge('KEY_IN_SEVERAL_RECORDS', { by, count: records.length }, { offer: null })
        : withoutOffer(judgeKey(record, by))
      : judgeListed(records, expected, by);
  return judged.code === 'DKIM_ED25519' && hasOthers ? judge('MATCH', {}) : judged;
}

function judgeListed(records: readonly string[], expected: string, by: KeyOwner): Judgement {
  const [record = ''] = records;
  const wanted = judgeKey(expected, 'provider');
  const isOfUse = !isFailure(wanted);
  const offer = by === 'owner' && isOfUse ? undefined : null;
  if (records.length > 1) return judge('KEY_IN_SEVERAL_RECORDS', { by, count: records.length }, { offer });
  // Only the provider can change a text that is exactly the listed one.
  if (record === expected) return withoutOffer(wanted);
  const published = judgeKey(record, by);
  const isSame = isKeyOf(expected, record);
  if (published.code === 'DKIM_PRIVATE_KEY') {
    const isListed = keyIdentity(record) === undefined ? null : isSame;
    return judge('DKIM_PRIVATE_KEY', { by, isListed }, { offer: isListed === false ? offer : null });
  }
  if (by === 'owner' && isOfUse && isFailure(published)) {
    const isRight = (text: string) => isKeyOf(expected, text) && !isFailure(judgeKey(text, by));
    const spoilt = detectCorruption(record, isRight);
    if (spoilt !== null) return { ...spoilt, offer };
  }
  if (isSame && published.code === wanted.code) return withoutOffer(wanted);
  if (isSame) return { ...published, ...pickOffer(published, offer) };
  if (!isOfUse) return judge('EXPECTED_KEY_UNREADABLE', {}, { offer: null });
  const altered = by === 'owner' ? judgeAlteredKey(record, expected, by) : null;
  if (altered !== null) return { ...altered, offer };
  return isFailure(published) ? { ...published, offer } : judge('DKIM_OTHER_KEY', { by }, { offer });
}

function isKeyOf(expected: string, text: string): boolean {
  const identity = keyIdentity(text);
  return typeof identity === 'string' && identity === keyIdentity(expected);
}

/** What happened to the expected key on its way into the record; null when it is another one. */
function judgeAlteredKey(record: string, expected: string, by: KeyOwner): Judgement | null {
  const key = writtenKey(record);
  const whole = writtenKey(expected);
  if (isRearranged(record, expected) || (key !== null && whole !== null && isRearranged(key, whole))) {
    return judge('STRINGS_SWAPPED', {});
  }
  if (key === whole) return null;
  if (key !== null && key.toLowerCase() === whole?.toLowerCase()) {
    return judge('DKIM_BROKEN_KEY', {
      by,
      why: isLower(key)
        ? 'it is in small letters, and capital letters count in a key'
        : 'capital and small letters were changed, and they count in a key',
    });
  }
  if (key !== null && key === whole?.replaceAll('+', '')) {
    return judge('DKIM_BROKEN_KEY', { by, why: 'every "+" is missing: a form on the way has made blanks of them' });
  }
  if (record.length < CUT_MIN) return null;
  const cut = measureCut(record, expected) ?? (key && whole ? measureCut(key, whole, expected) : null);
  return cut && judge('VALUE_CUT', cut);
}

const isLower = (text: string) => text === text.toLowerCase();

function pickOffer({ code }: Judgement, offer: null | undefined): Pick<Judgement, 'offer'> {
  return code === 'MATCH' ? {} : { offer };
}

function withoutOffer(judgement: Judgement): Judgement {
  return { ...judgement, ...pickOffer(judgement, null) };
}
