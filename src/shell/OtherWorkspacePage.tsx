import type { Session } from '#contract/session.ts';
import { openedWorkspace, workspaceUrl } from '../session/workspaces.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { WorkspaceLinks } from './WorkspaceLinks.tsx';

/** Shown where the URL names a workspace that the session is not for. */
export function OtherWorkspacePage({ session }: { session: Session }) {
  const { person, workspaces, name } = session;
  return (
    <>
      <PageTitle title="This page is of another workspace" />
      <p>
        Its address names the workspace <code>{openedWorkspace()}</code>.{' '}
        {person === null ? (
          'Your access token is for another one.'
        ) : (
          <>
            <UntrustedText text={person.email || (person.name ?? '')} /> is not a member of it. Ask one of its admins to
            invite you, or go to a workspace of yours.
          </>
        )}
      </p>
      {workspaces.length > 0 ? (
        <WorkspaceLinks session={session} />
      ) : (
        <p>
          <a href={workspaceUrl(null)}>
            Go to <UntrustedText text={name ?? 'your workspace'} />
          </a>
        </p>
      )}
    </>
  );
}
