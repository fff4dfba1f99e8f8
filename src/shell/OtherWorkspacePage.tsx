import type { Session } from '#contract/session.ts';
import { openedWorkspace, workspaceUrl } from '../session/workspaces.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { WorkspaceLinks } from './WorkspaceLinks.tsx';

export function OtherWorkspacePage({ session }: { session: Session }) {
  const { person, workspaces, name } = session;
  return (
    <>
      <PageTitle title="This page is in another workspace" />
      <p>
        The URL is for workspace <code>{openedWorkspace()}</code>.{' '}
        {person === null ? (
          'Your access token is for another workspace.'
        ) : (
          <>
            <UntrustedText text={person.email || (person.name ?? '')} /> is not a member. Ask one of its admins for an
            invitation, or go to one of your workspaces.
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
