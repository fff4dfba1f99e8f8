import { isDate, isOfOtherDates } from '#contract/words/dateWords.ts';
import { foldHeading, foldText } from '#contract/words/foldText.ts';
import { isSureHeading, isSureStatus, saysIn, saysNo, saysOut, saysYes, sideOf } from '#contract/words/stateWords.ts';

/** What a cell of the column `subscribed` may say, in small letters. */
export const SUBSCRIBED_WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  '1': true,
  false: false,
  no: false,
  '0': false,
};

/** Equal for `First Name`, `first-name` and `FIRST_NAME`. */
export const bareLetters = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const EMPTY = /^(?:[-–—.\s]*|n\/?a|null|none)$/;
/** Characters of a cell that count. */
const CELL_MAX = 60;
/** Cells of a column that are read, and different ones that are remembered. */
const CELLS_MAX = 10_000;
const SEEN_MAX = 100;

type Form = 'word' | 'zero' | 'one' | 'date' | 'empty' | 'other';

function formOf(cell: string): Form {
  const text = foldText(cell.slice(0, CELL_MAX));
  if (EMPTY.test(text)) return 'empty';
  if (text === '0') return 'zero';
  if (text === '1') return 'one';
  if (saysYes.test(text) || saysNo.test(text) || saysOut.test(text) || saysIn.test(text)) return 'word';
  return isDate(text) ? 'date' : 'other';
}

/**
 * Whether a column looks as if it said who gets no mail: by its heading, if its cells don't contradict it, or because all of its cells are
 * answers (yes and no, states such as UNSUBSCRIBED), or dates in some lines only.
 */
export class ConsentColumn {
  /** Its heading has a word of states, consents or unsubscribes. */
  readonly isNamed: boolean;
  readonly #name: string;
  readonly #seen = new Set<string>();
  readonly #forms = new Set<Form>();
  #cells = 0;

  constructor(heading: string) {
    this.#name = foldHeading(heading);
    this.isNamed = sideOf(this.#name) !== null || isSureStatus.test(this.#name);
  }

  read(cell: string): void {
    if (this.#seen.has(cell) || this.#cells >= CELLS_MAX || (!this.isNamed && this.#forms.has('other'))) return;
    this.#cells++;
    if (this.#seen.size < SEEN_MAX) this.#seen.add(cell);
    this.#forms.add(formOf(cell));
  }

  /** All of its cells are answers, of which it has one or more. */
  get isOfAnswers(): boolean {
    return this.#has('word', 'zero', 'one') && !this.#has('date', 'other');
  }

  get looksSo(): boolean {
    const isAnswered = this.#has('word', 'zero', 'one', 'date');
    if (this.isNamed) {
      const isSparse = sideOf(this.#name) === 'out' && this.#has('empty');
      return isAnswered || (this.#has('other') && (isSparse || isSureHeading(this.#name)));
    }
    if (this.#has('other')) return false;
    if (this.#has('date')) return this.#has('empty', 'word') && !isOfOtherDates(this.#name);
    // Numbers alone may be counts.
    return this.#has('word') || (this.#has('zero') && this.#has('one'));
  }

  #has(...forms: Form[]): boolean {
    return forms.some((form) => this.#forms.has(form));
  }
}
