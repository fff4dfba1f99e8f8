import type { Drill } from './drill.ts';
import { runLongTests } from './runLongTests.ts';

const FILE = 'server/acceptance/hostileInput.engine.process.test.ts';

export const hostileInput: Drill = {
  name: 'hostile-input',
  description: 'a hundred thousand hostile requests to the service as a process, on each engine',
  minutesMax: 60,
  async *run(folder) {
    yield* runLongTests(folder, 'process', FILE, { HOSTILE_REQUESTS: '100000' });
    yield* runLongTests(folder, 'postgres-process', FILE, { HOSTILE_REQUESTS: '100000' });
  },
};
