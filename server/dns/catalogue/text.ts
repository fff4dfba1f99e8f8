import { STRING_MAX } from '#contract/values/characterStrings.ts';
import { describeAdding } from './placement.ts';
import { fail } from './catalogueEntry.ts';
import type { CutFacts } from '../text/measureCut.ts';

// Codes for texts that were corrupted before publication.

const NAMES: ReadonlyMap<string, string> = new Map([
  ['U+0009', 'a tab'],
  ['U+000A', 'a line break'],
  ['U+000D', 'a line break'],
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

function describeGap({ before, missing, of, shown }: CutFacts, name: string): string {
  if (before === 0) {
    return `The first ${missing} of ${of} characters of the value at ${name} are missing: it starts with "${shown}".`;
  }
  return before + missing === of
    ? `The value at ${name} is cut off after ${before} of ${of} characters: the last ${missing} are missing, after "${shown}".`
    : `${missing} of ${of} characters are missing from the value at ${name}, after the first ${before}, which end with "${shown}".`;
}

function isEndOfString({ before, missing, of }: CutFacts): boolean {
  return before % STRING_MAX === 0 && (before + missing === of || missing % STRING_MAX === 0);
}

export const text = {
  TEXT_MISSING: fail<{ count: number; another: string | null }>({
    describe: ({ count, another }, { name }) =>
      `${count === 1 ? 'The TXT record' : `The ${count} TXT records`} at ${name} ${count === 1 ? "isn't" : "don't include"} the expected one.${
        another === null ? '' : ` There's another one of the same kind: ${another}. It may be someone else's.`
      }`,
    todo: (_, about) => `${describeAdding(about)} Leave other TXT records where they are.`,
  }),
  QUOTES_IN_VALUE: fail({
    describe: (_, { name }) =>
      `Quotation marks or backslashes became part of the value at ${name}, so it isn't recognized.`,
    todo: () => 'Enter the value without them.',
  }),
  SPACES_AROUND: fail({
    describe: (_, { name }) => `There are spaces around the value at ${name}, so receivers ignore the record.`,
    todo: () => 'Remove the spaces around the value.',
  }),
  SPACES_INSIDE: fail({
    describe: (_, { name }) => `The value at ${name} has misplaced spaces or line breaks.`,
    todo: () => 'Enter the value on one line, without them.',
  }),
  SPACE_LOST_AT_SPLIT: fail({
    describe: (_, { name }) => `The text at ${name} was split into pieces, and a space was lost between them.`,
    todo: () => 'Enter it as one piece, or put the space inside the quotation marks.',
  }),
  VALUE_CUT: fail<CutFacts>({
    describe: (facts, { name }) =>
      `${describeGap(facts, name)}${isEndOfString(facts) ? ` One string of a TXT record holds ${STRING_MAX}.` : ''}`,
    todo: ({ strings }) =>
      strings === 1
        ? 'Enter the entire value.'
        : `Enter the entire value in one record. If the form doesn't split it, enter ${strings} quoted strings of at most ${STRING_MAX} characters each.`,
  }),
  STRINGS_SWAPPED: fail({
    describe: (_, { name }) => `The value at ${name} was split into strings that are in the wrong order.`,
    todo: () => 'Enter the value as a whole, or the strings in the right order.',
  }),
  SPOILT_CHARACTERS: fail<{ characters: readonly string[]; after?: string }>({
    describe: ({ characters, after = '' }, { name }) =>
      `The value at ${name} contains invisible or typographic characters (${describeCharacters(characters)})${
        after === '' ? '' : `, first after "${after}"`
      }, so it can't be read.`,
    todo: () => 'Type the value by hand, or copy it as plain text.',
  }),
};
