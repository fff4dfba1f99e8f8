// How programs write the characters of an address where it would mean something else: in a link, a page, a mail or a program.

/** Names that HTML has for characters of ASCII. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  commat: '@',
  gt: '>',
  hyphen: '-',
  lowbar: '_',
  lpar: '(',
  lt: '<',
  nbsp: ' ',
  num: '#',
  percnt: '%',
  period: '.',
  plus: '+',
  quot: '"',
  rpar: ')',
  sol: '/',
};

const LAST_CHARACTER = 0x10ffff;
const toCharacter = (code: number) => (code <= LAST_CHARACTER ? String.fromCodePoint(code) : '');

/** The text of bytes in UTF-8, of which `digits` has two hexadecimal digits each. */
const toText = (digits: string) => Buffer.from(digits, 'hex').toString('utf8');

/** Each takes one kind of escapes away. */
const DECODERS: readonly ((text: string) => string)[] = [
  // Of a link: "%40".
  (text) => text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) => toText(bytes.replaceAll('%', ''))),
  // Of HTML: "&#64;", "&#x40;", "&commat;".
  (text) =>
    text
      .replaceAll(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi, (_, hex?: string, decimal?: string) =>
        toCharacter(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
      )
      .replaceAll(/&([a-z]+);/gi, (whole, name: string) => NAMED[name.toLowerCase()] ?? whole),
  // Of a mail (quoted-printable): "=40", and "=" at the end of a line that goes on.
  (text) =>
    text
      .replaceAll(/=[ \t]*\r?\n/g, '')
      .replaceAll(/(?:=[0-9a-f]{2})+/gi, (bytes) => toText(bytes.replaceAll('=', ''))),
  // Of a program: "\u0040", "\x40".
  (text) =>
    text.replaceAll(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (_, long?: string, short = '') =>
      String.fromCharCode(Number.parseInt(long ?? short, 16)),
    ),
  // Of people: "(at)", "[dot]". Few spaces, so that a text of spaces takes no long time.
  (text) => text.replaceAll(/\s{0,2}(?:\(at\)|\[at\]|\{at\})\s{0,2}/gi, '@'),
  (text) => text.replaceAll(/\s{0,2}(?:\(dot\)|\[dot\]|\{dot\})\s{0,2}/gi, '.'),
];

/** Each text with an escape that `DECODERS` know has one of these. */
const MAY_BE_ESCAPED = /[%&=\\([{]/;

/** How often something may be escaped: in a link that is in another, or in HTML. */
const ROUNDS = 2;

/** At most so many readings of a text. */
export const READINGS_MAX = 1 + DECODERS.length + DECODERS.length ** ROUNDS;

/** `text` as it is, and as it is without escapes of each kind, also of two kinds one within the other. */
export function* readingsOf(text: string): Generator<string> {
  yield text;
  if (!MAY_BE_ESCAPED.test(text)) return;
  const known = new Set([text]);
  let latest = [text];
  for (let round = 0; round < ROUNDS; round++) {
    const next: string[] = [];
    for (const reading of latest) {
      for (const decode of DECODERS) {
        const decoded = decode(reading);
        if (known.has(decoded)) continue;
        known.add(decoded);
        next.push(decoded);
        yield decoded;
      }
    }
    latest = next;
  }
}
