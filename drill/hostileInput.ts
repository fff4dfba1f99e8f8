import type { Drill } from './drill.ts';
import { longTests } from './longTests.ts';

const FILE = 'server/acceptance/hostileInput.test.ts';

export const hostileInput: Drill = {
  name: 'hostile-input',
  about: 'a hundred thousand hostile requests to the service as a process, on each engine',
  minutesMax: 60,
  async *run(folder) {
    yield* longTests(folder, 'processes', FILE, { HOSTILE_REQUESTS: '100000' });
    yield* longTests(folder, 'postgres', FILE, { HOSTILE_REQUESTS: '100000' });
  },
};
