import type { Drill } from './drill.ts';
import { longTests } from './longTests.ts';

export const durability: Drill = {
  name: 'durability',
  about: 'kills of the service while it writes and while it changes the schema, and disks that fail, lose nothing',
  minutesMax: 120,
  async *run(folder) {
    for (const project of ['processes', 'postgres'] as const) {
      yield* longTests(folder, project, 'server/acceptance/crash.test.ts', { CRASH_ROUNDS: '200' });
      yield* longTests(folder, project, 'server/database/migrationKills.test.ts', { MIGRATION_STRIDE: '1' });
    }
    for (const project of ['node', 'postgres'] as const) {
      yield* longTests(folder, project, 'server/contacts/consent.test.ts', { CONSENT_RUNS: '200' });
    }
    yield* longTests(folder, 'processes', 'server/acceptance/disk.test.ts');
    yield* longTests(folder, 'processes', 'server/admin/{backup,restore}.test.ts');
  },
};
