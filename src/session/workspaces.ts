import { readWorkspaceOfPath, type Session } from '#contract/session.ts';
import { baseUrl, pagePlace } from '../api/client.ts';
import { readSetting } from '../ui/page/settings.ts';

// A person may have several workspaces, so the URL says which one a page is of: `/w/<uuid>/contacts`. Another workspace is
// another load of the page: nothing of this one is left on it. A session by token has one workspace and no such path.

/** The IDs that a URL can name. */
const NAMEABLE = /^[\w-]+$/;

/** Reads the workspace from the path of the page; gives the path that the pages of the console are below. */
export function openWorkspace(basePath: string): string {
  const workspace = readWorkspaceOfPath(window.location.pathname.slice(basePath.length));
  pagePlace.write({ basePath, workspace });
  return basePath + pathOf(workspace);
}

const pathOf = (workspace: string | null) => (workspace === null ? '' : `/w/${workspace}`);

/** The workspace that the URL of the page names. */
export const openedWorkspace = (): string | null => pagePlace.read().workspace;

/** `path`, of the console, with what says the workspace of this page. */
export const withWorkspace = (path: string): string => pathOf(openedWorkspace()) + path;

/** The URL of a page in a workspace; in the only one of a token where that is null. */
export const workspaceUrl = (workspace: string | null, path = '/'): string => baseUrl() + pathOf(workspace) + path;

/** Stands for this workspace of this service in names of what the browser keeps. */
export const placeName = (): string => baseUrl() + pathOf(openedWorkspace());

/** The setting with the workspace that was opened last, for URLs that name none. */
export const LAST_WORKSPACE = 'workspace';

/**
 * Where the pages of a session are: here, elsewhere, which is the workspace of a URL or null for no such path, or nowhere, as the
 * URL names a workspace that is not theirs.
 */
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
