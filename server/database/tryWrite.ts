import { must } from '#contract/values/must.ts';
import type { Database } from './database.ts';
import type { Scope } from './scope.ts';
import type { Workspace } from './workspace.ts';

/** What `work` would give; its transaction is rolled back. */
export async function tryWrite<Result>(
  database: Database,
  workspace: Workspace,
  work: (scope: Scope) => Promise<Result>,
): Promise<Result> {
  const rollback = new Error('Only its result is wanted.');
  let result: { value: Result } | null = null;
  try {
    await database.write(
      workspace,
      async (scope) => {
        result = { value: await work(scope) };
        throw rollback;
      },
      { isBulk: true },
    );
  } catch (error) {
    if (error !== rollback) throw error;
  }
  return must<{ value: Result }>(result).value;
}
