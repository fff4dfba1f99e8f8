const STRING_MAX = 255;
const END_SHOWN = 12;

/** Facts about `text`, with which `whole` begins. `value` is what has to be entered. */
export function measureCut(
  text: string,
  whole: string,
  value = whole,
): { kept: number; of: number; end: string; strings: number } {
  const strings = Math.ceil(Buffer.byteLength(value) / STRING_MAX);
  return { kept: text.length, of: whole.length, end: text.slice(-END_SHOWN), strings };
}

/** Whether `text` is the end of `whole` and then its beginning: its strings were entered in the wrong order. */
export function isRotated(text: string, whole: string): boolean {
  return (
    text !== whole && text.length >= STRING_MAX && text.length === whole.length && `${whole}${whole}`.includes(text)
  );
}
