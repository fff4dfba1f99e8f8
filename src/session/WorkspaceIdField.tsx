import { TextInput, type TextInputProps } from '@mantine/core';

/** The box for the ID of a workspace, where the service does not tell it. */
export function WorkspaceIdField(props: TextInputProps) {
  return <TextInput label="Workspace ID" autoComplete="off" spellCheck={false} {...props} />;
}
