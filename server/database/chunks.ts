/** `items` in portions, so that no statement carries more values than a database takes. */
export function* chunks<Item>(items: readonly Item[], size: number): Iterable<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
