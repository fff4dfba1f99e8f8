/** `From jane@example.com Mon Jan  1 00:00:00 2024`, at the start or after an empty line. */
const FIRST_LINE = /(?<=^|\n\r?\n)From \S+ .{10,60}\d{4}[^\n]*\n?/g;

/** The mails of a mailbox file (RFC 4155), or the only one. */
export function splitMailbox(source: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  // One byte per character.
  const lines = [...new TextDecoder('windows-1252').decode(source).matchAll(FIRST_LINE)];
  if (lines[0]?.index !== 0) return [source];
  return lines.map(({ index, 0: { length } }, at) => source.slice(index + length, lines[at + 1]?.index));
}
