import type { Drill } from './drill.ts';
import { runLongTests } from './runLongTests.ts';

export const durability: Drill = {
  name: 'durability',
  description:
    'kills of the service while it writes and while it changes the schema, and disks that fail, lose nothing',
  minutesMax: 120,
  async *run(folder) {
    for (const project of ['process', 'postgres-process'] as const) {
      yield* runLongTests(folder, project, 'server/acceptance/crash.engine.process.test.ts', { CRASH_ROUNDS: '200' });
      yield* runLongTests(folder, project, 'server/acceptance/ingestCrash.engine.process.test.ts', {
        INGEST_ROUNDS: '1000',
      });
      yield* runLongTests(folder, project, 'server/database/migrationKills.engine.process.test.ts', {
        MIGRATION_STRIDE: '1',
      });
    }
    for (const project of ['service', 'postgres'] as const) {
      yield* runLongTests(folder, project, 'server/contacts/consent.engine.test.ts', { CONSENT_RUNS: '200' });
    }
    for (const file of ['acceptance/disk', 'admin/backup', 'admin/restore']) {
      yield* runLongTests(folder, 'process', `server/${file}.process.test.ts`);
    }
  },
};
