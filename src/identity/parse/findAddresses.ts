// Email addresses in any text. A part of a token is never one: it may be someone else's address.

export type FoundPiece = {
  text: string;
  /** One of several readings of the same letters: ask. */
  isDoubtful?: true;
  /** Why it can't be read. */
  fault?: string;
};

const SEPARATORS = String.raw`\s()<>[\]:;,"“”„«»‹›、。「」『』【】〈〉《》`;
const TOKEN = String.raw`(?<![^${SEPARATORS}])[^${SEPARATORS}@]+@[^${SEPARATORS}]+`;
const QUOTED = String.raw`"[^"\n]{1,64}"@[^${SEPARATORS}@]+`;
/** An expression for a token such as `jane@example.com/bob@example.com`. It takes linear time. */
export const ADDRESS_TOKEN = `${QUOTED}|${TOKEN}`;

/** Scripts without spaces, or with suffixed particles: an address may follow directly. */
const SPACELESS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
/** What programs write instead of an apostrophe or a hyphen. */
const APOSTROPHES = '’‘ʼʻ‛′´`';
const DASHES = '‐‑‒–−﹣';
/** Can't follow a domain: it's part of a longer word. */
const GOES_ON = String.raw`[\p{L}\p{M}\p{N}\p{Cc}\ufffd\\]|[._${DASHES}-][\p{L}\p{N}]`;
const DOMAIN = new RegExp(
  String.raw`^(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}\u200c\u200d${DASHES}-]*\.)+(?:xn--[a-z\d-]{2,59}(?!${GOES_ON})|\p{Script=Latin}{2,63}(?:(?=[${SPACELESS}])|(?!${GOES_ON}))|(?:(?!\p{Script=Latin})[\p{L}\p{M}]){2,63}(?!${GOES_ON}))`,
  'iu',
);
/** RFC 5322 and 6531, with the characters above and joiners. */
const LOCAL_PART = new RegExp(
  String.raw`^[\p{L}\p{N}+_=#$%^](?:(?!\ufffd)[\p{L}\p{M}\p{N}\p{So}!#$%&'*+/=?^_{|}~.·‧\u200c\u200d${APOSTROPHES}${DASHES}-]){0,63}$`,
  'u',
);
/** Quotes, stars and the like before an address; `=cmd@…` isn't cmd@…. */
const LEADING = /^(?:[^\p{L}\p{M}\p{N}+_=#$%^]|[\ufe00-\ufe0f\u20e3])+/u;
/** Latin letters after an emoji, or after others that may be words. */
const TAIL = new RegExp(
  String.raw`(?!\ufffd)[${SPACELESS}\p{So}]([\p{Script=Latin}\d+_][\p{Script=Latin}\d!#$%&'*+/=?^_{|}~.-]*)$`,
  'u',
);
/** Quoted-printable: the address may begin anywhere. */
const ENCODED_SIGN = /^=[\dA-F]{2}/;
/** Characters searched for a local part, and shown. */
const LOCAL_MAX = 400;
const SHOWN_MAX = 200;
const FAULT = 'This address runs into other text: put a space before and after it.';

/** The addresses in a match of `ADDRESS_TOKEN`. */
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
    // The local part of the next address follows, after a separator.
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

/** Two readings if its first letters may be words. */
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

/** `o’brien@…` as `o'brien@…`. */
export const toPlainAddress = (address: string): string => address.replaceAll(APOSTROPHE, "'").replaceAll(DASH, '-');
