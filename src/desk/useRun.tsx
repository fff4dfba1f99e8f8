import { useMutation, useQueryClient } from '@tanstack/react-query';
import { listContacts } from '#contract/additions.ts';
import { rememberWorkspace } from '../session/session.ts';
import { useWorkspaceForm } from '../session/WorkspaceIdField.tsx';
import { desk } from './desk.ts';
import classes from './DeskStages.module.css';

/**
 * Starts a run. `field` is an input for the ID of the workspace, where the service does not say it. `listWorkspace` is the
 * workspace of the list, if it has one.
 */
export function useRun(listWorkspace: string | null = null) {
  const client = useQueryClient();
  const { workspace, field, submit } = useWorkspaceForm(listWorkspace);
  const mutation = useMutation({
    mutationFn: async (work: () => Promise<void>) => {
      await work();
      // The service has accepted the ID, so it is right. It is not asked for again in this session.
      if (desk.snapshot().counts.unsubscribed > 0) rememberWorkspace(client, workspace);
      await client.invalidateQueries({ queryKey: [listContacts.id] });
    },
  });
  return {
    mutation,
    field: field && <div className={classes.column}>{field}</div>,
    workspace,
    start: () => submit((id) => mutation.mutate(() => desk.run(id))),
    retry: () => submit((id) => mutation.mutate(() => desk.retryFailed(id))),
  };
}
