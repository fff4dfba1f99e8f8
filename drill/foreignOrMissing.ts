import type { Drill } from './drill.ts';
import { longTests } from './longTests.ts';

const FILE = 'server/foreignOrMissing.test.ts';

export const foreignOrMissing: Drill = {
  name: 'foreign',
  about:
    'what another workspace has and what nobody has are answered alike and after the same time: 2,000 samples of each',
  minutesMax: 15,
  async *run(folder) {
    yield* longTests(folder, 'node', FILE, { FOREIGN_SAMPLES: '2000' });
    yield* longTests(folder, 'postgres', FILE, { FOREIGN_SAMPLES: '2000' });
  },
};
