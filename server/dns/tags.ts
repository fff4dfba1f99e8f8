/** The `tag=value` list of a DKIM or DMARC record; null when it is none, or when a tag is there twice. */
export function parseTags(text: string): Map<string, string> | null {
  const tags = new Map<string, string>();
  for (const piece of text.split(';')) {
    if (piece.trim() === '') continue;
    const [, tag = '', value = ''] = /^\s*([a-z]\w*)\s*=(.*)$/is.exec(piece) ?? [];
    if (tag === '' || tags.has(tag)) return null;
    tags.set(tag, value.trim());
  }
  return tags;
}
