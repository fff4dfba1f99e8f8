import { foldText } from '../../contact/foldText.ts';
import type { ListLine } from '../listLine.ts';
import type { ParsedEntry } from '../parseList.ts';

// How people ask to unsubscribe somebody: English, German, French, Spanish, Italian, Dutch, Portuguese, Polish. The words are
// folded (src/contact/foldText.ts), and `…` stands for those between two parts of a verb.

const REQUESTS = `
unsubscribe, unsubscribing, deregister, remove, removing, delete, deleting, take … off, opt … out, opt-out
abmeld, abzumeld, melde … ab, meldet … ab, melden … ab, austrag, auszutrag, trag … aus, tragen … aus, entfern, losch, loesch, streich, nimm … aus, nehmt … aus, nehmen … aus
desinscri, desabonn, retire, supprim, enlev
baja, elimin, borr, quita, quite, desuscri, cancel
disiscri, cancell, rimuov, rimozion, togli
uitschrij, afmeld, verwijder, schrijf … uit, meld … af
descadastr, remov, exclu
wypis, usun, wyrejestr`;
/** The writer, as the object of a sentence. */
const WRITER = `
me, us, myself, ourselves, mich, mir, uns, moi, nous, mi, ci, mij, ons, mnie, nas`;

const toWords = (words: string) =>
  foldText(words.trim().replaceAll('\n', ', '))
    .split(', ')
    .map((word) => word.replace(/^(.+) \.\.\. (.+)$/, String.raw`$1(?!\p{L}).{1,200}(?<!\p{L})$2(?!\p{L})`))
    .join('|');

/** A stem, or two parts of which the second is a whole word. */
const REQUEST = new RegExp(String.raw`(?<!\p{L})(?:${toWords(REQUESTS)})`, 'u');
const OF_WRITER = new RegExp(String.raw`(?<!\p{L})(?:${toWords(WRITER)})(?!\p{L})|(?<!\p{L})m['’]`, 'u');
const NAMES_SOMEBODY = /@|\d{4}/;
/** Characters of a sentence that are looked at. */
const SENTENCE_MAX = 1000;
/** Words of a line that lists somebody, with their name. */
const LISTED_WORDS_MAX = 4;

/**
 * Tells whether the text of a mail asks to unsubscribe an entry that it names: in the sentence with it, or in the one above a
 * list with it. A sentence that asks to unsubscribe its writer does not. `lines`: those of its text that are not blank.
 */
export function findRequests(lines: readonly ListLine[]): (entry: ParsedEntry) => boolean {
  const sentences: { end: number; asks: boolean }[] = [];
  const starts = new Map<number, number>();
  let text = '';
  let before: ListLine | undefined;
  for (const line of lines) {
    // A blank line ends a sentence, but for one that announces a list.
    if (before !== undefined && line.line > before.line + 1 && !before.text.trimEnd().endsWith(':')) text += '\u2029';
    starts.set(line.line, text.length);
    text += `${line.text.trim()}\n`;
    before = line;
  }
  let start = 0;
  /** Whether a list may follow: a sentence before asks for somebody whom it does not name. */
  let announces: boolean = false;
  for (const { index } of `${text}\u2029`.matchAll(/[.!?…](?=\s)|\u2029/g)) {
    const sentence = text.slice(start, index);
    const isRequest = asksForOthers(sentence.slice(0, SENTENCE_MAX));
    const isListed: boolean = !isRequest && announces && isListing(sentence);
    sentences.push({ end: index, asks: isRequest || isListed });
    announces = isListed || (isRequest && !NAMES_SOMEBODY.test(beforeColon(sentence)));
    start = index + 1;
  }
  const textOf = new Map(lines.map((line) => [line.line, line.text.trim()]));
  return ({ line, text: piece }) => {
    const at = (starts.get(line) ?? text.length) + Math.max(0, textOf.get(line)?.indexOf(piece) ?? 0);
    return starts.has(line) && (sentenceAt(sentences, at)?.asks ?? false);
  };
}

/** The first that ends behind `at`. */
function sentenceAt<Sentence extends { end: number }>(
  sentences: readonly Sentence[],
  at: number,
): Sentence | undefined {
  let [low, high] = [0, sentences.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sentences[middle]?.end ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return sentences[low];
}

function asksForOthers(sentence: string): boolean {
  const folded = foldText(sentence.replaceAll(/\S*@\S*/g, '@'));
  return REQUEST.test(folded) && !OF_WRITER.test(folded);
}

/** A sentence without the list that it announces. */
const beforeColon = (sentence: string): string => sentence.split(/:\s/, 1)[0] ?? '';

/** Whether each line of a text is somebody, perhaps with a name. */
const isListing = (text: string): boolean =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .every((line) => {
      const words = line.split(/\s+/).filter((word) => /^\p{L}/u.test(word) && !word.includes('@'));
      return NAMES_SOMEBODY.test(line) && words.length <= LISTED_WORDS_MAX;
    });
