import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getContact, listContacts } from '#contract/additions.ts';
import { listContactChanges } from '#contract/change.ts';
import { readAgain } from '../../api/apiQuery.ts';
import { rememberWorkspace } from '../../session/session.ts';
import { useWorkspaceForm } from '../../session/WorkspaceIdField.tsx';
import { desk } from '../desk.ts';
import classes from '../DeskStages.module.css';

/**
 * Starts and resumes runs. `field` is an input for the ID of the workspace, where the service does not say it.
 * `listWorkspace` is the workspace of the list, if it has one.
 */
export function useRun(listWorkspace: string | null = null) {
  const client = useQueryClient();
  const { workspace, field, submit } = useWorkspaceForm(listWorkspace);
  const mutation = useMutation({
    mutationFn: async (work: () => Promise<void>) => {
      await work();
      const state = desk.snapshot();
      // The service has accepted the ID, so it is right. It is not asked for again in this session.
      if ('counts' in state && state.counts.all.unsubscribed > 0) rememberWorkspace(client, workspace);
      await Promise.all([listContacts, getContact, listContactChanges].map((each) => readAgain(client, each)));
    },
  });
  return {
    mutation,
    field: field && <div className={classes.column}>{field}</div>,
    workspace,
    /** Calls `act` with the ID of the workspace unless it cannot be one. */
    submit,
    start: () => submit((id) => mutation.mutate(() => desk.run(id))),
    resume: () => submit((id) => mutation.mutate(() => desk.resume(id))),
    retry: () => submit((id) => mutation.mutate(() => desk.retryFailed(id))),
    undo: (reason: string) => mutation.mutate(() => desk.undo(reason)),
  };
}
