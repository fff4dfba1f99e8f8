/** Whether a number read from JSON is the one that was written there, and not merely near to it (docs/gaps.md). */
export function isExactNumber(number: number): boolean {
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER;
}
