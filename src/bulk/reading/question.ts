import { type Answer, ANSWERS, readAnswer } from '../../listParser/answers.ts';
import { UNANSWERED } from '../../listParser/piece.ts';
import type { ParsedEntry } from '../../listParser/readEntries.ts';
import { describeOpposite } from '../../listParser/stateColumns.ts';

/** Who is meant by the columns of yes and no, or of dates in some rows, whose headings don’t say it. `chosen`: null until somebody said. */
export type Question = { headings: readonly string[]; chosen: Chosen | null };
export type Chosen = 'everybody' | { column: number; answer: Answer };

export const isUnanswered = ({ question }: { question?: Question | undefined }): boolean => question?.chosen === null;

/** What each column says of the entry; empty if it isn't of the table. */
export const describeAnswers = ({ headings }: Pick<Question, 'headings'>, { answers }: ParsedEntry): string[] =>
  answers === undefined ? [] : headings.map((heading, column) => describeOpposite(heading, answers[column] ?? ''));

/** The reason why the entry is left out, which is another one or follows from what was chosen. */
export function leaveOutBy({ headings, chosen }: Question, entry: ParsedEntry): string | null {
  const { leftOut, answers } = entry;
  if (answers === undefined) return leftOut;
  const reasons = describeAnswers({ headings }, entry);
  if (leftOut !== null && leftOut !== UNANSWERED && !reasons.includes(leftOut)) return leftOut;
  if (chosen === null) return UNANSWERED;
  if (chosen === 'everybody' || readAnswer(answers[chosen.column] ?? '') === chosen.answer) return null;
  return reasons[chosen.column] ?? null;
}

/** `text`: as most cells say it; empty if they say nothing in different words. */
export type AnswerCount = { answer: Answer; text: string; people: number };

/** What each column says, and for how many people. */
export function countAnswers({ headings }: Question, entries: readonly ParsedEntry[]): AnswerCount[][] {
  const people = entries.filter(({ values, repeats }) => values.length > 0 && repeats === null);
  return headings.map((_, column) => {
    const cells = people.flatMap(({ answers }) => answers?.[column] ?? []);
    const texts = [...Map.groupBy(cells, (cell) => cell)].toSorted(([, one], [, other]) => other.length - one.length);
    const groups = Map.groupBy(texts, ([text]) => readAnswer(text));
    return ANSWERS.flatMap((answer) => {
      const of = groups.get(answer) ?? [];
      const [most] = of;
      return most === undefined
        ? []
        : {
            answer,
            text: answer === 'empty' && of.length > 1 ? '' : most[0],
            people: of.reduce((sum, [, { length }]) => sum + length, 0),
          };
    });
  });
}
