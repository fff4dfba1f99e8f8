import { inviteMember, listMembers, removeMember, updateMember } from '#contract/members.ts';
import { authorOf } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import { ProblemError } from '../http/problems.ts';
import { type Route, route } from '../http/route.ts';
import * as members from './members.ts';

type Dependencies = {
  database: Database;
  /** The current time in milliseconds since the epoch. */
  now: () => number;
};

export const peopleRoutes = ({ database, now }: Dependencies): Route[] => [
  route(listMembers, ({ workspace, query }) => members.listMembers(workspace, database, query)),

  route(inviteMember, async ({ workspace, body, caller }) => {
    const member = await members.inviteMember(workspace, database, body, now(), authorOf(caller));
    if (member === null) throw new ProblemError(409, 'A member already has this address.');
    return { data: member };
  }),

  route(updateMember, async ({ workspace, params, body, caller }) => {
    const by = { now: now(), author: authorOf(caller) };
    return { data: orThrow(await members.updateMember(workspace, database, params.member, body.role, by)) };
  }),

  route(removeMember, async ({ workspace, params, caller }) => {
    const by = { now: now(), author: authorOf(caller) };
    const { tokens } = orThrow(await members.removeMember(workspace, database, params.member, by));
    return { data: { tokens } };
  }),
];

const REFUSALS = {
  unknown: [404, 'There is no such member in this workspace.'],
  lastAdmin: [409, 'This is the last admin who can sign in. Make someone else an admin first.'],
  byGroup: [409, 'This role comes from a group of their account. Change it there.'],
} as const satisfies Record<members.MemberRefusal, [status: number, detail: string]>;

function orThrow<Done extends object>(outcome: Done | members.MemberRefusal): Done {
  if (typeof outcome === 'string') {
    const [status, detail] = REFUSALS[outcome];
    throw new ProblemError(status, detail);
  }
  return outcome;
}
