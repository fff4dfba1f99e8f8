// Characters by which word processors, chat programs and web pages replace the ASCII characters of a record.

const BLANKS = /\r\n|[\t\n\v\f\r\u2800\u{dca0}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
const DOUBLE_QUOTES = /[\u00ab\u00bb\u201c-\u201f\u2033\u2036\u301d-\u301f\uff02\u{dc93}\u{dc94}]/gu;
const SINGLE_QUOTES = /[\u00b4\u2018-\u201b\u2032\u2035\uff07\u{dc91}\u{dc92}]/gu;
const DASHES = /(?!-)[\p{Pd}\u2212\u{dc96}\u{dc97}]/gu;
const WITHOUT_WIDTH = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u{dcad}]/gu;
const FULL_WIDTH = /[\uff01-\uff5e]/gu;
const WIDTH = 0xfee0;

const PLAIN = /^[ -~]*$/;

export function isPlainText(text: string): boolean {
  return PLAIN.test(text);
}

/** Restores the ASCII characters. Other blanks, tabs and line breaks become `blank`. */
export function plainText(text: string, blank: ' ' | '' = ' '): string {
  return text
    .replaceAll(BLANKS, blank)
    .replaceAll(DOUBLE_QUOTES, '"')
    .replaceAll(SINGLE_QUOTES, "'")
    .replaceAll(DASHES, '-')
    .replaceAll(WITHOUT_WIDTH, '')
    .replaceAll(FULL_WIDTH, (char) => String.fromCharCode(char.charCodeAt(0) - WIDTH));
}

export function withoutQuotes(text: string): string {
  const bare = withoutOuterBlanks(text.replaceAll('\\', ''));
  return withoutOuterBlanks(without(QUOTES, bare).replaceAll(/" *"/g, ''));
}

export function withoutOuterBlanks(text: string): string {
  return without(' ', text);
}

const QUOTES = '"\'`';

/** Not a regular expression, which would take quadratic time here. */
function without(characters: string, text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && characters.includes(text.charAt(from))) from++;
  while (to > from && characters.includes(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}
