import { sql } from 'kysely';
import { parseJson } from '#contract/values/json.ts';
import type { Action } from '#contract/change.ts';
import type { Token } from '#contract/members.ts';
import type { Database } from '../database/database.ts';
import { EXPORT_PAGE_SIZE, iteratePages } from '../database/paging/iteratePages.ts';
import type { LineSummary } from '../database/changeLog/lineSummary.ts';
import type { Scope } from '../database/scope.ts';
import type { Workspace } from '../database/workspace.ts';
import { readAcceptedTokens, tokenOf } from './store.ts';

/** The accepted tokens that a person created, and those created with one of these, as the log says. Newest first. */
export function listTokensCreatedBy(
  workspace: Workspace,
  db: Database,
  personUuid: string,
  now: number,
): Promise<Token[]> {
  return db.read(
    workspace,
    async (scope) => {
      const created = new Set<string>();
      const creators = [personUuid];
      for (const creator of creators) {
        for await (const { token, role } of readCreations(scope, creator)) {
          created.add(token);
          // Others create none.
          if (role === 'admin') creators.push(token);
        }
      }
      const accepted = await readAcceptedTokens(scope, now);
      return accepted.filter(({ uuid }) => created.has(uuid)).map(tokenOf);
    },
    { isLong: true },
  );
}

type CreationLine = { number: number; summary: string };

async function* readCreations(scope: Scope, creator: string): AsyncGenerator<{ token: string; role: string }> {
  const action: Action = 'token_create';
  const lines = iteratePages<CreationLine>((last) =>
    scope.run(sql<CreationLine>`
      select changes.number as number, summary from changes join change_values
        on change_values.workspace_id = changes.workspace_id and change_values.number = changes.number
      where changes.workspace_id = ${scope.id} and actor = ${creator} and action = ${action}
        and changes.number > ${last?.number ?? 0}
      order by changes.number limit ${sql.lit(EXPORT_PAGE_SIZE)}`),
  );
  for await (const { summary } of lines) {
    const { details } = parseJson(summary) as LineSummary;
    yield { token: String(details?.['token']), role: String(details?.['role']) };
  }
}
