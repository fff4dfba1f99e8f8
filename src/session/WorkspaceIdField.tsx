import { TextInput, type TextInputProps } from '@mantine/core';
import { getWorkspace } from '#contract/additions.ts';
import { findPathSegmentError } from '#contract/openapi/endpoint.ts';
import { useForm } from '../ui/useForm.ts';
import { useCapability, useSession } from './useSession.ts';

/** The box for the ID of a workspace, where the service does not tell it. */
export function WorkspaceIdField(props: TextInputProps) {
  return <TextInput label="Workspace ID" autoComplete="off" spellCheck={false} {...props} />;
}

/**
 * The ID of the workspace that unsubscribing needs: `known`, or that of the session. `field` is the box for it where the
 * service does not tell it, else false. What was typed at the sign-in is taken, but `known` can be corrected.
 */
export function useWorkspaceForm(known: string | null = null) {
  const { workspace_uuid } = useSession();
  const isTold = useCapability(getWorkspace);
  const form = useForm({ workspace: known ?? workspace_uuid ?? '' }, ({ workspace }) =>
    findPathSegmentError(workspace.trim()) === null
      ? {}
      : { workspace: 'Unsubscribing needs the ID of the workspace.' },
  );
  return {
    workspace: form.values.workspace.trim(),
    field: (workspace_uuid === null || (known !== null && !isTold)) && (
      <WorkspaceIdField
        description="The service does not tell it, and unsubscribing needs it."
        {...form.field('workspace')}
      />
    ),
    /** Calls `send` with the ID unless it cannot be one. */
    submit: (send: (workspace: string) => void) => form.submit(({ workspace }) => send(workspace.trim())),
  };
}
