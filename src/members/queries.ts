import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Endpoint } from '#contract/openapi/endpoint.ts';
import { listMembers, listSessions, listTokens } from '#contract/members.ts';
import { listQuery, readAgain } from '../api/apiQuery.ts';
import { isNotFound } from '../api/ApiError.ts';
import { sessionQuery } from '../session/session.ts';
import { toListQuery, type ListOptions, type ListState } from '../table/listState.ts';

export const MEMBERS: ListOptions = {
  perPage: 25,
  sort: { id: 'email', desc: false },
  sortable: listMembers.list.sortable,
};

export const membersQuery = (state: ListState) => listQuery(listMembers, { query: toListQuery(state) });

/** Enough members to tell whether there is more than one admin: by role, admins are first. */
export const adminsQuery = listQuery(listMembers, {
  query: { page: 1, per_page: 100, sorting: [{ id: 'role', desc: false }] },
});

/** Tokens and sessions are in the order of the service. */
export const UNSORTED: ListOptions = { perPage: 25, sort: { id: '', desc: false }, sortable: [] };

export const tokensQuery = (state: ListState) =>
  listQuery(listTokens, { query: { ...toListQuery(state), sorting: [] } });

export const sessionsQuery = ({ page, perPage }: ListState) =>
  listQuery(listSessions, { query: { page, per_page: perPage } });

/**
 * Calls `change`, and reads the lists `what` again, and the session, which it may be about. It does not wait for that: the answer may have
 * a secret, which is told only once. Nothing of it is kept.
 */
export function usePeopleChange<Input, Answer>(
  what: readonly Pick<Endpoint, 'id'>[],
  change: (input: Input) => Promise<Answer>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    gcTime: 0,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
      for (const list of what) void readAgain(client, list);
    },
  });
}

/** Waits for a removal; that somebody else was faster is as good. */
export async function unlessGone<Answer>(removal: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await removal;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return undefined;
  }
}
