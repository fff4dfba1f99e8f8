import { dnsName } from '#contract/dnsName.ts';
import type { Reply } from './asker.ts';
import { usable } from './authorities.ts';
import { isSpf, mergeSpf, missingWords, spfWords, unreadableWords, withoutWords } from './spf.ts';

const LOOKUPS_MAX = 10;
const VOID_MAX = 2;

type SpfFault = {
  code: 'SPF_SYNTAX' | 'SPF_INCLUDE_BROKEN' | 'SPF_TOO_MANY_LOOKUPS' | 'SPF_VOID_LOOKUPS' | 'SPF_LOOP';
  detail: string;
  /** The words of the record itself without which the fault would be gone; empty when that is for its owner to decide. */
  words: string[];
  /** The answer that shows it, where one does. */
  reply: Reply | null;
};

export type AskFor = (name: string, type: 'TXT' | 'A' | 'MX') => Promise<Reply | null>;

/** What makes receivers that follow an SPF record treat it as broken (RFC 7208, sections 4.6 and 5.2); null when nothing does. */
export async function spfFault(record: string, name: string, ask: AskFor): Promise<SpfFault | null> {
  const costly: string[] = [];
  const missing: { word: string; target: string }[] = [];

  /** `via` is the word of the first record that led here. */
  const follow = async (text: string, at: string, way: readonly string[], via?: string): Promise<SpfFault | null> => {
    for (const word of spfWords(text)) {
      const [, kind = '', value = ''] =
        /^[+\-~?]?(include|a|mx|ptr|exists|redirect)(?:[:=]([^/]*))?(?:\/.*)?$/i.exec(word) ?? [];
      if (kind === '') continue;
      costly.push(word);
      if (costly.length > LOOKUPS_MAX) {
        return { code: 'SPF_TOO_MANY_LOOKUPS', detail: costly.join(', '), words: [], reply: null };
      }
      // A name with a macro depends on the message.
      const target = dnsName(value || at);
      if (target === null || /^(ptr|exists)$/i.test(kind)) continue;
      const first = via ?? word;
      const isInclude = /^(include|redirect)$/i.test(kind);
      if (isInclude && (target === at || way.includes(target))) {
        return { code: 'SPF_LOOP', detail: target, words: [first], reply: null };
      }
      const reply = await ask(target, isInclude ? 'TXT' : /^mx$/i.test(kind) ? 'MX' : 'A');
      const message = reply && usable(reply);
      if (message === null) continue;
      if (!isInclude) {
        if (message.answers.length === 0) missing.push({ word: first, target });
        if (missing.length <= VOID_MAX) continue;
        const detail = missing.map((one) => one.target).join(', ');
        return { code: 'SPF_VOID_LOOKUPS', detail, words: missing.map((one) => one.word), reply };
      }
      const records = message.answers.flatMap((data) => (data.type === 'TXT' && isSpf(data.value) ? [data.value] : []));
      const broken = whyBroken(records, target);
      if (broken !== null) {
        const detail = via === undefined ? broken : `${broken}, where ${via} leads to`;
        return { code: 'SPF_INCLUDE_BROKEN', detail, words: [first], reply };
      }
      const fault = await follow(records.join(), target, [...way, at], first);
      if (fault !== null) return fault;
    }
    return null;
  };
  const unreadable = unreadableWords(record);
  if (unreadable.length > 0) {
    return { code: 'SPF_SYNTAX', detail: unreadable.join(', '), words: unreadable, reply: null };
  }
  return follow(record, name, []);
}

/** Why receivers cannot use what they find at the target of an include; null when they can. */
function whyBroken([record, ...others]: readonly string[], target: string): string | null {
  if (record === undefined) return `there is no SPF record at ${target}`;
  if (others.length > 0) return `there are several SPF records at ${target}`;
  const [unreadable] = unreadableWords(record);
  return unreadable === undefined ? null : `nobody can read "${unreadable}" in the SPF record at ${target}`;
}

/**
 * The record without the words that have a fault, as far as `wanted` does not hold them. A question that was asked before
 * is not asked again, so that trying what is left costs little.
 */
export async function withoutFaults(
  record: string,
  wanted: string,
  name: string,
  ask: AskFor,
): Promise<{ record: string; leftOut: string[] }> {
  const leftOut: string[] = [];
  for (let left = record; ;) {
    const fault = await spfFault(left, name, ask);
    if (fault === null || fault.words.length === 0) return { record: left, leftOut };
    const rest = withoutWords(left, fault.words);
    if (missingWords(wanted, rest).length > 0) return { record: left, leftOut };
    leftOut.push(...fault.words);
    left = mergeSpf([rest], wanted).record;
  }
}
