import { findIdentities, type IdentityMatch } from '../identity/parse/findIdentities.ts';
import { isCustomId } from '../identity/customIds.ts';
import {
  type IdentityField,
  parseIdentity,
  type ParsedIdentity,
  readContactLink,
  removeInvisible,
  stripBullet,
} from '../identity/parse/parseIdentity.ts';
import { foldText } from '#contract/words/foldText.ts';
import { isHeadingWord } from './headings.ts';
import { isPlainAddress } from './identityKind.ts';
import { saysStay } from '#contract/words/stateWords.ts';

export type Piece = {
  line: number;
  text: string;
  /** A column or a header; null for a line of text. */
  source: string | null;
  reading: ParsedIdentity;
  /** Why it begins unselected; null if its form is certain. */
  leftOut: string | null;
  /** The cells of its row that are asked about. */
  answers?: readonly string[] | undefined;
};

export const IN_MESSAGE = 'Mentioned in a message';
export const BROKEN = 'May be one address, broken by a line end';
export const UNDECIDED = 'Choose the column first';
export const UNANSWERED = 'Choose who is meant first';
const OF_TEXT = 'The text says';
const OF_REQUEST = 'Read what they ask for:';
const OF_COMMENT = 'Comment in';
const REQUEST_MAX = 300;
/** `lines`: text among the entries, which may be about them. */
export const describeText = (lines: readonly string[]): string =>
  `${OF_TEXT} ${lines.map((line) => `“${line.slice(0, SHOWN_MAX)}”`).join(', ')}`;
export const isOfText = (leftOut: string): boolean => leftOut.startsWith(OF_TEXT);
/** `text`: of the message, without quotations. */
export function describeRequest(text: string): string {
  const plain = text.trim().replaceAll(/\s+/g, ' ');
  if (plain === '') return `${OF_REQUEST} nothing is written`;
  return `${OF_REQUEST} “${plain.slice(0, REQUEST_MAX)}${plain.length > REQUEST_MAX ? '…' : ''}”`;
}
/** Whether an entry is mentioned in a message, or wrote it. */
export const isOfMessage = (leftOut: string): boolean => leftOut === IN_MESSAGE || leftOut.startsWith(OF_REQUEST);
export const describeComment = (heading: string, cell: string): string =>
  `${OF_COMMENT} “${heading}”: “${cell.trim().slice(0, SHOWN_MAX)}”`;
export const isOfComment = (leftOut: string): boolean => leftOut.startsWith(OF_COMMENT);
export const describeDisagreement = (lines: readonly number[]): string =>
  `Lines ${lines.slice(0, -1).join(', ')} and ${lines.at(-1)} disagree`;
const NO_DOT = 'Its domain has no dot';
const ALPHABETS = 'Mixes letters of different alphabets';
const HASH = 'a hash, a UUID without hyphens or an ID';
const EXTENSION = 'The extension may be someone else’s';
const UNUSUAL = 'Has unusual characters for an address';
const TURNED = 'Has characters that reverse its letters';
export const MAY_BE_ID = 'May be an ID, or something else';

const fault = (text: string): ParsedIdentity => ({ ok: false, fault: text });
export const NOT_WHOLE = fault('This isn’t a single email, phone number or ID.');
const EMPTY_VALUE =
  /^(?:[^\p{L}\p{N}]*|#?n\/?a!?|null|none|nil|undefined|unknown|empty|keine?|unbekannt|leer|k\. ?a\.?|n\. ?[av]\.?|keine angaben?|not specified|non renseign[ée]|sin datos?|[sn]\/d|n\.[cd]\.?|#\p{L}+(?:\/0)?[!?])$/iu;
export const isEmptyValue = (text: string): boolean => EMPTY_VALUE.test(text.trim());

/** MD5 or a UUID, SHA-1, SHA-256, SHA-512. */
const HASH_DIGITS = /^(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64}|[\da-f]{128})$/i;

const NUMBERING = /^\d{1,4}[.)]\s+(?=\S)/;
const LABEL = /^([^:=@<>"]{1,40})(?::\s+|\s?=\s?)(?=\S)/;
const LINKED = /^(?:\[([^[\]\s]+)\]\(mailto:\1\)|<mailto:([^<>|\s]+)\|\2>)$/i;
const RECIPIENTS = /^(?:to|cc|bcc)$/i;
/** Perhaps in brackets or quotes, as a mail link, or with a comment. */
const ADDRESS =
  /^(?:[<("'[{`“‘«]*[<("])?[^\s<>@"()]+@(?:\[[^\s[\]]+\]|[^\s<>@"()?:]+(?![^\s<>@"()?:]))[>)"'\]}`”’»]*[.,;:!]*(?:\s*\([^()]*\))?$/;
const CORE = /(?<![^\s<>"`“”‘«»(){}[\],;:?])[^\s<>"`“”‘«»(){}[\],;:?]+@[^\s<>"`“”‘«»(){}[\],;:?]+/;
/** Without quotes, brackets and other syntax. */
const OWN_ID = /^#?[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}._:/|*~+#-]*[\p{L}\p{M}\p{N}])?[.,;]?$/u;
export const DATE = /^\d{1,4}([./-])\d{1,2}\1\d{1,4}[.,;]?$/;
/** Other characters come from masks, escapes and patches. */
const USUAL_LOCAL_PART = /^(?:"|[\p{L}\p{M}\p{N}_'][\p{L}\p{M}\p{N}._+'’=&~-]*@)/u;
const QUOTED_LOCAL_PART = /^"[^"]{1,64}"@[^\s@]+$/;
const NAMED = /^([^<>]*[^<>\s])\s*<[^<>\s]+>[.,;]*$/;
const QUOTED = /^(?:"[^"]*"|'[^']*'|“[^”]*”)$/;
/** `Jane Doe`, `Jan van der Berg`. A sentence has lower-case words. */
const NAME_WORD =
  /^(?:["'“(]*\p{Lu}[^:]*$|\p{Lo}[^:]*$|(?:von|van|de|der|den|da|del|della|di|du|la|le|el|al|bin|ter|zu|und|and|&)$)/u;
const NAME_WORDS_MAX = 4;
const LENGTH_MAX = 1000;
const SHOWN_MAX = 200;
export const isName = (text: string) => {
  const words = text.split(/\s+/);
  return words.length <= NAME_WORDS_MAX && words.every((word) => NAME_WORD.test(word));
};
const isInstruction = (name: string) => saysStay(foldText(name.replaceAll(/["'“”]/g, '')));
/** Among mailboxes: the name of someone whose address is missing, also in Exchange notation. */
export const isFullName = (text: string): boolean =>
  (/^\p{L}[\p{L}\s.'’-]*$/u.test(text) && /\s/.test(text) && isName(text)) || /^\/o=\S+$/i.test(text);

export function stripMarker(text: string, identityField: IdentityField): string {
  const bare = stripBullet(text.trim().replace(/^(?:>\s*)+/, ''))
    .replace(NUMBERING, '')
    .replace(LINKED, '$1$2');
  const [label = '', name = ''] = LABEL.exec(bare) ?? [];
  return label !== '' && (RECIPIENTS.test(name) || isHeadingWord(name, identityField))
    ? bare.slice(label.length)
    : bare;
}

type WholeReading = { text: string; reading: ParsedIdentity; leftOut: string | null };

/**
 * Reads a piece as a single identity. Any other text is unreadable, even if it contains one. `isOwnId`: its column or list has custom
 * identities.
 */
export function readWhole(text: string, identityField: IdentityField, isOwnId = false): WholeReading {
  const visible = removeInvisible(text);
  const whole = readVisible(stripMarker(visible, identityField), identityField, isOwnId);
  // Unreadable text is shown unchanged.
  if (visible !== text && !whole.reading.ok) return { ...whole, text: text.trim().slice(0, LENGTH_MAX) };
  const isTurned = visible !== text && /\S[\u202a-\u202e]+\S/.test(text);
  return isTurned ? { ...whole, leftOut: TURNED } : whole;
}

function readVisible(bare: string, identityField: IdentityField, isOwnId: boolean): WholeReading {
  const unread = { text: bare, reading: NOT_WHOLE, leftOut: null };
  if (isPlainAddress(bare)) return { text: bare, reading: parseIdentity(bare, identityField), leftOut: null };
  if (bare.length > LENGTH_MAX) return { ...unread, text: `${bare.slice(0, SHOWN_MAX)}…` };
  if (isEmptyValue(bare)) return { ...unread, reading: fault('There’s no value here.') };
  const [only, ...others] = findIdentities(bare, identityField, true, isOwnId);
  if (only === undefined) return unread;
  const { reading } = only;
  if (!reading.ok) return { ...unread, reading };
  if (others.length > 0 || !isFullForm(bare, only, identityField, isOwnId)) return unread;
  if (reading.kind === 'email') return { text: bare, reading, leftOut: doubtAddress(reading.values[0] ?? '') };
  if (reading.kind === 'phone' && digitsOf(bare) !== digitsOf(reading.values[0] ?? ''))
    return { text: bare, reading, leftOut: EXTENSION };
  if (HASH_DIGITS.test(bare)) return { text: bare, reading: { ...reading, as: HASH }, leftOut: `May be ${HASH}` };
  return {
    text: bare,
    reading,
    leftOut: reading.kind === 'custom' && !isOwnId && !isCustomId(bare) ? MAY_BE_ID : null,
  };
}

const digitsOf = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[.,]0{1,2}$/, '')
    .replaceAll(/\D/g, '');

/** Full-width characters come from East Asian keyboards. */
const toUsualWidth = (text: string) => text.replaceAll(/[\uff01-\uff5e]/g, (sign) => sign.normalize('NFKC'));

function isFullForm(
  written: string,
  { reading, isDoubtful }: IdentityMatch,
  identityField: IdentityField,
  isOwnId: boolean,
): boolean {
  if (!reading.ok || isDoubtful) return false;
  const text = toUsualWidth(written);
  if (readContactLink(text) !== null) return true;
  if (reading.kind === 'custom') return OWN_ID.test(text) && (isOwnId || !DATE.test(text));
  if (reading.kind !== 'email') {
    const whole = parseIdentity(text.replace(/(?<![.,;])[.,;]+$/, ''), identityField, isOwnId);
    return whole.ok && whole.kind === reading.kind;
  }
  const [address = ''] = reading.values;
  if (/^\.|\.@|\.\./.test(address) || /(?<!\W)\W+$/.exec(text)?.[0].includes('..') === true) return false;
  const [, name] = NAMED.exec(text) ?? [];
  if (name !== undefined) {
    const isTitle = QUOTED.test(name) || isName(name) || reading.values.includes(name.toLowerCase());
    const other = CORE.exec(name)?.[0]
      .replaceAll(/^'+|(?<!')'+$/g, '')
      .toLowerCase();
    return isTitle && !isInstruction(name) && (other === undefined || reading.values.includes(other));
  }
  const comment = /\s\(([^()]*)\)$/.exec(text)?.[1];
  if (comment !== undefined && (!isName(comment) || isInstruction(comment))) return false;
  // Characters before an address may belong to it.
  const core = CORE.exec(text)?.[0]
    .replaceAll(/^'+|(?<!['.!])['.!]+$/g, '')
    .toLowerCase();
  if (core !== undefined && !reading.values.includes(core.normalize('NFC'))) return false;
  return (
    ADDRESS.test(/^mailto:/i.test(text) ? text.replace(/\?.*$/s, '') : text) ||
    QUOTED_LOCAL_PART.test(text) ||
    /\(at\)|\[at\]/i.test(text)
  );
}

function doubtAddress(address: string): string | null {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  if (!domain.includes('.')) return NO_DOT;
  if (!USUAL_LOCAL_PART.test(address)) return UNUSUAL;
  if (/^[\0-\x7f]*$/.test(address)) return null;
  const words = address.split(/[^\p{L}\p{M}]+/u);
  return words.some(mixesAlphabets) ? ALPHABETS : null;
}

const mixesAlphabets = (word: string) =>
  [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u].filter((script) => script.test(word)).length > 1;

/** Words without an identity may be about the others. */
export const hasWords = ({ text, reading }: WholeReading): boolean =>
  !reading.ok && !isEmptyValue(text) && (/\s/.test(text) || !/[\d@]/.test(text));
