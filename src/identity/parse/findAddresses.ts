// Email addresses within any text. A part of a token is never taken for one: it may be the address of somebody else.

/** A piece of a text that may name somebody. */
export type FoundPiece = {
  text: string;
  /** Whether it is one of several readings of the same letters, of which only the user knows which is meant. */
  isDoubtful?: true;
  /** A sentence about why it cannot be read; absent where it can. */
  fault?: string;
};

/** What parts a token from the text around it. Any other sign is of the token, so that none is cut within. */
const SEPARATORS = String.raw`\s()<>[\]:;,"“”„«»‹›、。「」『』【】〈〉《》`;
const TOKEN = String.raw`(?<![^${SEPARATORS}])[^${SEPARATORS}@]+@[^${SEPARATORS}]+`;
const QUOTED = String.raw`"[^"\n]{1,64}"@[^${SEPARATORS}@]+`;
/** An expression for a token with an address in it, such as `jane@example.com/bob@example.com`. It takes linear time. */
export const ADDRESS_TOKEN = `${QUOTED}|${TOKEN}`;

/** Scripts that are written without blanks, or join small words to a name: an address may stand in them without one. */
const SPACELESS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
/** Signs that programs put in place of an apostrophe, and of a hyphen. */
const APOSTROPHES = '’‘ʼʻ‛′´`';
const DASHES = '‐‑‒–−﹣';
/** What cannot follow a domain: then it is a part of a longer word. */
const GOES_ON = String.raw`[\p{L}\p{M}\p{N}\p{Cc}\ufffd\\]|[._${DASHES}-][\p{L}\p{N}]`;
const DOMAIN = new RegExp(
  String.raw`^(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}\u200c\u200d${DASHES}-]*\.)+(?:xn--[a-z\d-]{2,59}(?!${GOES_ON})|\p{Script=Latin}{2,63}(?:(?=[${SPACELESS}])|(?!${GOES_ON}))|(?:(?!\p{Script=Latin})[\p{L}\p{M}]){2,63}(?!${GOES_ON}))`,
  'iu',
);
/** RFC 5322 and 6531, with the signs above, and joiners as some scripts need them. */
const LOCAL_PART = new RegExp(
  String.raw`^[\p{L}\p{N}+_=#$%^](?:(?!\ufffd)[\p{L}\p{M}\p{N}\p{So}!#$%&'*+/=?^_{|}~.·‧\u200c\u200d${APOSTROPHES}${DASHES}-]){0,63}$`,
  'u',
);
/** Quotes, stars and the like before an address; `=cmd@…` has none, and is not cmd@…. The signs that make an emoji of another are no letters. */
const LEADING = /^(?:[^\p{L}\p{M}\p{N}+_=#$%^]|[\ufe00-\ufe0f\u20e3])+/u;
/** The Latin letters after others that may be words of a text, or after a picture. */
const TAIL = new RegExp(
  String.raw`(?!\ufffd)[${SPACELESS}\p{So}]([\p{Script=Latin}\d+_][\p{Script=Latin}\d!#$%&'*+/=?^_{|}~.-]*)$`,
  'u',
);
/** What quoted-printable text writes for a sign: it cannot be told where the address begins. */
const ENCODED_SIGN = /^=[\dA-F]{2}/;
/** Characters that are looked at for a local part, and kept of what cannot be read. */
const LOCAL_MAX = 400;
const SHOWN_MAX = 200;
const FAULT = 'This address runs into other text: put a space before and after it.';

/** The addresses in a text that `ADDRESS_TOKEN` has matched. */
export function readAddressToken(token: string): FoundPiece[] {
  if (token.startsWith('"')) return readQuoted(token);
  const pieces = token.split('@');
  const found: FoundPiece[] = [];
  let [local] = pieces as [string | null];
  let isBroken = false;
  for (const [index, piece] of pieces.entries()) {
    if (index === 0) continue;
    const domain = DOMAIN.exec(piece)?.[0] ?? null;
    const rest = piece.slice(domain?.length ?? 0);
    // The local part of the next address follows, behind a sign between the two.
    const isJoined = index < pieces.length - 1 && (domain === null || rest === '');
    const read = local === null || domain === null || isJoined ? [] : readLocalPart(local, domain);
    if (domain === null ? /^[^\s.]+\.[^\s.]/.test(piece) : read.length === 0) isBroken = true;
    found.push(...read);
    local = isJoined ? null : rest;
  }
  return isBroken ? [...found, { text: token.slice(0, SHOWN_MAX), fault: FAULT }] : found;
}

function readQuoted(token: string): FoundPiece[] {
  const start = token.lastIndexOf('@') + 1;
  const domain = DOMAIN.exec(token.slice(start))?.[0];
  return domain === undefined ? [] : [{ text: token.slice(0, start) + domain }];
}

/** The address with this local part; two readings where its first letters may be words before it. */
function readLocalPart(written: string, domain: string): FoundPiece[] {
  const local = written.slice(-LOCAL_MAX).replace(LEADING, '');
  if (ENCODED_SIGN.test(local)) return [];
  const tail = TAIL.exec(local)?.[1];
  const whole = LOCAL_PART.test(local) ? [{ text: `${local}@${domain}` }] : [];
  if (tail === undefined || tail.length > 64) return whole;
  return [...whole, { text: `${tail}@${domain}` }].map((piece) => ({ ...piece, isDoubtful: true }));
}

const APOSTROPHE = new RegExp(`[${APOSTROPHES}]`, 'g');
const DASH = new RegExp(`[${DASHES}]`, 'g');

/** An address with the plain apostrophes and hyphens that programs replace: `o’brien@…` as `o'brien@…`. */
export const toPlainAddress = (address: string): string => address.replaceAll(APOSTROPHE, "'").replaceAll(DASH, '-');
