/** Whether a number read from JSON is exactly the one that was written there (docs/gaps.md). */
export function isExactNumber(number: number): boolean {
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER;
}
