/** Characters. */
const END_MAX = 300;
const MARGIN = /^[>\s]*/;

/** An address that may be broken by a line end: ask. */
export function joinBroken(above: string, below: string): string | null {
  const start = /(?<![^\s,;|()])[^\s,;|()]*$/.exec(above.slice(-END_MAX).trimEnd())?.[0] ?? '';
  const end = /^[^\s,;|()]*/.exec(below.replace(MARGIN, '').slice(0, END_MAX))?.[0] ?? '';
  if (!/[\p{L}\p{N}]/u.test(start) || end === '' || /^\d+\.$/.test(start)) return null;
  const joined = start.replace(/=$/, '') + end;
  if (!/^<?[^@<>]+@[^@<>]+\.[^@<>]+>?$/.test(joined)) return null;
  const areAlone = above.trim() === start && below.trim() === end;
  const isOpen = /[._+=-]$/.test(start) || /^[._+=-]/.test(end) || (areAlone && end.startsWith('@'));
  if (!start.includes('@')) return isOpen && end.includes('@') ? joined : null;
  // A sentence begins.
  if (/^\p{Lu}\p{Ll}/u.test(end)) return null;
  const [, domain = ''] = start.split('@');
  const isUnfinished = !domain.includes('.') || (start.startsWith('<') && !start.endsWith('>'));
  return (isOpen || isUnfinished) && /^[\p{L}\p{N}.-]+>?$/u.test(end) ? joined : null;
}
