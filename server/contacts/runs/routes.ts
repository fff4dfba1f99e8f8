import { importRows, previewImport, startImport, undoImport } from '#contract/imports.ts';
import { includesRole, requiredRole } from '#contract/roles.ts';
import { getRunCounts } from '#contract/runs/runCounts.ts';
import {
  addRunEntries,
  approveRun,
  getRunSettings,
  listRunContacts,
  listRuns,
  startRun,
  updateRunSettings,
} from '#contract/runs/runs.ts';
import { authorOf } from '../../database/changeLog/author.ts';
import type { Database } from '../../database/database.ts';
import type { Caller } from '../../database/workspace.ts';
import { ProblemError } from '../../http/problems.ts';
import { type Route, route } from '../../http/route.ts';
import { countUndone, isResubscribed, type UndoneContact, undoNext } from '../undoImport.ts';
import { RunError } from './checkRun.ts';
import { countUnfinished } from './countUnfinished.ts';
import * as imports from './imports.ts';
import * as list from './listRuns.ts';
import * as runs from './runs.ts';

export function runRoutes({ database, now }: { database: Database; now: () => number }): Route[] {
  const by = (caller: Caller) => ({ now: now(), author: authorOf(caller) });
  return [
    route(startRun, async ({ workspace, body, caller }) => {
      return { data: await runs.keepRun(workspace, database, body, by(caller)) };
    }),

    route(addRunEntries, async ({ workspace, params, body, caller }) => {
      const adding = runs.addEntries(workspace, database, params.run, body, by(caller));
      return { data: await adding.catch(throwRunProblem) };
    }),

    route(listRuns, ({ workspace, query }) => list.listRuns(workspace, database, query)),

    route(listRunContacts, async ({ workspace, params, query }) => {
      const page = await list.listRunContacts(workspace, database, params.run, query);
      if (page === null) throw new ProblemError(404, 'There is no such run in this workspace.');
      return page;
    }),

    route(approveRun, async ({ workspace, params, caller }) => {
      const approving = runs.approveRun(workspace, database, params.run, by(caller));
      return { data: await approving.catch(throwRunProblem) };
    }),

    route(getRunCounts, async ({ workspace, query: { without }, caller, role }) => {
      if (!includesRole(role, requiredRole(approveRun.id))) return { data: { to_approve: 0, unfinished: 0 } };
      return { data: await countUnfinished(workspace, database, authorOf(caller), without) };
    }),

    route(getRunSettings, async ({ workspace }) => {
      return { data: { approval_above: await database.read(workspace, runs.readApprovalAbove) } };
    }),

    route(updateRunSettings, async ({ workspace, body, caller }) => {
      await runs.setApprovalAbove(workspace, database, body.approval_above, by(caller));
      return { data: body };
    }),

    ...importRoutes({ database, now }),
  ];
}

const NO_IMPORT = 'There is no such import in this workspace.';

const named = ({ uuid, name, address }: UndoneContact) => ({ uuid, name, address });

function importRoutes({ database, now }: { database: Database; now: () => number }): Route[] {
  const by = (caller: Caller) => ({ now: now(), author: authorOf(caller) });
  return [
    route(previewImport, ({ workspace, body, caller }) =>
      imports.previewRows(workspace, database, body.rows, by(caller)).catch(throwRunProblem),
    ),

    route(startImport, async ({ workspace, body, caller }) => {
      const keeping = imports.keepImport(workspace, database, body, by(caller));
      return { data: await keeping.catch(throwRunProblem) };
    }),

    route(importRows, ({ workspace, params, body, caller }) =>
      imports.addRows(workspace, database, params.run, body, by(caller)).catch(throwRunProblem),
    ),

    route(undoImport, async ({ workspace, params, body: { after = 0, dry_run: isDryRun = false }, caller }) => {
      const run = params.run.toLowerCase();
      const undone = await undoNext(workspace, database, { run, after, isDryRun, ...by(caller) });
      if (undone === undefined) throw new ProblemError(404, NO_IMPORT);
      const { contacts, next } = undone;
      const left = contacts.flatMap((one) => (one.left.length > 0 ? [{ ...named(one), fields: one.left }] : []));
      const again = contacts.filter(isResubscribed).map(named);
      return { data: { ...countUndone(contacts), left, again, next } };
    }),
  ];
}

export function throwRunProblem(error: unknown): never {
  if (error instanceof RunError) throw new ProblemError(error.status, error.message);
  throw error;
}
