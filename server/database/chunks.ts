/** Splits `items` into arrays of at most `size`, because a database limits the values of one statement. */
export function* chunks<Item>(items: readonly Item[], size: number): Iterable<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
