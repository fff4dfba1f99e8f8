import { describeAdding } from './placement.ts';
import { defineEntry } from './catalogueEntry.ts';
import type { CutFacts } from '../text/measureCut.ts';

// Codes for texts that were corrupted before they were published.

/** Names of common invisible characters. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['U+0009', 'a tab'],
  ['U+000A', 'the end of a line'],
  ['U+000D', 'the end of a line'],
  ['U+00A0', 'a no-break space'],
  ['U+00AD', 'a soft hyphen'],
  ['U+200B', 'a zero-width space'],
  ['U+200C', 'a zero-width non-joiner'],
  ['U+200D', 'a zero-width joiner'],
  ['U+2013', 'a dash'],
  ['U+2014', 'a dash'],
  ['U+2018', 'a typographic quotation mark'],
  ['U+2019', 'a typographic quotation mark'],
  ['U+201C', 'a typographic quotation mark'],
  ['U+201D', 'a typographic quotation mark'],
  ['U+202F', 'a narrow no-break space'],
  ['U+2060', 'a word joiner'],
  ['U+FEFF', 'a byte order mark'],
]);

const describeCharacters = (characters: readonly string[]) =>
  characters.map((one) => (NAMES.has(one) ? `${one}, ${NAMES.get(one)}` : one)).join('; ');

/** Bytes in one string of a TXT record (RFC 1035, section 3.3.14). */
const STRING_MAX = 255;

function describeGap({ before, missing, of, shown }: CutFacts, name: string): string {
  if (before === 0) {
    return `The first ${missing} of ${of} characters of the value at ${name} are missing: it begins with "${shown}".`;
  }
  return before + missing === of
    ? `The value at ${name} is cut after ${before} of ${of} characters: the last ${missing} are missing, after "${shown}".`
    : `From the value at ${name}, ${missing} of ${of} characters are missing after the first ${before}, which end in "${shown}".`;
}

/** Whether whole strings are missing. */
function isEndOfString({ before, missing, of }: CutFacts): boolean {
  return before % STRING_MAX === 0 && (before + missing === of || missing % STRING_MAX === 0);
}

const spoilt = { result: { record: 'fail', advice: 'warn' }, turn: 'owner' } as const;

export const text = {
  TEXT_MISSING: defineEntry<{ count: number; another: string | null }>({
    ...spoilt,
    describe: ({ count, another }, { name }) =>
      `The expected text is not among the ${count} TXT ${count === 1 ? 'record' : 'records'} at ${name}.${
        another === null ? '' : ` There is another one of the same kind: ${another}. It may be somebody else's.`
      }`,
    todo: (_, about) => `${describeAdding(about)} Leave other TXT records where they are.`,
  }),
  QUOTES_IN_VALUE: defineEntry({
    ...spoilt,
    describe: (_, { name }) =>
      `Quotation marks or backslashes became a part of the value at ${name}, so that nobody recognises it.`,
    todo: () => 'Enter the value without them.',
  }),
  SPACES_AROUND: defineEntry({
    ...spoilt,
    describe: (_, { name }) => `There are blanks around the value at ${name}, so receivers ignore the record.`,
    todo: () => 'Remove the blanks around the value.',
  }),
  SPACES_INSIDE: defineEntry({
    ...spoilt,
    describe: (_, { name }) => `The value at ${name} has blanks or ends of lines where none belong.`,
    todo: () => 'Enter the value in one line, without them.',
  }),
  SPACE_LOST_AT_SPLIT: defineEntry({
    ...spoilt,
    describe: (_, { name }) => `The text at ${name} was split into pieces, and a blank was lost where they meet.`,
    todo: () => 'Enter it as one piece, or put the blank inside the quotation marks.',
  }),
  VALUE_CUT: defineEntry<CutFacts>({
    ...spoilt,
    describe: (facts, { name }) =>
      `${describeGap(facts, name)}${isEndOfString(facts) ? ` One string of a TXT record holds ${STRING_MAX}.` : ''}`,
    todo: ({ strings }) =>
      strings === 1
        ? 'Enter the whole value.'
        : `Enter the whole value in one record. If the form does not split it itself, enter ${strings} quoted strings of at most ${STRING_MAX} characters each.`,
  }),
  STRINGS_SWAPPED: defineEntry({
    ...spoilt,
    describe: (_, { name }) => `The strings that the value at ${name} was split into are in the wrong order.`,
    todo: () => 'Enter the value as a whole, or the strings in the right order.',
  }),
  SPOILT_CHARACTERS: defineEntry<{ characters: readonly string[]; after?: string }>({
    ...spoilt,
    describe: ({ characters, after = '' }, { name }) =>
      `The value at ${name} holds what cannot be seen or what a word processor put in (${describeCharacters(characters)})${
        after === '' ? '' : `, first after "${after}"`
      }. Nobody can read it like that.`,
    todo: () => 'Type the value again by hand, or copy it as plain text.',
  }),
};
