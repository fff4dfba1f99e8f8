/** What stands before an address in a line: the signs of a quotation, and blanks. */
const MARGIN = /^[>\s]*/;
/** The last word of a line, where an address may go on behind its sign. `=` is the soft break of quoted-printable text. */
const OPEN_END = /(?:^|[\s()<>[\]:;,"“„«‹])([\p{L}\p{N}][\p{L}\p{N}._+-]{0,63}[._+=-])$/u;
/** A number in a list, such as `1.`. */
const NUMBER = /^\d+\.$/;
/** An address that is not closed, or that a soft break ends: the rest is in the next line. */
const BROKEN_END = /<[^<>\s]{0,200}$|[^<>\s@]{1,64}@[^<>\s@]{0,200}=$/;
/** Several words with a full stop at their end: a sentence, where nothing breaks a line so short. */
const SENTENCE = /\S\s+\S*\.$/;
/** Characters of a line; mail programs break lines at 65 to 80. */
const BROKEN_MIN = 60;
/** Lines that an address is broken into. */
const PARTS_MAX = 10;
/** Characters at the end of a line that are compared with the expressions above. */
const END_MAX = 300;

/** The lines with the rest of an address that is broken, in angle brackets or by soft breaks, behind its beginning. */
export function joinBrokenAddresses(lines: readonly string[]): string[] {
  const joined = [...lines];
  for (const [index, line] of joined.entries()) {
    let start = line;
    for (let below = index + 1; below < index + PARTS_MAX; below += 1) {
      const [rest, left] = takeRest(start, joined[below] ?? '') ?? [];
      if (rest === undefined || left === undefined) break;
      start = start.replace(/=$/, '') + rest;
      joined[below] = left;
      if (left.trim() !== '') break;
    }
    joined[index] = start;
  }
  return joined;
}

/** The rest of the address that is broken at the end of `line`, and what is left of the line below. */
function takeRest(line: string, below: string): [rest: string, left: string] | null {
  const [start] = BROKEN_END.exec(line.slice(-END_MAX)) ?? [];
  if (start === undefined) return null;
  const [margin = ''] = MARGIN.exec(below) ?? [];
  const text = below.slice(margin.length);
  const [rest] = (start.startsWith('<') ? /^[^<>\s]{0,200}>/ : /^[^<>\s]{1,200}/).exec(text) ?? [];
  return rest !== undefined && (start + rest).includes('@') ? [rest, margin + text.slice(rest.length)] : null;
}

/**
 * The line with the end of the one above before it, where the address at its start may be only the end of one that was broken there:
 * `long.` above `name@example.org`. Null where it is not. Letters alone do not tell: nearly all lines end in them.
 */
export function withLineAbove(above: string, line: string): string | null {
  const text = line.replace(MARGIN, '');
  const [, start = ''] = OPEN_END.exec(above.slice(-END_MAX)) ?? [];
  if (start === '' || NUMBER.test(start) || isSentence(above) || !/^[\p{L}\p{N}][^\s@<>()",;:]*@/u.test(text))
    return null;
  return start.replace(/=$/, '') + text;
}

function isSentence(line: string): boolean {
  const text = line.replace(MARGIN, '');
  return text.length < BROKEN_MIN && SENTENCE.test(text);
}
