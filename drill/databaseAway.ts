import type { Drill } from './drill.ts';
import { runLongTests } from './runLongTests.ts';

export const databaseAway: Drill = {
  name: 'away',
  description:
    'PostgreSQL is stopped, stands still for 30 s, has no connection left or ends them: every request is answered',
  minutesMax: 15,
  run: (folder) =>
    runLongTests(folder, 'postgres-process', 'server/acceptance/databaseAway.postgres.process.test.ts', {
      AWAY_SECONDS: '30',
    }),
};
