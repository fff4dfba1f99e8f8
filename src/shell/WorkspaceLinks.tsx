import { IconCheck } from '@tabler/icons-react';
import type { Session } from '#contract/session.ts';
import { roleName } from '../session/roleNames.ts';
import { openedWorkspace, workspaceUrl } from '../session/workspaces.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import classes from './WorkspaceLinks.module.css';

/** Each link reloads the page, so that nothing of one workspace is left in another. */
export function WorkspaceLinks({ session: { workspaces } }: { session: Session }) {
  return (
    <ul className={classes.workspaces}>
      {workspaces.map(({ uuid, name, role }) => (
        <li key={uuid}>
          <a href={workspaceUrl(uuid)} aria-current={uuid === openedWorkspace() ? 'true' : undefined}>
            <span>
              <UntrustedText text={name} />
              <small>
                <UntrustedText text={roleName(role)} />
              </small>
            </span>
            {uuid === openedWorkspace() && <IconCheck size={16} aria-hidden />}
          </a>
        </li>
      ))}
    </ul>
  );
}
