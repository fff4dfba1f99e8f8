const TEXTS_MAX = 64;

/** Caches the results of `read` for the latest texts: one judgement parses the same records many times. */
export function memoizeByText<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, { result: T }>();
  return (text) => {
    const kept = known.get(text) ?? { result: read(text) };
    known.delete(text);
    known.set(text, kept);
    const [oldest] = known.keys();
    if (known.size > TEXTS_MAX && oldest !== undefined) known.delete(oldest);
    return kept.result;
  };
}
