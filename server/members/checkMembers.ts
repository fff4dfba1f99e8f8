import type { Database } from '../database/database.ts';
import type { Workspace } from '../database/workspace.ts';
import { keysOf } from './members.ts';

/** Gives one sentence for each member who is found by something else than their name. A workspace has some hundred at most. */
export async function checkMembers(workspace: Workspace, db: Database): Promise<string[]> {
  const members = await db.read(workspace, (scope) => scope.select('members').selectAll().orderBy('uuid').execute());
  return members.flatMap((member) => {
    const { email_key, search_key } = keysOf(member);
    const isFound = member.email_key === email_key && member.search_key === search_key;
    return isFound ? [] : [`The member ${member.uuid} is found by something else than its name.`];
  });
}
