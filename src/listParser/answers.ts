import { unescapeFormulas } from '#contract/values/csvInjection.ts';
import { foldText } from '#contract/words/foldText.ts';
import { isDate } from '#contract/words/dateWords.ts';
import { isEmptyValue } from './piece.ts';
import { saysNo, saysYes } from '#contract/words/stateWords.ts';

// Columns of yes and no, and those in which some rows have a date. Their form is certain, but not what they mean: of
// “Kündigung: nein”, who is to be unsubscribed?

/** `other`: any other text. */
export type Answer = 'yes' | 'no' | 'date' | 'empty' | 'other';

export const ANSWERS = ['yes', 'no', 'date', 'empty', 'other'] as const satisfies readonly Answer[];

const CELL_MAX = 60;
const MARK = /^(?:[*•●■◆★√†]+|x+)$/u;
const ONLY_SIGNS = /^[^\p{L}\p{N}✗✘☐❌✖]*$/u;
/** Letters of a size or a country, and numbers, may be no answers. */
const WORD = /^\p{L}{2}/u;

export const trimAnswer = (cell: string): string => unescapeFormulas(cell).trim().slice(0, CELL_MAX);

export const readAnswer = (cell: string): Answer => readFolded(foldText(trimAnswer(cell)));

function readFolded(folded: string): Answer {
  const text = folded.replace(/(?<![.!])[.!]+$/, '');
  if (saysYes.test(text) || MARK.test(text)) return 'yes';
  if (ONLY_SIGNS.test(text) || isEmptyValue(text)) return 'empty';
  if (saysNo.test(text)) return 'no';
  return isDate(folded) ? 'date' : 'other';
}

/** A text of a column, folded, in `count` cells. */
export type AnswerText = { text: string; answer: Answer; count: number };

export function countAnswer(cell: string, count: number): AnswerText {
  const text = foldText(trimAnswer(cell));
  return { text, answer: readFolded(text), count };
}

/** Whether these are the cells of a column of yes and no, of marks and blanks, of dates and anything else, or of no alone,
 * when perhaps nobody is meant; programs write false alone into any list. Among words of both, fewer other texts may be. */
export function areAnswers(texts: readonly AnswerText[]): boolean {
  const counts = { yes: 0, no: 0, date: 0, empty: 0, other: 0 };
  const words = { yes: 0, no: 0 };
  for (const { text, answer, count } of texts) {
    counts[answer] += count;
    if ((answer === 'yes' || answer === 'no') && WORD.test(text)) words[answer] += count;
  }
  const { yes, no, date, empty, other } = counts;
  if (date > 0) return date >= other && yes + no + empty + other > 0;
  if (other > 0) return words.yes > 0 && words.no > 0 && words.yes + words.no > other;
  return (yes > 0 && no + empty > 0) || (words.no > 0 && (empty > 0 || !texts.some(({ text }) => text === 'false')));
}
