// Macros of SPF records (RFC 7208, section 7).

type Macro = {
  letter: string;
  labels: number | null;
  isReversed: boolean;
  delimiters: string;
  /** Whether the letter is in upper case: characters that are reserved in URLs are then escaped. */
  isEscaped: boolean;
};

export type MacroString = readonly (string | Macro)[];

const MACRO = /%(?:\{([slodiphcrtv])(\d*)(r?)([-.+,/_=]*)\}|([%_-]))/gi;
const SINGLE: Readonly<Record<string, string>> = { '%': '%', _: ' ', '-': '%20' };

/** Parses a macro string; null when it has an invisible character, or a "%" that begins no macro. */
export function parseMacroString(text: string): MacroString | null {
  if (!/^[!-~]*$/.test(text) || text.replaceAll(MACRO, '').includes('%')) return null;
  const parts: (string | Macro)[] = [];
  let end = 0;
  for (const match of text.matchAll(MACRO)) {
    const [whole, letter, digits = '', reversed = '', delimiters = '', single = ''] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + whole.length;
    if (letter === undefined) {
      parts.push(SINGLE[single] ?? '');
      continue;
    }
    const labels = digits === '' ? null : Number(digits);
    if (labels === 0) return null;
    const isEscaped = letter !== letter.toLowerCase();
    const isReversed = reversed !== '';
    parts.push({
      letter: letter.toLowerCase(),
      labels,
      isReversed,
      delimiters: [...new Set(delimiters || '.')].join(''),
      isEscaped,
    });
  }
  return [...parts, text.slice(end)];
}

export function lettersOf(macros: MacroString): string[] {
  return macros.flatMap((part) => (typeof part === 'string' ? [] : [part.letter]));
}

/** Null when a value is not known. Stops on the left after more than `enough` characters. */
export function expand(macros: MacroString, values: ReadonlyMap<string, string>, enough: number): string | null {
  if (!lettersOf(macros).every((letter) => values.has(letter))) return null;
  let text = '';
  for (const part of macros.toReversed()) {
    if (text.length > enough) break;
    text = `${typeof part === 'string' ? part : valueOf(part, values.get(part.letter) ?? '')}${text}`;
  }
  return text;
}

function valueOf({ labels, isReversed, delimiters, isEscaped }: Macro, whole: string): string {
  const pieces: string[] = [''];
  for (const char of whole) {
    if (delimiters.includes(char)) pieces.push('');
    else pieces.push((pieces.pop() ?? '') + char);
  }
  if (isReversed) pieces.reverse();
  const value = pieces.slice(labels === null ? 0 : -labels).join('.');
  return isEscaped ? escaped(value) : value;
}

/** All but the unreserved characters of RFC 3986. */
function escaped(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
