import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getContact, listContacts } from '#contract/additions.ts';
import { listContactChanges } from '#contract/change.ts';
import type { Unsubscription } from '#contract/suppressions/suppression.ts';
import { readAgain } from '../../api/apiQuery.ts';
import { rememberWorkspace } from '../../session/session.ts';
import { useWorkspaceForm } from '../../session/WorkspaceIdField.tsx';
import { bulk } from '../bulk.ts';
import classes from '../Stages.module.css';

/** Starts and resumes runs. `field` is an input for the workspace ID, if the service doesn't return it. */
export function useRun(listWorkspace: string | null = null) {
  const client = useQueryClient();
  const { workspace, field, submit } = useWorkspaceForm(listWorkspace);
  const mutation = useMutation({
    mutationFn: async (work: () => Promise<void>) => {
      await work();
      const state = bulk.snapshot();
      // The service has accepted the ID, so this session does not ask for it again.
      if ('counts' in state && state.counts.all.unsubscribed > 0) rememberWorkspace(client, workspace);
      await Promise.all([listContacts, getContact, listContactChanges].map((each) => readAgain(client, each)));
    },
  });
  return {
    mutation,
    field: field && <div className={classes.column}>{field}</div>,
    workspace,
    submit,
    start: (said?: Unsubscription) => submit((id) => mutation.mutate(() => bulk.run(id, said))),
    resume: () => submit((id) => mutation.mutate(() => bulk.resume(id))),
    retry: () => submit((id) => mutation.mutate(() => bulk.retryFailed(id))),
    undo: (reason: string) => mutation.mutate(() => bulk.undo(reason)),
  };
}
