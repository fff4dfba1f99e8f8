import { isIP } from 'node:net';
import { foldCase } from './names.ts';

// SPF records (RFC 7208) as words: a word of one is a mechanism with its qualifier, or a modifier.

export function isSpf(text: string): boolean {
  return /^v=spf1( |$)/i.test(text);
}

/** The words after the version. */
export function spfWords(text: string): string[] {
  return text.trim().split(/\s+/).slice(1);
}

const MACRO = String.raw`%(?:[%_-]|\{[slodiphcrtv]\d*r?[-.+,/_=]*\})`;
const STRING = `(?:[!-$&-~]|${MACRO})*`;
const NAME = String.raw`${STRING}(?:\.(?=\d*[a-z-])[a-z\d](?:[a-z\d-]*[a-z\d])?\.?|${MACRO})`;
const LENGTHS = String.raw`(?:\/(?:\d|[12]\d|3[0-2]))?(?:\/\/(?:\d\d?|1[01]\d|12[0-8]))?`;
const MECHANISM = `[+\\-~?]?(?:all|(?:include|exists):${NAME}|ptr(?::${NAME})?|(?:a|mx)(?::${NAME})?${LENGTHS})`;
const MODIFIER = String.raw`(?:redirect|exp)=${NAME}|(?!redirect=|exp=)[a-z][\w.-]*=${STRING}`;
const WORD = new RegExp(`^(?:${MECHANISM}|${MODIFIER})$`, 'i');

/** The words that make receivers treat the record as broken (RFC 7208, section 12). */
export function unreadableWords(text: string): string[] {
  const words = spfWords(text);
  const again = /^(redirect|exp)=/i;
  const isRepeated = (word: string, at: number) => {
    const [kind] = again.exec(foldCase(word)) ?? [];
    return kind !== undefined && words.slice(0, at).some((earlier) => foldCase(earlier).startsWith(kind));
  };
  return words.filter((word, at) => !isReadable(word) || isRepeated(word, at));
}

function isReadable(word: string): boolean {
  const [, version, address = '', length = '0'] = /^[+\-~?]?ip([46]):([\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(word) ?? [];
  if (version === undefined) return WORD.test(word);
  return isIP(address) === Number(version) && Number(length) <= (version === '4' ? 32 : 128);
}

function isAll(word: string): boolean {
  return /^[+\-~?]?all$/i.test(word);
}

function isRedirect(word: string): boolean {
  return /^redirect=/i.test(word);
}

type Parts = { senders: string[]; all: string | null; redirect: string | null };

function partsOf(text: string): Parts {
  const words = spfWords(text);
  const all = words.find(isAll) ?? null;
  return {
    senders: words.filter((word) => !isAll(word) && !isRedirect(word)),
    all,
    // Beside "all" it is ignored (RFC 7208, section 6.1).
    redirect: all === null ? (words.find(isRedirect) ?? null) : null,
  };
}

/** The words of `wanted` that `found` does not hold where they count. */
export function missingWords(wanted: string, found: string): string[] {
  const counting = new Set(countingWords(found).map(senseOf));
  return countingWords(wanted).filter((word) => !counting.has(senseOf(word)));
}

/** Whether `text` holds each of `words`, be it where they do not count. */
export function holds(text: string, words: readonly string[]): boolean {
  const held = new Set(spfWords(text).map(senseOf));
  return words.every((word) => held.has(senseOf(word)));
}

function countingWords(text: string): string[] {
  const words = spfWords(text);
  const all = words.findIndex(isAll);
  return all === -1 ? words : words.slice(0, all).filter((word) => !isRedirect(word));
}

/** Words of one sense allow the same: so do a redirect and an include of one name, with or without a final dot. */
function senseOf(word: string): string {
  return foldCase(word)
    .replaceAll(/^\+|\.$/g, '')
    .replace(/^redirect=/, 'include:');
}

/** Whether everybody may send, or nothing is said about those who are not named. */
export function spfEnd(text: string): 'everybody' | 'nothing' | 'said' {
  const { all, redirect } = partsOf(text);
  if (all === null) return redirect === null ? 'nothing' : 'said';
  return isOpen(all) ? 'everybody' : 'said';
}

function isOpen(all: string): boolean {
  return /^\+?all$/i.test(all);
}

/** The same record without some of its words. */
export function withoutWords(text: string, words: readonly string[]): string {
  return ['v=spf1', ...spfWords(text).filter((word) => !words.includes(word))].join(' ');
}

/** One record in place of others. */
export type MergedSpf = {
  record: string;
  /** What became of redirects that cannot stay one. */
  included: string[];
};

/**
 * One record that allows whom the `published` ones and `wanted` allow. How it ends is for the owner to decide: the strictest
 * `all` of what is published counts, then a redirect, and that of `wanted` last; one that lets everybody in does not.
 */
export function mergeSpf(published: readonly string[], wanted: string): MergedSpf {
  const owned = published.filter((text) => text !== wanted).map(partsOf);
  const asked = partsOf(wanted);
  const senders = [...owned, asked].flatMap((parts) => parts.senders);
  const redirects = once([...owned, asked].flatMap(({ redirect }) => redirect ?? []));
  const [strictest] = owned
    .flatMap(({ all }) => (all === null || isOpen(all) ? [] : [all]))
    .toSorted((one, other) => STRICTEST_FIRST.indexOf(one.charAt(0)) - STRICTEST_FIRST.indexOf(other.charAt(0)));
  const [redirect, ...others] = redirects;
  if (strictest === undefined && redirect !== undefined && others.length === 0) {
    const rest = senders.filter((word) => senseOf(word) !== senseOf(redirect));
    return { record: ['v=spf1', ...once(rest), redirect].join(' '), included: [] };
  }
  const included = redirects.map((word) => word.replace(/^redirect=/i, 'include:'));
  const end = strictest ?? asked.all ?? '~all';
  return { record: ['v=spf1', ...once([...senders, ...included]), end].join(' '), included };
}

const STRICTEST_FIRST = '-~?';

/** The first word of each sense; a record has one explanation. */
function once(words: readonly string[]): string[] {
  const firsts = new Map<string, string>();
  for (const word of words) {
    const sense = /^exp=/i.test(word) ? 'exp=' : senseOf(word);
    if (!firsts.has(sense)) firsts.set(sense, word);
  }
  return [...firsts.values()];
}

/** What to know of a record that replaces another one, as the end of what there is to do. */
export function aboutMerged({
  included,
  leftOut,
}: {
  included: readonly string[];
  leftOut: readonly string[];
}): string {
  const instead =
    included.length === 0
      ? ''
      : ` It has ${included.join(', ')} in place of "redirect", which receivers ignore beside "all".`;
  return leftOut.length === 0 ? instead : `${instead} It leaves out ${leftOut.join(', ')}, which receivers cannot use.`;
}
