import {
  type Expression,
  expressionBuilder,
  type RawBuilder,
  type ReferenceExpression,
  sql,
  type SqlBool,
} from 'kysely';
import { must } from '#contract/values/must.ts';
import type { Tables } from '../schema/tables.ts';

type Column<Table extends keyof Tables> = ReferenceExpression<Tables, Table> & string;

/**
 * A condition: `column` contains all `words`, each literally. `%`, `_` and `\` have no special meaning. Column and words are folded
 * in the same way. Not `like`: with a text that nearly matches everywhere, SQLite would take a thousand times as long.
 */
export function containsWords<Table extends keyof Tables>(
  column: Column<Table>,
  words: readonly string[],
  contains: (text: Expression<string>, word: string) => RawBuilder<unknown> = containsWord,
): RawBuilder<SqlBool> {
  if (words.length === 0) return sql<SqlBool>`true`;
  const { fn } = expressionBuilder<Tables>();
  return sql<SqlBool>`${sql.join(
    words.map((word) => {
      const text = sql.ref<string>(column);
      return contains(isPhrase(word) ? fn<string>('replace', [text, sql.lit('\n'), sql.lit(' ')]) : text, word);
    }),
    sql` and `,
  )}`;
}

/** A condition: `text` contains `word`. */
export function containsWord(text: Expression<string>, word: string): RawBuilder<unknown> {
  const { fn } = expressionBuilder<Tables>();
  return sql`${fn<number>('strpos', [text, sql`cast(${word} as text)`])} > 0`;
}

/** Statements that are built before their words are known have placeholders instead of them. */
function isPhrase(word: unknown): boolean {
  return typeof word !== 'string' || word.includes(' ');
}

/**
 * The words of a search, folded as `fold` does: what stands between spaces, and what stands between quotes as a whole. A quote
 * that is not closed holds to the end. A word that is part of another is left out.
 */
export function parseSearch(search: string, fold: (text: string) => string = foldSearch): string[] {
  const found = fold(search).matchAll(/"([^"]*)(?:"|$)|[^\s"]+/g);
  const words = new Set(Array.from(found, ([word, phrase]) => (phrase ?? word).replaceAll(/\s/g, ' ').trim()));
  words.delete('');
  return [...words].filter((word) => ![...words].some((other) => other !== word && other.includes(word)));
}

/** Marks above, below and through letters. Those of scripts whose vowels are marks stay. */
const MARKS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;
/** What Unicode does not decompose, and how people type it who do not have it on their keyboard. */
const SPELLINGS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  þ: 'th',
  ς: 'σ',
  '‘': "'",
  '’': "'",
  ʼ: "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '‐': '-',
  '–': '-',
  '—': '-',
};
const SPELLED = new RegExp(`[${Object.keys(SPELLINGS).join('')}]`, 'g');

/**
 * Text for searching without letter case and accents: "Ørsted" and "orsted" are the same. `search_key`, the names of events and the search index
 * are written with it, so another folding needs a step of the schema that writes them again.
 */
export function foldSearch(text: string): string {
  const lower = text.toLowerCase();
  // oxlint-disable-next-line no-control-regex -- all of ASCII
  if (/^[\0-\x7f]*$/.test(lower)) return lower;
  // Lower case again, because what is decomposed may have capitals: "™" is "TM".
  const plain = lower.normalize('NFKD').replaceAll(MARKS, '').toLowerCase();
  return plain.replaceAll(SPELLED, (letter) => must(SPELLINGS[letter]));
}

/** Text for comparing and sorting without letter case. It is done here, because databases disagree on it. */
export function foldText(text: string): string {
  return text.toLowerCase();
}

/** Characters by which text is sorted: an entry in an index of PostgreSQL has at most 2,700 bytes. */
const SORTED_MAX = 200;

/**
 * Characters of a text that are searched. Names are shorter, and longer texts would slow down every search of the
 * workspace.
 */
const SEARCHED_MAX = 256;

/** The start of `text` by which it is sorted. */
export function sortKey(text: string): string {
  return beginning(text, SORTED_MAX);
}

/** The start of `text` that is searched. */
export function searchKey(text: string): string {
  return beginning(text, SEARCHED_MAX);
}

/** The first characters of `text`, of which each has at most two UTF-16 units. */
export function beginning(text: string, max: number): string {
  return text.length <= max
    ? text
    : Array.from(text.slice(0, 2 * max))
        .slice(0, max)
        .join('');
}

/** `sortKey` of a text without letter case, in SQL. Of ASCII alone, as both engines have it: DNS names ignore no other (RFC 4343). */
export function sortKeyExpression(column: string): RawBuilder<string> {
  return sortKeyOf(sql.ref(column));
}

/** The same of any text. */
export function sortKeyOf(text: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`lower(substr(${text}, 1, ${sql.lit(SORTED_MAX)}))`;
}
