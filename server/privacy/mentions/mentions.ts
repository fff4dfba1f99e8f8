import type { FieldChange } from '#contract/change.ts';
import { parseJson } from '#contract/values/json.ts';
import { must } from '#contract/values/must.ts';
import { type Identity, nameOf } from '../../contacts/identities/identity.ts';
import type { LineSummary } from '../../database/changeLog/lineSummary.ts';
import { readingsOf } from './escapes.ts';
import { identitiesIn } from '../knownIdentities.ts';
import type { Pause } from '../pauses.ts';

/** Shorter identities, such as a customer ID of three digits, are in any text. */
const TELLING_LENGTH = 6;
/** A shorter number may be a part of another one, or of a date. */
const NUMBER_LENGTH = 9;

/** What may stand between the digits of a phone number; a plus is a space in a link. */
const PHONE_GAP = /[ \t\r\n\p{Zs}\p{Pd}./()+]/u;
const PHONE = /^\+?\d[\d \t\r\n\p{Zs}\p{Pd}./()+]*$/u;

/** Characters that nobody sees, as a mail program or a chat may put into an address. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

// What surrounds this identity if it's part of a longer one. An address has no @ before it; any other identity may be part of one.
const BEFORE_EMAIL = /[\p{L}\p{N}][._+-]?$/u;
const BEFORE_OTHER = /(?:[\p{L}\p{N}][._+-]?|@)$/u;
const GOES_ON = /^(?:[._+-]?[\p{L}\p{N}]|@)/u;
/** Code units: two of a letter, and what joins it. */
const BORDER = 3;
const ATTRIBUTE = 'attributes.';

/** A long text is read in parts, each of which takes some milliseconds; an escaped identity fits into what two parts share. */
const PART = 16 * 1024;
const SHARED = 4 * 1024;

/** How a line about somebody else names an identity: somebody else had it as their own, or a text mentions it. */
export type Naming = { identity: Identity; how: 'had' | 'mentions' };

/** What a line of the log says, as it is stored. */
export type StoredValues = { summary: string; changes: string };

/** A text without what spellings of it differ in: letter case, and the forms of Unicode. What is in ASCII stays in ASCII. */
function foldSpelling(text: string): string {
  // Both cases, because some letters have two of one and one of the other.
  return isAscii(text) ? text.toUpperCase() : text.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC');
}

// oxlint-disable-next-line no-control-regex -- all of ASCII
const isAscii = (text: string) => !/[^\0-\x7f]/.test(text);

/** The digits of a phone number that can be told from others in a text; null for any other identity. */
function tellingDigits({ kind, key }: Identity): string | null {
  const folded = foldSpelling(key);
  if (kind !== 'phone' || !PHONE.test(folded)) return null;
  const digits = folded.replaceAll(/\D/g, '');
  return digits.length >= TELLING_LENGTH ? digits : null;
}

/** The text of an identity that can be told from others in a text; null for a phone number. */
function tellingWord(identity: Identity): string | null {
  if (tellingDigits(identity) !== null) return null;
  const folded = foldSpelling(identity.key).replaceAll(INVISIBLE, '');
  return folded.length >= TELLING_LENGTH ? folded : null;
}

/**
 * Finds identities in texts: each as a whole, in any letter case and form of Unicode, with or without invisible characters, as a
 * link, a page or a mail escapes it, and phone numbers with other gaps between the digits.
 */
export class Mentions {
  readonly #words: Sought;
  readonly #numbers: Sought;
  readonly #byName: ReadonlyMap<string, Identity>;
  readonly #customField: string | null;

  /** `customField` is the identity field of the workspace. */
  constructor(identities: readonly Identity[], customField: string | null) {
    this.#words = groupBy(identities, tellingWord);
    this.#numbers = groupBy(identities, tellingDigits);
    this.#byName = new Map(identities.map((identity) => [nameOf(identity), identity]));
    this.#customField = customField;
  }

  /** How a line names them, in what somebody wrote of a contact. */
  async inLine(values: StoredValues, pause: Pause): Promise<Naming[]> {
    const inFields = identitiesIn(changesIn(values), this.#customField);
    const had = new Set(inFields.flatMap((one) => this.#byName.get(nameOf(one)) ?? []));
    const mentioned = new Set(await this.inTexts(textsOf(values), pause)).difference(had);
    return [
      ...Array.from(had, (identity) => ({ identity, how: 'had' as const })),
      ...Array.from(mentioned, (identity) => ({ identity, how: 'mentions' as const })),
    ];
  }

  async inTexts(texts: readonly string[], pause: Pause): Promise<Identity[]> {
    const found = new Set<Identity>();
    for (const text of texts) {
      for (let start = 0; start === 0 || start + SHARED < text.length; start += PART - SHARED) {
        for (const reading of readingsOf(text.slice(start, start + PART))) {
          for (const identity of this.#inReading(reading)) found.add(identity);
          await pause();
        }
      }
    }
    return [...found];
  }

  *#inReading(reading: string): Generator<Identity> {
    const folded = foldSpelling(reading);
    // Also as it is: an invisible blank may be what parts an address from the word before it.
    for (const text of new Set([folded, folded.replaceAll(INVISIBLE, '')])) {
      for (const [word, identities] of this.#words) {
        for (const match of findAll(text, word)) {
          yield* identities.filter((identity) => isWhole(text, match, identity));
        }
      }
      // As in "+49 (0)30 5550123".
      for (const number of new Set([text, text.replaceAll('(0)', '')])) {
        for (const run of digitRuns(number)) {
          for (const [digits, identities] of this.#numbers) {
            if (findAll(run.digits, digits).some((match) => isWholeNumber(number, run, match))) yield* identities;
          }
        }
      }
    }
  }
}

/** What is looked for, and the identities that it is of. */
type Sought = ReadonlyMap<string, readonly Identity[]>;

function groupBy(identities: readonly Identity[], textOf: (identity: Identity) => string | null): Sought {
  const byText = Map.groupBy(identities, (identity) => textOf(identity) ?? '');
  byText.delete('');
  return byText;
}

type Match = { start: number; end: number };

/** Where `word` is in `text`, also within another. */
function* findAll(text: string, word: string): Generator<Match> {
  for (let start = text.indexOf(word); start !== -1; start = text.indexOf(word, start + 1)) {
    yield { start, end: start + word.length };
  }
}

/** Whether a match is no part of a longer identity. */
function isWhole(text: string, { start, end }: Match, { kind }: Identity): boolean {
  const before = text.slice(Math.max(0, start - BORDER), start);
  return !(kind === 'email' ? BEFORE_EMAIL : BEFORE_OTHER).test(before) && !GOES_ON.test(text.slice(end, end + BORDER));
}

/** Digits with nothing but gaps between them, and where each is in the text. */
type DigitRun = { digits: string; places: number[] };

function* digitRuns(text: string): Generator<DigitRun> {
  let run: DigitRun = { digits: '', places: [] };
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character >= '0' && character <= '9') {
      run.digits += character;
      run.places.push(at);
    } else if (run.digits !== '' && !PHONE_GAP.test(character)) {
      yield run;
      run = { digits: '', places: [] };
    }
  }
  if (run.digits !== '') yield run;
}

/** Also behind 00, with which a number may begin as with +. */
function isWholeNumber(text: string, { digits, places }: DigitRun, { start, end }: Match): boolean {
  const firsts = digits.slice(Math.max(0, start - 2), start) === '00' ? [start, start - 2] : [start];
  return firsts.some((first) => {
    if (end - start < NUMBER_LENGTH) return first === 0 && end === digits.length;
    const before = text.slice(0, must(places[first]));
    const after = text.slice(must(places[end - 1]) + 1);
    return !/[\p{L}\p{N}]$/u.test(before.slice(-2)) && !/^[\p{L}\p{N}@]/u.test(after.slice(0, 2));
  });
}

/** What somebody wrote of a contact in a line: values of attributes, the reason, the ticket, and the name of a view. */
export function textsOf(values: StoredValues): string[] {
  const { reason = null, suppression, details } = (parseJson(values.summary) ?? {}) as Partial<LineSummary>;
  return [
    reason,
    suppression?.ticket ?? null,
    ...(details?.['view'] === undefined ? [] : [details['name'], details['before']]),
    ...changesIn(values).flatMap(({ before, after }) => [before, after]),
  ].flatMap(textsIn);
}

/** Others are of a subscription or a domain. */
function changesIn({ changes }: StoredValues): FieldChange[] {
  return ((parseJson(changes) ?? []) as FieldChange[]).filter(({ field }) => field.startsWith(ATTRIBUTE));
}

/** All texts in a value of JSON, but the names of its fields. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
