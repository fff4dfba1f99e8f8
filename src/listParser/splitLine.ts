const WITH_COMMAS = /^\d[\d.,]*(?:E\+?\d+)?$/i;
/** `Doe, Jane <jane@example.com>` in Outlook. */
const LAST_NAME_FIRST = /^\s*\p{Lu}[^,<>@"]{0,60},\s[^,<>@"]{1,60}<[^<>\s]+>\s*$/u;

/** Splits at commas, semicolons, tabs and bars outside quotes and angle brackets, in linear time. */
export function splitLine(line: string): string[] {
  const parts = splitAt(line, ';\t|');
  return parts
    .flatMap((part) =>
      WITH_COMMAS.test(part.trim()) || (parts.length > 1 && LAST_NAME_FIRST.test(part)) ? [part] : splitAt(part, ','),
    )
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
}

function splitAt(text: string, separators: string): string[] {
  const parts: string[] = [];
  const isUnclosed = { '"': false, '>': false };
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (separators.includes(sign)) {
      parts.push(text.slice(start, at));
      start = at + 1;
    } else if (sign === '"' || sign === '<') {
      const close = sign === '<' ? '>' : '"';
      const end = isUnclosed[close] ? -1 : text.indexOf(close, at + 1);
      if (end < 0) isUnclosed[close] = true;
      else at = end;
    }
  }
  return [...parts, text.slice(start)];
}
