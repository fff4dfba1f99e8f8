/** A match of a word: its index among the words, and where it begins and ends in the text. */
export type WordMatch = { word: number; start: number; end: number };

/** As many as there are code units. */
const CODES = 0x1_0000;
const ROOT = 0;

/** A state, the one before it, and the code unit that leads to it. */
type Step = { state: number; from: number; code: number };

/**
 * Finds different words in a text in one pass, however many words there are (Aho and Corasick, 1975). A word is found wherever it
 * stands, also within another.
 */
export class WordSearch {
  readonly #lengths: readonly number[];
  /** The state that follows a state by a code unit, by `state * CODES + code`. */
  readonly #next = new Map<number, number>();
  /** Of each state: the word that ends there, or -1; the longest other state that it ends with; the next of these with a word. */
  readonly #word = [-1];
  readonly #fallback = [ROOT];
  readonly #shorter = [ROOT];
  /** Whether a word begins with a code unit: most of a text begins none. */
  readonly #first = new Uint8Array(CODES);

  private constructor(words: readonly string[]) {
    this.#lengths = words.map((word) => word.length);
  }

  /** `pause` is called between short pieces of the work. */
  static async of(words: readonly string[], pause: () => Promise<void>): Promise<WordSearch> {
    const search = new WordSearch(words);
    const levels: Step[][] = [];
    for (const [index, word] of words.entries()) {
      search.#add(word, index, levels);
      await pause();
    }
    for (const level of levels) {
      for (const step of level) search.#link(step);
      await pause();
    }
    return search;
  }

  *find(text: string): Generator<WordMatch> {
    let state = ROOT;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (state === ROOT && this.#first[code] === 0) continue;
      state = this.#follow(state, code);
      for (let ending = state; ending !== ROOT; ending = this.#shorter[ending] ?? ROOT) {
        const word = this.#word[ending] ?? -1;
        if (word !== -1) yield { word, start: at + 1 - (this.#lengths[word] ?? 0), end: at + 1 };
      }
    }
  }

  #add(word: string, index: number, levels: Step[][]): void {
    let from = ROOT;
    if (word !== '') this.#first[word.charCodeAt(0)] = 1;
    for (let depth = 0; depth < word.length; depth++) {
      const code = word.charCodeAt(depth);
      let state = this.#next.get(from * CODES + code);
      if (state === undefined) {
        state = this.#word.push(-1) - 1;
        this.#next.set(from * CODES + code, state);
        (levels[depth] ??= []).push({ state, from, code });
      }
      from = state;
    }
    this.#word[from] = index;
  }

  /** After all states that are nearer to the root. */
  #link({ state, from, code }: Step): void {
    const fallback = from === ROOT ? ROOT : this.#follow(this.#fallback[from] ?? ROOT, code);
    this.#fallback[state] = fallback;
    this.#shorter[state] = this.#word[fallback] === -1 ? (this.#shorter[fallback] ?? ROOT) : fallback;
  }

  #follow(from: number, code: number): number {
    for (let state = from; ; state = this.#fallback[state] ?? ROOT) {
      const next = this.#next.get(state * CODES + code);
      if (next !== undefined) return next;
      if (state === ROOT) return ROOT;
    }
  }
}
