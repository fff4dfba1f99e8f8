import { isIP } from 'node:net';
import { normalizeDnsName } from '#contract/dnsName.ts';
import { isLookUpMechanism, isRedirect, parseTerm } from './parseSpf.ts';

/** Characters. Terms are shorter; longer words are not repaired. */
const WORD_MAX = 1000;

/** The intended terms for a word; null when they are not clear. A valid word is returned as it is. */
export function repairTerm(word: string): string[] | null {
  if (isPlausible(word)) return [word];
  // A name that is not a valid host may still be intended, and receivers accept it.
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

/** The start of a term inside a word that lost a blank. */
const START = /(?<=[^+\-~?])(?=[+\-~?]?(?:include|ip4|ip6|exists|mx|a|ptr):|redirect=|exp=|[+\-~?]all)/i;

/** Whether a term is valid, and does not look like a mistake for another valid one. */
function isPlausible(word: string): boolean {
  const term = parseTerm(word);
  if (term === null) return false;
  if (term.kind === 'modifier') return !MECHANISM_AS_MODIFIER.test(word);
  if (!isLookUpMechanism(term) && !isRedirect(term)) return true;
  if (term.target === null || term.written.includes('%')) return true;
  // No top-level domain ends in "-all": a blank is missing.
  return normalizeDnsName(term.written) !== null && !/-all\.?$/i.test(term.written);
}

const MECHANISM_AS_MODIFIER = /^(?:include|ipv?[46]?|a|mx|exists|ptr)=/i;

/** Common mistakes and their corrections. */
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
  // A word may have two mistakes: "include=https://spf.example.net/".
  const once = listRewrites(word);
  const tried = new Set([word, ...once, ...once.flatMap(listRewrites)]);
  return [...tried].find(isPlausible) ?? null;
}

function listRewrites(word: string): string[] {
  return REWRITES.map((rewrite) => rewrite(word)).filter((other) => other !== word);
}

/** An address alone, or with the wrong mechanism. */
function networkOf(word: string): string {
  const [, qualifier = '', address = '', length = ''] =
    /^([+\-~?]?)(?:(?:ipv?[46]?|a|mx|include)[:=])?\[?([\da-f:.]+)\]?(\/\d{1,3})?$/i.exec(word) ?? [];
  const family = isIP(address);
  return family === 0 ? word : `${qualifier}ip${family}:${address}${length}`;
}

/** The host of an email address, of a URL, or of an internationalised name. */
function withHostName(word: string): string {
  const [, front = '', target = ''] = /^([+\-~?]?(?:include|a|mx|exists|ptr):|redirect=)(.*)$/is.exec(word) ?? [];
  const host = target
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/^.*@/s, '')
    .replace(/[/?#].*$/s, '');
  const name = normalizeDnsName(host);
  return name === null ? word : `${front}${name}`;
}
