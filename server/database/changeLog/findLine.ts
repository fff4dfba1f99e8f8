import type { Scope } from '../scope.ts';

/**
 * The number of the first line that is not before `time` in milliseconds; that after the last one where all are before it. Found by halving:
 * times never go back. `after`: only lines after this number. Those up to a checkpoint may have gaps, so the number may be less than the line's.
 */
export async function firstLineSince(scope: Scope, time: number, lines: number, after = 0): Promise<number> {
  let [low, high] = [after + 1, lines + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const line = await scope
      .select('changes')
      .select('created_at')
      .where('number', '>=', middle)
      .orderBy('number')
      .limit(1)
      .executeTakeFirstOrThrow();
    if (line.created_at < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
