import { type Judgement, notAsked } from './adviceFindings.ts';
import { type LookUps, textsOf, type Told } from './lookUps.ts';
import { formatData } from './readReply.ts';
import { isSpf, mergeSpf, spfEnd } from './spf.ts';
import { type AskFor, spfFault, withoutFaults } from './spfLookups.ts';

/** Mail providers want one MX at the MAIL FROM name, and exactly one. */
export function judgeMx(at: Told): Judgement {
  if (at.answers === null) return notAsked(at);
  const records = at.answers.filter(({ type }) => type === 'MX');
  const found = records.map(formatData).toSorted();
  if (records.length === 0) return { code: 'MX_MISSING', at, found };
  if (records.some(({ value }) => value === '')) return { code: 'NULL_MX', at, found };
  return { code: records.length > 1 ? 'SEVERAL_MX' : 'MX_PUBLISHED', at, found };
}

/** What a record ends with unless its owner said something else. */
const OPEN_END = 'v=spf1 ~all';

/** SPF is about the MAIL FROM name: what receivers find there, and where it leads. */
export async function judgeSpf(lookUps: LookUps, at: Told): Promise<Judgement> {
  if (at.answers === null) return notAsked(at);
  const texts = textsOf(at);
  const [record, ...others] = texts.filter(isSpf);
  if (record === undefined) {
    const spoilt = texts.map((text) => text.replaceAll(/["\\]/g, '').trim()).find(isSpf);
    return spoilt === undefined ? { code: 'SPF_MISSING', at } : { code: 'SPF_UNREADABLE', at, value: spoilt };
  }
  const untold: Told[] = [];
  const ask: AskFor = async (name, type) => {
    const told = await lookUps.resolve(name, type);
    if (told.answers === null) untold.push(told);
    return told.replies.at(-1) ?? null;
  };
  const { record: merged, included } = mergeSpf([record, ...others], OPEN_END);
  const mended = await withoutFaults(merged, OPEN_END, at.name, ask);
  const better = { at, value: mended.record, included, leftOut: mended.leftOut };
  if (others.length > 0) return { code: 'SEVERAL_SPF', ...better };
  const end = spfEnd(record);
  if (end === 'everybody') return { code: 'SPF_ALLOWS_ALL', ...better };
  const fault = await spfFault(record, at.name, ask);
  if (fault !== null) {
    const { code, detail, reply } = fault;
    return { ...better, code, detail, shownBy: reply, value: mended.leftOut.length > 0 ? mended.record : null };
  }
  if (end === 'nothing') return { code: 'SPF_WITHOUT_ALL', ...better };
  return untold[0] === undefined ? { code: 'SPF_PUBLISHED', at } : notAsked(untold[0]);
}
