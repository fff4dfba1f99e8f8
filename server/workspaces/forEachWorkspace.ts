import type { Workspace } from '../database/workspace.ts';

type Options = {
  signal: AbortSignal;
  /** Called with an error of `act`, after which the next workspace has its turn. */
  onError: (error: unknown, workspace: Workspace) => void;
};

/** Runs `act` for one workspace after the other, until `signal` aborts. */
export async function forEachWorkspace(
  workspaces: readonly Workspace[],
  { signal, onError }: Options,
  act: (workspace: Workspace) => Promise<void>,
): Promise<void> {
  for (const workspace of workspaces) {
    if (signal.aborted) return;
    await act(workspace).catch((error: unknown) => onError(error, workspace));
  }
}
