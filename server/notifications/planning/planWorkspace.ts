import type { Database } from '../../database/database.ts';
import type { Workspace } from '../../database/workspace.ts';
import { areRulesReadable } from '../storedMessages.ts';
import { planContactChanges } from './contactChanges.ts';
import { planIncidents } from './planIncidents.ts';
import { planSummaries } from './summaries.ts';

/** Decides who gets the messages of a workspace that are due. True if there may be more. `now` is in milliseconds since the epoch. */
export function planWorkspace(workspace: Workspace, db: Database, now: number): Promise<boolean> {
  return db.write(workspace, async (scope) => {
    const all = await scope.select('destinations').selectAll().execute();
    const destinations = all.filter(areRulesReadable);
    const hasIncidents = await planIncidents(scope, destinations, now);
    const hasChanges = await planContactChanges(scope, destinations, now);
    await planSummaries(scope, destinations, now);
    return hasIncidents || hasChanges;
  });
}
