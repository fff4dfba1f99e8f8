import type { Drill } from './drill.ts';
import { runLongTests } from './runLongTests.ts';

const FILE = 'server/acceptance/foreignOrMissing.engine.test.ts';

export const foreignOrMissing: Drill = {
  name: 'foreign',
  description: 'what another workspace has and what nobody has are answered after the same time: 2,000 samples of each',
  minutesMax: 30,
  async *run(folder) {
    for (const project of ['service', 'postgres'] as const) {
      for await (const row of runLongTests(folder, project, FILE, { FOREIGN_SAMPLES: '2000' })) {
        // That the responses are the same is part of every run of the tests.
        if (row.measured !== 'passed') yield row;
      }
    }
  },
};
