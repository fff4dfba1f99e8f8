import type { Role } from '#contract/role.ts';
import { createView, listViews, removeView, updateView } from '#contract/savedViews.ts';
import { authorOf } from '../../database/changeLog/author.ts';
import type { Database } from '../../database/database.ts';
import type { Caller } from '../../database/workspace.ts';
import { ProblemError } from '../../http/problems.ts';
import { type Route, route } from '../../http/route.ts';
import * as views from './savedViews.ts';

export function viewRoutes({ database, now }: { database: Database; now: () => number }): Route[] {
  const by = ({ caller, role }: { caller: Caller; role: Role }) => ({
    now: now(),
    author: authorOf(caller),
    isAdmin: role === 'admin',
  });
  return [
    route(listViews, async (call) => ({ data: await views.listViews(call.workspace, database, by(call)) })),

    route(createView, async (call) => {
      return { data: await views.createView(call.workspace, database, call.body, by(call)).catch(throwViewProblem) };
    }),

    route(updateView, async (call) => {
      const { workspace, params, body } = call;
      return { data: await views.updateView(workspace, database, params.view, body, by(call)).catch(throwViewProblem) };
    }),

    route(removeView, async (call) => {
      const { workspace, params } = call;
      return { data: await views.removeView(workspace, database, params.view, by(call)).catch(throwViewProblem) };
    }),
  ];
}

function throwViewProblem(error: unknown): never {
  if (error instanceof views.ViewError) throw new ProblemError(error.status, error.message);
  throw error;
}
