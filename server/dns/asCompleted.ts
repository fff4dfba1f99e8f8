export async function* asCompleted<Value>(promises: readonly Promise<Value>[]): AsyncGenerator<Value, void, void> {
  const waiting = new Map(promises.map((promise, key) => [key, promise.then((value) => ({ key, value }))]));
  while (waiting.size > 0) {
    const { key, value } = await Promise.race(waiting.values());
    waiting.delete(key);
    yield value;
  }
}
