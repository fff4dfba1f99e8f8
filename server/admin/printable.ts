/** `text` as it may appear on a terminal: without characters that steer it or that nobody sees, and not endless. */
export function printable(text: string, max = 80): string {
  const safe = text.replaceAll(/\p{C}/gu, '\ufffd');
  return safe.length > max ? `${safe.slice(0, max - 1)}…` : safe;
}
