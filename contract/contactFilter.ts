import { isMisspelt } from '#contract/openapi/parameterNames.ts';
import { UUID } from '#contract/values/field.ts';
import { SUPPRESSION_ORIGINS, SUPPRESSION_REASONS } from './suppressions/suppression.ts';

// The filter of contacts, in the parameter `filter` and in the search box: plan:enterprise -subscribed updated:<2026-01

/** A year, month, day or time is the milliseconds (UTC) from `start` to before `end`; a number is both. */
export type Comparison = { operator: '' | '<' | '>' | '<=' | '>='; start: number; end: number };

export type Condition =
  | { kind: 'subscribed' }
  | ({ kind: 'created' | 'updated' } & Comparison)
  /** Unsubscribed, since then. */
  | ({ kind: 'since' } & Comparison)
  | { kind: 'reason' | 'origin'; value: string }
  /** Unsubscribed by this bulk run. */
  | { kind: 'run'; value: string }
  /** `days` is null for at any time. */
  | { kind: 'event'; name: string; days: number | null }
  | { kind: 'equals'; name: string; value: string }
  | ({ kind: 'compares'; name: string; unit: 'number' | 'date' } & Comparison);

/** What was written, from the character `at` on; the first is 0. */
export type FilterTerm = { at: number; text: string; isNegated: boolean; condition: Condition };

export type FilterError = { at: number; text: string; message: string };

type Parsed = { terms: FilterTerm[]; errors: FilterError[] };

/** Characters of a value, without letter case. */
export const VALUE_MAX = 200;
/** For a reason or origin that nobody gave. */
const UNKNOWN = 'unknown';
const CHOICES = { reason: [...SUPPRESSION_REASONS, UNKNOWN], origin: [...SUPPRESSION_ORIGINS, UNKNOWN] } as const;
const KEYS: ReadonlySet<string> = new Set([
  'created',
  'updated',
  'since',
  'reason',
  'origin',
  'run',
  'event',
  'within',
]);
const KEYWORDS = [...KEYS, 'subscribed'];
/** The keyword that was meant, perhaps. Negated, a condition on an attribute that nobody has would match everybody. */
const findMeant = (name: string) => KEYWORDS.find((keyword) => isMisspelt(name, keyword));
const DAYS_MAX = 3650;

/** A filter without words. */
export function parseFilter(filter: string): Parsed {
  const { terms, errors } = read(filter, () => true);
  return { terms, errors };
}

/**
 * What somebody typed. A part that begins with a key, or one of `names`, which are attributes, is a condition; everything else is words
 * to search for, as they are.
 */
export function parseSearchBox(
  text: string,
  names: Pick<ReadonlySet<string>, 'has'>,
): Parsed & { search: string; filter: string } {
  const { words, ...parsed } = read(text, ({ key, isQuoted, value }) => {
    if (key === null || value === '') return false;
    return isKeyword(key, isQuoted) || (key === 'subscribed' && !isQuoted) || names.has(key);
  });
  return { ...parsed, search: words.join(' '), filter: parsed.terms.map((term) => term.text).join(' ') };
}

/** What an attribute's name or value is in a filter. */
export function quoteName(name: string): string {
  const isPlain = /^[^\s":-][^\s":]*$/.test(name) && findMeant(name) === undefined;
  return isPlain ? name : quote(name);
}

export const quoteValue = (value: string) => (/^[^\s"<>]\S*$/.test(value) ? value : quote(value));

/** What stands between spaces; `key` is null for words. */
type Part = { at: number; text: string; key: string | null; isQuoted: boolean; isNegated: boolean; value: string };

/** Limited, so that no text takes long: a filter is as short. */
const QUOTED = '"(?:[^"]|""){0,300}"';
/** The value: in quotes, without any, or with one that is missing. */
const VALUE = `(?:[<>]=?)?(?:${QUOTED}(?!\\S)|[^\\s"]\\S*|".*$)?`;
const CONDITION = new RegExp(`(?<!\\S)(-?)(?:(${QUOTED})|([^\\s":]{1,300})):(${VALUE})(?!\\S)`, 'sy');
const WHOLE_QUOTE = new RegExp(`^${QUOTED}$`);
const SUBSCRIBED = /(-?)subscribed(?!\S)/y;
const WITHIN = /\s{1,9}within[ :](\d+\w?)(?!\S)/y;
/** As searches have them: a quote that is not closed holds to the end. */
const WORD = /(?:"[^"]*(?:"|$)|[^\s"])+/y;

const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
const unquote = (text: string) => (text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text);
const isKeyword = (key: string, isQuoted: boolean) => !isQuoted && KEYS.has(key);

function read(text: string, isCondition: (part: Part) => boolean): Parsed & { words: string[] } {
  const result: Parsed & { words: string[] } = { words: [], terms: [], errors: [] };
  let at = 0;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    at = found === null ? at : pattern.lastIndex;
    return found;
  };
  for (match(/\s*/y); at < text.length; match(/\s*/y)) {
    const start = at;
    const state = match(SUBSCRIBED);
    if (state !== null) {
      const condition = { kind: 'subscribed' } as const;
      result.terms.push({ at: start, text: state[0], isNegated: state[1] === '-', condition });
      continue;
    }
    const [, sign, quoted, plain, value = ''] = match(CONDITION) ?? [];
    const key = quoted === undefined ? (plain ?? null) : unquote(quoted);
    if (key === null) match(WORD);
    const isEvent = key === 'event' && quoted === undefined && value !== '';
    const days = isEvent ? (match(WITHIN)?.[1] ?? null) : null;
    const part = {
      at: start,
      text: text.slice(start, at),
      key,
      isQuoted: quoted !== undefined,
      isNegated: sign === '-',
      value,
    };
    if (!isCondition(part)) {
      result.words.push(part.text);
      continue;
    }
    const condition = toCondition(part, days);
    if (typeof condition === 'string') result.errors.push({ at: start, text: part.text, message: condition });
    else result.terms.push({ at: start, text: part.text, isNegated: part.isNegated, condition });
  }
  return result;
}

/** A sentence if it can't be read. */
function toCondition({ key, isQuoted, value }: Part, days: string | null): Condition | string {
  if (key === null) return 'This is no condition. Write a name and a value, such as plan:enterprise.';
  const [, operator = '', rest = ''] = /^([<>]?=?)(.*)$/s.exec(value) ?? [];
  if (rest === '') return `${key} needs a value.`;
  if (key === 'subscribed' && !isQuoted) return 'Write subscribed, or -subscribed for the others.';
  if (rest.startsWith('"') && !WHOLE_QUOTE.test(rest)) return 'A quote is missing, or something follows it.';
  const plain = unquote(rest);
  if (plain.length > VALUE_MAX) return `The value is longer than ${VALUE_MAX} characters.`;
  const name = key;
  const meant = isQuoted || isKeyword(key, isQuoted) ? undefined : findMeant(key);
  if (meant !== undefined)
    return `Did you mean ${meant}? An attribute of this name is in quotes: ${quote(key)}:${value}`;
  if (!isKeyword(key, isQuoted)) return toAttribute(name, operator as Comparison['operator'], plain);
  switch (key) {
    case 'created':
    case 'updated':
    case 'since': {
      const span = toTimes(plain);
      if (span === null) return `${key} needs a year, month, day or time in UTC, such as 2026-01 or 2026-01-31T08:00Z.`;
      return { kind: key, operator: operator as Comparison['operator'], ...span };
    }
    case 'reason':
    case 'origin': {
      const word = unquote(value).toLowerCase();
      const words: readonly string[] = CHOICES[key];
      return words.includes(word) ? { kind: key, value: word } : `${key} must be one of ${words.join(', ')}.`;
    }
    case 'run': {
      const run = unquote(value).toLowerCase();
      return UUID.test(run) ? { kind: 'run', value: run } : 'run needs the UUID of a bulk run.';
    }
    case 'event': {
      const within = days === null ? null : days.endsWith('d') ? Number.parseInt(days, 10) : 0;
      if (within !== null && (within < 1 || within > DAYS_MAX)) return `within must be 1d to ${DAYS_MAX}d.`;
      return { kind: 'event', name: unquote(value), days: within };
    }
    default:
      return 'within goes with an event, such as event:bounced within:30d.';
  }
}

function toAttribute(name: string, operator: Comparison['operator'], value: string): Condition | string {
  if (operator === '') return { kind: 'equals', name, value };
  const number = toNumber(value);
  if (number !== null) return { kind: 'compares', name, unit: 'number', operator, start: number, end: number };
  // A year alone may be a number.
  const span = toSpan(value);
  if (span !== null) return { kind: 'compares', name, unit: 'date', operator, ...span };
  return `${operator} needs a number such as 10, or a month or day such as 2026-01.`;
}

/** Written with digits, and exact. */
export function toNumber(text: string): number | null {
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) + 0 : null;
}

/** A year, month or day in UTC, or a time such as 2026-01-31T08:00Z, to the minute, second or millisecond. */
function toTimes(text: string): { start: number; end: number } | null {
  const [, minute, second, fraction] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:\.(\d{3}))?)?Z$/.exec(text) ?? [];
  if (minute === undefined) return toSpan(text);
  const whole = `${minute}:${second ?? '00'}.${fraction ?? '000'}Z`;
  const start = new Date(whole);
  // 30 February would be 2 March.
  if (Number.isNaN(start.getTime()) || start.toISOString() !== whole) return null;
  const length = second === undefined ? 60_000 : fraction === undefined ? 1000 : 1;
  return { start: start.getTime(), end: start.getTime() + length };
}

/** A year, month or day in UTC. */
export function toSpan(text: string): { start: number; end: number } | null {
  const [, year, month, day] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? [];
  if (year === undefined) return null;
  const start = new Date(`${year}-${month ?? '01'}-${day ?? '01'}T00:00:00Z`);
  // 30 February would be 2 March.
  if (Number.isNaN(start.getTime()) || !start.toISOString().startsWith(text)) return null;
  const end = new Date(start);
  if (day !== undefined) end.setUTCDate(end.getUTCDate() + 1);
  else if (month !== undefined) end.setUTCMonth(end.getUTCMonth() + 1);
  else end.setUTCFullYear(end.getUTCFullYear() + 1);
  return { start: start.getTime(), end: end.getTime() };
}
