import { unescapeFormulas } from '#contract/values/csvInjection.ts';
import { foldText } from '../identity/foldText.ts';
import { isEmptyValue } from './piece.ts';
import { saysNo, saysYes } from './stateWords.ts';

// Columns of yes and no. Their form is certain, but not what they mean: of “Kündigung: nein”, who is to be unsubscribed?

/** `other`: any other text. */
export type Answer = 'yes' | 'no' | 'empty' | 'other';

export const ANSWERS = ['yes', 'no', 'empty', 'other'] as const satisfies readonly Answer[];

const CELL_MAX = 60;
const MARK = /^(?:[*•●■◆★√†]+|x+)$/u;
const ONLY_SIGNS = /^[^\p{L}\p{N}✗✘☐❌✖]*$/u;
/** Letters of a size or a country, and numbers, may be no answers. */
const WORD = /^\p{L}{2}/u;

export const trimAnswer = (cell: string): string => unescapeFormulas(cell).trim().slice(0, CELL_MAX);

export function readAnswer(cell: string): Answer {
  const text = foldText(trimAnswer(cell)).replace(/(?<![.!])[.!]+$/, '');
  if (saysYes.test(text) || MARK.test(text)) return 'yes';
  if (ONLY_SIGNS.test(text) || isEmptyValue(text)) return 'empty';
  return saysNo.test(text) ? 'no' : 'other';
}

/** Whether these are the cells of a column of yes and no, of marks and blanks, or of no alone, when perhaps nobody is
 * meant; programs write false alone into any list. Among words of both, fewer other texts may be. */
export function areAnswers(cells: readonly string[]): boolean {
  const texts = Map.groupBy(cells, (cell) => foldText(trimAnswer(cell)));
  const counts = { yes: 0, no: 0, empty: 0, other: 0 };
  const words = { yes: 0, no: 0 };
  for (const [text, { length }] of texts) {
    const answer = readAnswer(text);
    counts[answer] += length;
    if ((answer === 'yes' || answer === 'no') && WORD.test(text)) words[answer] += length;
  }
  const { yes, no, empty, other } = counts;
  if (other > 0) return words.yes > 0 && words.no > 0 && words.yes + words.no > other;
  return (yes > 0 && no + empty > 0) || (words.no > 0 && (empty > 0 || !texts.has('false')));
}
