import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { listContacts } from '#contract/additions.ts';
import { findPathSegmentError } from '#contract/endpoint.ts';
import { rememberWorkspace } from '../session/session.ts';
import { useSession } from '../session/useSession.ts';
import { desk } from './desk.ts';
import classes from './DeskStages.module.css';

/**
 * Starts a run. `field` is an input for the ID of the workspace, where the service does not say it. `listWorkspace` is the
 * workspace of the list, if it has one.
 */
export function useRun(listWorkspace: string | null = null) {
  const client = useQueryClient();
  const session = useSession();
  const [workspace, setWorkspace] = useState(listWorkspace ?? session.workspace_uuid ?? '');
  const [error, setError] = useState<string>();
  const finish = async (work: (workspace: string) => Promise<void>) => {
    await work(workspace.trim());
    // The service has accepted the ID, so it is right. It is not asked for again in this session.
    if (desk.snapshot().counts.unsubscribed > 0) rememberWorkspace(client, workspace.trim());
    await client.invalidateQueries({ queryKey: [listContacts.id] });
  };
  const mutation = useMutation({ mutationFn: finish });
  const start = (work: (workspace: string) => Promise<void>) => {
    if (findPathSegmentError(workspace.trim()) !== null)
      return setError('Unsubscribing needs the ID of the workspace.');
    mutation.mutate(work);
  };
  const field: ReactNode = session.workspace_uuid === null && (
    <TextInput
      className={classes.column}
      label="Workspace ID"
      description="The service does not tell it, and unsubscribing needs it."
      value={workspace}
      error={error}
      onChange={(event) => {
        setWorkspace(event.currentTarget.value);
        setError(undefined);
      }}
    />
  );
  return {
    mutation,
    field,
    workspace: workspace.trim(),
    start: () => start((id) => desk.run(id)),
    retry: () => start((id) => desk.retryFailed(id)),
  };
}
