import { type DomainState, judgeDomainState } from '#contract/domainState.ts';
import type { DomainSummary } from '#contract/additions.ts';
import type { Domain } from '#contract/domain.ts';
import { must } from '#contract/values/must.ts';
import type { Database } from '../database/database.ts';
import { iteratePages, ITERATION_PAGE_SIZE } from '../database/paging/iteratePages.ts';
import type { Scope } from '../database/scope.ts';
import type { Workspace } from '../database/workspace.ts';
import { domainOf, type DomainRow } from './domainRow.ts';
import { readRecords } from './store.ts';

/** The counters in the row of the workspace. It has none of healthy domains: they are all the others. */
const COUNTERS = { pending: 'pending_domain_count', failing: 'failing_domain_count' } as const;

/** The state of a domain of ours, of which every field is known. */
export function judgeState(domain: Domain): DomainState {
  return must(judgeDomainState(domain));
}

/** Updates the counters of the workspace for a domain whose stored state changes. `before` is null for a new one. */
export async function countStateChange(scope: Scope, before: DomainState | null, after: DomainState): Promise<void> {
  if (before === after) return;
  for (const [state, more] of [
    [before, -1],
    [after, 1],
  ] as const) {
    if (state === null || state === 'healthy') continue;
    const counter = COUNTERS[state];
    await scope
      .updateOwn()
      .set(({ eb }) => ({ [counter]: eb(counter, '+', more) }))
      .execute();
  }
}

/** How many domains are in each state, from the counters of the workspace. */
export async function summarizeDomains(workspace: Workspace, db: Database): Promise<DomainSummary> {
  return db.read(workspace, async (scope) => {
    const { total, pending, failing } = await scope
      .selectOwn()
      .select(['domain_count as total', 'pending_domain_count as pending', 'failing_domain_count as failing'])
      .executeTakeFirstOrThrow();
    return { total, healthy: total - pending - failing, pending, failing };
  });
}

/** Judges every domain of `workspace` again, and gives one sentence for each whose stored state differs. */
export async function checkDomainStates(workspace: Workspace, db: Database): Promise<string[]> {
  return db.read(
    workspace,
    async (scope) => {
      const errors: string[] = [];
      const rows = iteratePages<DomainRow>((last) =>
        scope
          .select('domains')
          .selectAll()
          .where('uuid', '>', last?.uuid ?? '')
          .orderBy('uuid')
          .limit(ITERATION_PAGE_SIZE)
          .execute(),
      );
      for await (const row of rows) {
        const records = (await readRecords(scope, [row])).get(row.uuid) ?? [];
        const state = judgeState(domainOf(row, records));
        if (state !== row.state) errors.push(`The domain ${row.uuid} is ${state}, and ${row.state} is stored.`);
      }
      return errors;
    },
    { isLong: true },
  );
}
