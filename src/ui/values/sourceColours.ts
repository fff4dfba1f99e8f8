/** How many colours BarChart.module.css has for sources. */
const COLOURS = 8;

/**
 * The colour of each source, as the kind of its parts in a chart. It follows from the ID, whatever the counts are. If two sources shown
 * together have the same, the one with the later ID gets the next free one.
 */
export function sourceColours(ids: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Map<number, string>();
  for (const id of [...new Set(ids)].toSorted()) {
    const first = hash(id) % COLOURS;
    const order = Array.from({ length: COLOURS }, (_, at) => (first + at) % COLOURS);
    taken.set(order.find((colour) => !taken.has(colour)) ?? taken.size, id);
  }
  return new Map(Array.from(taken, ([colour, id]) => [id, `source${colour % COLOURS}`]));
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return value;
}
