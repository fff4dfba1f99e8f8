import { sql } from 'kysely';
import { EVENT_NAMES_MAX } from '#contract/eventNames.ts';
import type { Database } from '../../database/database.ts';
import type { Workspace } from '../../database/workspace.ts';

/** The names that events of the workspace have, without those of erased contacts. Reads one row for each name. */
export function listEventNames(workspace: Workspace, db: Database): Promise<string[]> {
  return db.read(workspace, async (scope) => {
    const first = (after: string | null) => sql`(
      select event_name from event_names
      where workspace_id = ${scope.id} ${after === null ? sql`` : sql`and event_name > ${sql.ref(after)}`}
        and contact_id not in (select contact_id from erasures where workspace_id = ${scope.id} and finished_at is null)
      order by event_name limit 1)`;
    const rows = await scope.run(sql<{ name: string }>`
      with recursive names (name) as (
        select ${first(null)}
        union all
        select ${first('names.name')} from names where name is not null
      )
      select name from names where name is not null limit ${sql.lit(EVENT_NAMES_MAX)}`);
    return rows.map(({ name }) => name);
  });
}
