import { isIP } from 'node:net';
import { normalizeDnsName } from '#contract/dnsName.ts';
import { isLookUpMechanism, isRedirect, parseTerm } from './parseSpf.ts';

/** Terms are shorter; whoever writes more does not want to be mended. */
const WORD_MAX = 1000;

/** The terms that were meant, for one word of a record; null when nobody can tell. A word that is right is itself. */
export function repairTerm(word: string): string[] | null {
  if (isPlausible(word)) return [word];
  // What is no host name may be meant all the same, and receivers can read it.
  return (word.length > WORD_MAX ? null : repairPieces(word)) ?? (parseTerm(word) === null ? null : [word]);
}

function repairPieces(word: string): string[] | null {
  const pieces = word.includes('%') ? [word] : word.split(/[;,]+/).filter(Boolean);
  const mended: string[] = [];
  for (const piece of pieces) {
    const whole = repairPiece(piece);
    const parts = whole === null ? piece.split(START).map(repairPiece) : [whole];
    for (const part of parts) {
      if (part === null) return null;
      mended.push(part);
    }
  }
  return mended;
}

/** Where a term begins in a word that lost a blank. */
const START = /(?<=[^+\-~?])(?=[+\-~?]?(?:include|ip4|ip6|exists|mx|a|ptr):|redirect=|exp=|[+\-~?]all)/i;

/** Whether receivers can read it, and it is not meant for something else that they can read as well. */
function isPlausible(word: string): boolean {
  const term = parseTerm(word);
  if (term === null) return false;
  if (term.kind === 'modifier') return !MECHANISM_AS_MODIFIER.test(word);
  if (!isLookUpMechanism(term) && !isRedirect(term)) return true;
  if (term.target === null || term.written.includes('%')) return true;
  // No top-level domain ends in "-all": a blank was lost.
  return normalizeDnsName(term.written) !== null && !/-all\.?$/i.test(term.written);
}

const MECHANISM_AS_MODIFIER = /^(?:include|ipv?[46]?|a|mx|exists|ptr)=/i;

/** What people write for a term, and what they mean. */
const REWRITES: readonly ((word: string) => string)[] = [
  (word) => word.replace(/(?<![.;,:])[.;,:]+$/, ''),
  (word) => word.replaceAll(/['`]/g, ''),
  (word) => word.replace(/^([-~?])(?:al?|l|al1|a11|alll|aall)?$/i, '$1all'),
  (word) => word.replace(/^([-~?])\1+/, '$1'),
  (word) => word.replace(/^([+\-~?]?(?:include|a|mx|exists|ptr))=/i, '$1:'),
  (word) => word.replace(/^(redirect|exp):/i, '$1='),
  networkOf,
  withHostName,
];

function repairPiece(word: string): string | null {
  // Two faults may meet in one word: "include=https://spf.example.net/".
  const once = listRewrites(word);
  const tried = new Set([word, ...once, ...once.flatMap(listRewrites)]);
  return [...tried].find(isPlausible) ?? null;
}

function listRewrites(word: string): string[] {
  return REWRITES.map((rewrite) => rewrite(word)).filter((other) => other !== word);
}

/** An address by itself, or with the wrong word in front. */
function networkOf(word: string): string {
  const [, qualifier = '', address = '', length = ''] =
    /^([+\-~?]?)(?:(?:ipv?[46]?|a|mx|include)[:=])?\[?([\da-f:.]+)\]?(\/\d{1,3})?$/i.exec(word) ?? [];
  const family = isIP(address);
  return family === 0 ? word : `${qualifier}ip${family}:${address}${length}`;
}

/** The host of an e-mail address, of a URL, or of a name in another alphabet. */
function withHostName(word: string): string {
  const [, front = '', target = ''] = /^([+\-~?]?(?:include|a|mx|exists|ptr):|redirect=)(.*)$/is.exec(word) ?? [];
  const host = target
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/^.*@/s, '')
    .replace(/[/?#].*$/s, '');
  const name = normalizeDnsName(host);
  return name === null ? word : `${front}${name}`;
}
