/** Splits `items` into arrays of at most `size`, because a database limits the values of one statement. Each is taken when it is its turn. */
export function* chunks<Item>(items: Iterable<Item>, size: number): Iterable<Item[]> {
  let chunk: Item[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
