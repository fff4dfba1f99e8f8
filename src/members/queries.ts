import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Endpoint } from '#contract/openapi/endpoint.ts';
import { listMembers, listSessions, listTokens, type ReadableMember } from '#contract/members.ts';
import { listQuery, readAgain } from '../api/apiQuery.ts';
import { isNotFound } from '../api/ApiError.ts';
import { sessionQuery } from '../session/session.ts';
import { announce } from '../ui/page/announce.ts';
import { toListQuery, type ListOptions, type ListState } from '../table/useList.ts';
import { useSession } from '../session/useSession.ts';

export const MEMBERS: ListOptions = {
  perPage: 25,
  sort: { id: 'email', desc: false },
  sortable: listMembers.list.sortable,
};

export const membersQuery = (state: ListState) => listQuery(listMembers, { query: toListQuery(state) });

/** By role, admins are first: enough to see whether there is more than one. */
export const adminsQuery = listQuery(listMembers, {
  query: { page: 1, per_page: 100, sorting: [{ id: 'role', desc: false }] },
});

export const UNSORTED: ListOptions = { perPage: 25, sort: { id: '', desc: false }, sortable: [] };

export const tokensQuery = (state: ListState) =>
  listQuery(listTokens, { query: { ...toListQuery(state), sorting: [] } });

export const sessionsQuery = ({ page, perPage }: ListState) =>
  listQuery(listSessions, { query: { page, per_page: perPage } });

/** Calls `change`, then reloads the lists and the session, which it may affect. The response may have a secret, so it isn't cached. */
export function useMembersChange<Input, Result>(
  lists: readonly Pick<Endpoint, 'id'>[],
  change: (input: Input) => Promise<Result>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    gcTime: 0,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
      for (const list of lists) void readAgain(client, list);
    },
  });
}

/** As `useMembersChange`, for a dialog. Afterwards it closes and announces `done`. */
export function useDialogChange<Result>(
  lists: readonly Pick<Endpoint, 'id'>[],
  change: () => Promise<Result>,
  { done, onClose, onDone }: { done: string; onClose: () => void; onDone?: ((result: Result) => void) | undefined },
) {
  const call = useMembersChange<void, Result>(lists, change);
  const onSubmit = () =>
    // Not for a dialog that was closed during the call.
    call.mutate(undefined, {
      onSuccess: (result) => {
        onClose();
        onDone?.(result);
        announce(done);
      },
    });
  return { call, onSubmit, onClose };
}

/** The result of a removal; undefined if someone else was faster. */
export async function unlessGone<Result>(removal: Promise<Result>): Promise<Result | undefined> {
  try {
    return await removal;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return undefined;
  }
}

/** Whether the member is the signed-in person, by their email. An invitation isn't a person yet. */
export function useIsOneself({ email, last_seen_at }: ReadableMember): boolean {
  const { person } = useSession();
  if (person === null || last_seen_at === null || !email) return false;
  return email.toLowerCase() === person.email.toLowerCase();
}
