/** The tags of a DKIM key in order, or why receivers cannot parse it, as the end of a sentence. */
type DkimRecord = { tags: ReadonlyMap<string, string> } | { what: string };

const TAG = /^[ \t\r\n]*([a-z]\w*)[ \t\r\n]*=([^]*)$/i;
/** A tag inside the value of another one. */
const GLUED = /([ ,:]) ?([vkhstp]) ?= ?[^ =]/;
const SHOWN_MAX = 30;
const KEY_MIN = 100;

/** Parses the text at a DKIM selector (RFC 6376, sections 3.2 and 3.6.1). */
export function readDkim(text: string): DkimRecord {
  const other = /^[ \t]*v[ \t]*=[ \t]*(spf1|dmarc1)\b/i.exec(text)?.[1]?.toLowerCase();
  if (other !== undefined) return { what: `it is ${other === 'spf1' ? 'an SPF' : 'a DMARC'} record` };
  const tags = new Map<string, string>();
  for (const piece of text.split(';')) {
    if (/^[ \t\r\n]*$/.test(piece)) continue;
    const [, tag = '', written = ''] = TAG.exec(piece) ?? [];
    if (tag === '') return { what: untagged(piece) };
    const value = written.replaceAll(/[ \t\r\n]+/g, ' ').trim();
    const [, separator = '', next = ''] = (tag === 'n' ? null : GLUED.exec(value)) ?? [];
    if (next !== '') {
      const there = separator.trim() === '' ? 'is missing' : `is written as "${separator}"`;
      return { what: `the ";" before "${next}=" ${there}` };
    }
    if (tags.has(tag)) return { what: `"${tag}=" is there twice` };
    tags.set(tag, value);
  }
  if (tags.has('p')) return { tags };
  return { what: tags.has('P') ? 'tags must be in lower case, and "P=" is not' : '"p=" with the key is missing' };
}

function untagged(piece: string): string {
  const written = piece.trim();
  if (written.length >= KEY_MIN && /^[a-z0-9+/=\s]+$/i.test(written)) return 'there is no "p=" before the key';
  return `"${written.length > SHOWN_MAX ? `${written.slice(0, SHOWN_MAX)}…` : written}" is no tag with a value`;
}
