import { seededRandom } from '../server/demo/seededRandom.ts';
import { median, quantile } from './generateLoad.ts';
import type { BenchmarkRow } from './table.ts';

/** One call of a list. `draw`, from 0 to 1, differs each time, so that not always the same page is read. */
export type Call = (draw: number) => Promise<unknown>;

/**
 * A page at `depth`, 0 the first and 1 the last. Pages in the middle are drawn from a fifth of the list, so that they
 * are not all cached.
 */
export function pageAt(depth: number, lastPage: number, draw: number): number {
  const shift = depth === 0.5 ? (draw - 0.5) / 5 : 0;
  return Math.max(1, Math.round(lastPage * (depth + shift)));
}

const WARM_UP = 30;

/**
 * How a call grows with the data: `calls` are the same on more and more of it. They alternate between the sizes, so
 * that other work on the machine affects all. Compares median and p99 of the last with those of the first.
 */
export async function measureGrowth(what: string, calls: readonly Call[], rounds: number): Promise<BenchmarkRow> {
  const random = seededRandom(7);
  const times: number[][] = calls.map(() => []);
  for (let round = -WARM_UP; round < rounds; round++) {
    const draw = random.next();
    for (const [index, call] of calls.entries()) {
      const start = performance.now();
      await call(draw);
      if (round >= 0) times[index]?.push((performance.now() - start) * 1000);
    }
  }
  const measured = [median, (all: number[]) => quantile(all, 0.99)].map((of) => {
    const each = times.map(of);
    return `${each.map((time) => time.toFixed(0)).join(' -> ')} µs, x ${((each.at(-1) ?? 0) / (each[0] ?? 0)).toFixed(2)}`;
  });
  return [what, `median ${measured.join('; p99 ')}`, 'x 1.5; p99 x 2'];
}
