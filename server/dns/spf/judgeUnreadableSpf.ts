import type { PublishedSpf } from './evaluation/evaluateText.ts';
import { type Judgement, judge } from '../catalogue/catalogue.ts';
import { isSenderId, type RepairedSpf, type WordRepair, repairHiddenSpf, repairSpf } from './repairSpf.ts';
import { createOfferFacts } from './offerSpf.ts';
import { isSpf, parseSpf, RECORD_MAX, isRedirect, type Term } from './evaluation/parseSpf.ts';
import { turnToBeginning } from '../text/measureCut.ts';
import { limitFacts } from './judgementFacts.ts';

/** Judges texts of which receivers can parse no SPF record; null when they can. */
export async function judgeUnreadableSpf(published: PublishedSpf): Promise<Judgement | null> {
  const { texts } = published;
  const [record, ...others] = texts.filter(isSpf);
  if (others.length > 0) {
    const { rest, offer } = await createOfferFacts(published);
    return judge('SEVERAL_SPF', { ...rest, count: others.length + 1 }, { offer });
  }
  if (record === undefined) return judgeUnrecognised(published);
  if (record.length > RECORD_MAX) {
    return judge('SPF_TOO_LONG', { length: record.length, most: RECORD_MAX }, { offer: null });
  }
  const { errors } = parseSpf(record);
  const repaired = repairSpf(record);
  if (errors.length === 0 || repaired === null) return null;
  const isSpoilt =
    repaired.isQuoted || repaired.isEncoded || repaired.characters.length > 0 || repaired.corrections.length > 0;
  // Only duplicate records cannot be repaired.
  const corrections = isSpoilt ? repaired.corrections : errors.map((found) => ({ found, should: '' }));
  return judgeRepaired(published, record, repaired, corrections);
}

async function judgeUnrecognised(published: PublishedSpf): Promise<Judgement> {
  const { texts, expected } = published;
  const meant = texts.find((text) => repairSpf(text) !== null);
  const repaired = meant === undefined ? null : repairSpf(meant);
  if (meant !== undefined && repaired !== null) return judgeRepaired(published, meant, repaired, repaired.corrections);
  if (texts.some(isSenderId)) {
    const { rest, offer } = await createOfferFacts(published);
    // Without an expected record there is none that would replace this one.
    return judge('SPF_SENDER_ID', rest, { offer: expected === null ? null : offer });
  }
  for (const text of texts) {
    const inOrder = putInOrder(text);
    if (inOrder === null) continue;
    const others = texts.filter((one) => one !== text);
    const { rest, offer } = await createOfferFacts({ ...published, texts: [...others, inOrder] });
    return judge(
      'STRINGS_SWAPPED',
      {},
      { offer: rest.leftOut.length > 0 || rest.why !== null ? null : (offer ?? inOrder) },
    );
  }
  for (const text of texts) {
    const joined = repairHiddenSpf(text);
    if (joined !== null) return judgeRepaired(published, text, joined, joined.corrections);
  }
  // The expected record itself is missing.
  return judge('SPF_MISSING', { texts: texts.length }, expected === null ? { offer: null } : {});
}

function putInOrder(text: string): string | null {
  const record = text.length > RECORD_MAX ? null : turnToBeginning(text, /v=spf1 /i);
  if (record === null || !isSpf(record)) return null;
  const { terms, errors } = parseSpf(record);
  if (terms.length === 0) return null;
  // It ends as a record does, and everything in it is of SPF.
  const isWhole = errors.length === 0 && terms.every(({ kind }) => kind !== 'modifier');
  return isWhole && terms.findIndex(isEnd) === terms.length - 1 ? record : null;
}

function isEnd(term: Term): boolean {
  return term.kind === 'all' || isRedirect(term);
}

async function judgeRepaired(
  published: PublishedSpf,
  text: string,
  { record, characters, after, isQuoted, isIndented, isEncoded, version, prefix }: RepairedSpf,
  facts: readonly WordRepair[],
): Promise<Judgement> {
  const { rest, offer: whole } = await createOfferFacts(published);
  if (prefix !== '') {
    const found = version === null ? prefix : `${prefix} ${version}`;
    return judge('SPF_VERSION', { ...rest, found }, { offer: whole });
  }
  const asWhole = [{ found: text, should: record }];
  const syntax = (words = facts) => judge('SPF_SYNTAX', { ...rest, corrections: words }, { offer: whole });
  // Only this sentence says what the offer leaves out, or why there is none.
  if (rest.leftOut.length > 0 && facts.length > 0) return syntax();
  if (rest.why !== null && version === null) {
    return syntax(facts.length > 0 ? facts : asWhole);
  }
  const offer = rest.leftOut.length > 0 ? null : whole;
  if (isEncoded && facts.length === 0) return syntax(asWhole);
  if (characters.length > 0) return judge('SPOILT_CHARACTERS', { characters, after }, { offer });
  if (isQuoted) return judge('QUOTES_IN_VALUE', {}, { offer });
  if (isIndented) return judge('SPACES_AROUND', {}, { offer });
  if (published.expected !== null && isWithoutBlanksOf(published.expected, text)) {
    return judge('SPACE_LOST_AT_SPLIT', {}, { offer });
  }
  return version === null ? syntax() : judge('SPF_VERSION', { ...rest, found: version }, { offer: whole });
}

function isWithoutBlanksOf(expected: string, text: string): boolean {
  const [joined, other] = [expected, text].map((one) => one.replaceAll(/\s/g, ''));
  return joined === other && text.trim().length < expected.trim().length;
}

/**
 * Judges a name whose only SPF record has the type SPF (99), with the strings `texts`: receivers no longer query that
 * type (RFC 7208, section 3.1). Null when it is not an SPF record.
 */
export async function judgeOldType(published: PublishedSpf): Promise<Judgement | null> {
  if (published.texts.every((text) => repairSpf(text) === null)) return null;
  const { rest, offer } = await createOfferFacts(published, { isElsewhere: true });
  return judge('SPF_OLD_TYPE', limitFacts(rest) as typeof rest, { offer });
}
