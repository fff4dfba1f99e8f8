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
/** `Customer ID: 11554`: with its name before it, digits alone are an ID. */
const NAME = String.raw`(?:customer|client|account|member|user|kunden?)[\s_-]*(?:id|no|nr|number|nummer)|id`;
const NAMED = new RegExp(
  String.raw`(?<![\p{L}\d_-])(?:${NAME})(?![\p{L}\d_-])[\s.:#=]*(\d[\d-]{1,20}\d)(?![\p{L}\d])`,
  'giu',
);
const NAME_BEFORE = new RegExp(String.raw`^(?:${NAME}|customer|client|account)(?![\p{L}\d_-])[\s.:#=]*(?=\S+$)`, 'iu');

/** Whether a word has the form of an ID. */
export const isCustomId = (word: string): boolean =>
  word.length <= LONGEST_ID && ID.test(word) && !OTHERS.some((other) => other.test(word));

/** The words of `text` that may be IDs, each once. Links and tags are left out. */
export function findCustomIds(text: string): string[] {
  const plain = text.replaceAll(LINKS, ' ');
  const named = Array.from(plain.matchAll(NAMED), ([, digits = '']) => digits);
  const words = plain.split(BETWEEN).map((word) => word.replace(/[.…-]+$/, ''));
  return [...new Set([...named, ...words.filter(isCustomId)])].slice(0, IDS_MAX);
}

/** A single ID without the name before it: `customer no. C-11554` is C-11554. Any other text as it is. */
export const stripIdName = (text: string): string => (/\d/.test(text) ? text.replace(NAME_BEFORE, '') : text);
