/** Undefined if `text` is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a number read from JSON is exactly the one that was written there (docs/gaps.md). */
export function isExactNumber(number: number): boolean {
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER;
}
