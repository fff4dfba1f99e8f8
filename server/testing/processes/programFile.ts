import { join } from 'node:path';

/** Names the environment variable with the folder of the programs that were bundled for this run of the tests. */
export const PROGRAMS_VARIABLE = 'SENDROOM_TEST_PROGRAMS';

export function programFile(name: 'main' | 'admin' | 'dnsCheck'): string {
  const folder = process.env[PROGRAMS_VARIABLE];
  return folder === undefined ? join(import.meta.dirname, '../..', `${name}.ts`) : join(folder, `${name}.js`);
}
