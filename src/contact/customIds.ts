import { foldText } from './foldText.ts';
import { ID_NAME } from './idNames.ts';

// Identities of the workspace's own, such as customer numbers, within a sentence. Nothing but their form tells them.

/** A word of Latin letters and at least three digits, perhaps with hyphens: `C-11554`, `AB_1234_X`. */
const ID = /^(?=.*\p{Script=Latin})(?=(?:\D*\d){3})[\p{Script=Latin}\d]+(?:[-_\u2010-\u2015][\p{Script=Latin}\d]+)*$/u;
const LONGEST_ID = 40;
/** More in a line are no mention of somebody. */
const IDS_MAX = 20;
/** What has the form of an ID and is a date, a quantity or a price. */
const OTHERS = [
  /^\d{4}-?\d\d-?\d\d(?:T.*)?$/,
  /^(?:\d{1,2}[-.]?)?(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]*[-.]?(?:\d{1,2}[-.]?)?\d{2,4}$/i,
  /^\d+[a-z]{1,3}$/,
  /^(?:eur|euro|usd|us|gbp|chf|jpy|dkk|sek|nok|pln|czk|inr|cad|aud)-?\d+$|^\d+-?(?:eur|euros?|usd|dollars?|gbp|chf|jpy|dkk|sek|nok|pln|czk|inr|cad|aud)$/i,
  /^(?:ext|tel|phone|fax|mobile)\d+$/i,
];
const BETWEEN = /[\s,;|/()<>[\]{}"'“”„‘’«»:!?#=*&]+/u;
const LINKS = /https?:\/\/\S+|<[^<>]*>/gi;
/** `Customer ID: 11554`, `customer 11554`: with its name before it, digits alone are an ID. Both are for folded texts. */
const NAMED = new RegExp(
  String.raw`(?<![\p{L}\d_-])${ID_NAME}(?![\p{L}\d_-])[\s.:;#=°]{0,4}(\d[\d-]{1,20}\d)(?![\p{L}\d])`,
  'gu',
);
const NAME_BEFORE = new RegExp(String.raw`^${ID_NAME}(?![\p{L}\d_-])[\s.:#=°]{0,4}(?=\S+$)`, 'u');

/** Whether a word has the form of an ID. */
export const isCustomId = (word: string): boolean =>
  word.length <= LONGEST_ID && ID.test(word) && !OTHERS.some((other) => other.test(word));

/** The words of `text` that may be IDs, each once; only those with a name before them if `areNamed`. Links and tags are left out. */
export function findCustomIds(text: string, areNamed: boolean): string[] {
  const plain = text.replaceAll(LINKS, ' ');
  if (areNamed) return [...new Set(findNamedIds(plain))].slice(0, IDS_MAX);
  const words = plain.split(BETWEEN).map((word) => word.replace(/[.…-]+$/, ''));
  return [...new Set([...findNamedIds(plain), ...words.filter(isCustomId)])].slice(0, IDS_MAX);
}

/** The digits in `text` that follow a name of an ID. */
const findNamedIds = (text: string): string[] =>
  /\d/.test(text) ? Array.from(foldText(text).matchAll(NAMED), ([, digits = '']) => digits) : [];

/** A single ID without the name before it: `customer no. C-11554` is C-11554. Any other text as it is. */
export function stripIdName(text: string): string {
  if (!/\d/.test(text) || !/[\s.:#=°]/.test(text)) return text;
  const folded = foldText(text);
  const id = folded.replace(NAME_BEFORE, '');
  const written = text.trimEnd().slice(-id.length);
  return id !== folded && foldText(written) === id ? written : text;
}
