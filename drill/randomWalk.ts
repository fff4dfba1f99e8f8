import type { Drill, DrillResult } from './drill.ts';
import { runBrowserTests } from './runBrowserTests.ts';

const MINUTES = 4;
const SEEDS = [1, 2, 3];

export const randomWalk: Drill = {
  name: 'random-walk',
  description: `somebody walks about in the console at random for ${MINUTES} minutes, ${SEEDS.length} times, and one call of five fails`,
  minutesMax: SEEDS.length * MINUTES + 15,
  async *run(folder) {
    for (const seed of SEEDS) yield await walk(folder, seed);
  },
};

async function walk(folder: string, seed: number): Promise<DrillResult> {
  const settings = { WALK_SECONDS: String(MINUTES * 60), WALK_SEED: String(seed) };
  const [test] = await runBrowserTests(folder, 'randomWalk.spec.ts', 'at random', settings);
  const steps = test?.notes.get('steps');
  return {
    what: `a walk by the seed ${seed}`,
    expected: 'never blank, nothing broken, at rest in the end, and well again with the service',
    measured: test?.error ?? (steps === undefined ? 'it did not run' : `${steps} steps`),
    holds: test?.isPassed ?? false,
  };
}
