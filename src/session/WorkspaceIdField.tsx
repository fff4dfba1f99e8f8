import { TextInput, type TextInputProps } from '@mantine/core';
import { getWorkspace } from '#contract/additions.ts';
import { findPathSegmentError } from '#contract/openapi/endpoint.ts';
import { useForm } from '../ui/useForm.ts';
import { useCapability, useSession } from './useSession.ts';

export function WorkspaceIdField(props: TextInputProps) {
  return <TextInput label="Workspace ID" autoComplete="off" spellCheck={false} {...props} />;
}

/** The workspace ID for unsubscribing: `known`, or the session's. `field` is an input if the service doesn't return it, else false. */
export function useWorkspaceForm(known: string | null = null) {
  const { workspace_uuid } = useSession();
  const isProvided = useCapability(getWorkspace);
  const form = useForm({ workspace: known ?? workspace_uuid ?? '' }, ({ workspace }) =>
    findPathSegmentError(workspace.trim()) === null ? {} : { workspace: 'Enter the workspace ID.' },
  );
  return {
    workspace: form.values.workspace.trim(),
    field: (workspace_uuid === null || (known !== null && !isProvided)) && (
      <WorkspaceIdField description="Required to unsubscribe on this service." {...form.field('workspace')} />
    ),
    submit: (send: (workspace: string) => void) => form.submit(({ workspace }) => send(workspace.trim())),
  };
}
