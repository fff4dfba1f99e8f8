import { must } from '#contract/values/must.ts';
import { sql } from 'kysely';
import type { Compared } from './compare.ts';
import type { World } from './recording.ts';

/** How much a run was. `spans`: rows of the history, which grow with `changes` and not with `looks`. */
export async function figuresOf({ workspace, db, recording }: World, compared: readonly Compared[]) {
  const rows = await db.read(workspace, (scope) =>
    scope.run(sql<{
      spans: number;
      changes: number;
      unknown: number;
      incidents: number;
      unstable: number;
      joined: number;
    }>`select
      (select count(*) from domain_spans where workspace_id = ${scope.id}) as spans,
      (select count(*) from domain_spans where workspace_id = ${scope.id} and is_change = 1) as changes,
      (select count(*) from domain_spans where workspace_id = ${scope.id} and result = 'unknown') as unknown,
      (select count(*) from incidents where workspace_id = ${scope.id} and opened_at is not null) as incidents,
      (select count(*) from messages where workspace_id = ${scope.id} and kind = 'incident_unstable') as unstable,
      (select count(*) from deliveries where workspace_id = ${scope.id} and state = 'joined') as joined`),
  );
  return {
    ...must(rows[0]),
    looks: Array.from(recording.looks.values(), ({ length }) => length).reduce((sum, count) => sum + count, 0),
    messages: recording.received.length,
    kills: recording.kills.length,
    toOperator: recording.resolvers.filter(({ event }) => event.startsWith('told')).length,
    acceptances: recording.acceptances.length,
    rotations: recording.imports.length,
    compared: compared.reduce((sum, { expected }) => sum + expected.length, 0),
  };
}
