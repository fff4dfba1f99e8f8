import { readWorkspaceOfPath, type Session } from '#contract/session.ts';
import { baseUrl, pagePlace } from '../api/client.ts';
import { readSetting } from '../ui/page/settings.ts';

// A person may have several workspaces, so the URL names one; opening another loads the page again. A token has no such path.

/** The IDs that a URL can name. */
const NAMEABLE = /^[\w-]+$/;

export function openWorkspace(basePath: string): string {
  const workspace = readWorkspaceOfPath(window.location.pathname.slice(basePath.length));
  pagePlace.write({ basePath, workspace });
  return basePath + pathOf(workspace);
}

const pathOf = (workspace: string | null) => (workspace === null ? '' : `/w/${workspace}`);

export const openedWorkspace = (): string | null => pagePlace.read().workspace;

export const withWorkspace = (path: string): string => pathOf(openedWorkspace()) + path;

/** `workspace` is null for a token's only one. */
export const workspaceUrl = (workspace: string | null, path = '/'): string => baseUrl() + pathOf(workspace) + path;

/** Identifies this workspace of this service in the names of stored data. */
export const placeName = (): string => baseUrl() + pathOf(openedWorkspace());

export const LAST_WORKSPACE = 'workspace';

/** Whether the URL fits the session. `elsewhere`: the workspace to open, or null for none. `nowhere`: the URL's workspace isn't theirs. */
export function locate({ workspace_uuid, workspaces }: Session): 'here' | 'nowhere' | { elsewhere: string | null } {
  const uuids = workspaces.map(({ uuid }) => uuid).filter((uuid) => NAMEABLE.test(uuid));
  const last = readSetting(LAST_WORKSPACE);
  const opened = openedWorkspace();
  const [first] = uuids;
  if (opened === null) {
    return first === undefined ? 'here' : { elsewhere: uuids.find((uuid) => uuid === last) ?? first };
  }
  if (workspace_uuid !== opened) return 'nowhere';
  return first === undefined ? { elsewhere: null } : 'here';
}
