import { IconSelector } from '@tabler/icons-react';
import { useState } from 'react';
import type { Session } from '#contract/session.ts';
import { openedWorkspace, workspaceUrl } from '../session/workspaces.ts';
import { useGlobalActions } from '../ui/page/actions.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { WorkspaceLinks } from './WorkspaceLinks.tsx';
import classes from './WorkspaceSwitch.module.css';

export function WorkspaceSwitch({ session }: { session: Session }) {
  const [isOpen, setOpen] = useState(false);
  const isHere = session.workspace_uuid === openedWorkspace();
  const others = session.workspaces.filter(({ uuid }) => uuid !== openedWorkspace());
  useGlobalActions([
    { id: 'switch-workspace', label: 'Switch workspace', run: () => setOpen(true) },
    ...others.map(({ uuid, name }) => ({
      id: `switch ${uuid}`,
      label: `Switch to ${name}`,
      run: () => {
        window.location.href = workspaceUrl(uuid);
      },
    })),
  ]);
  return (
    <>
      <button
        type="button"
        className={classes.switch}
        aria-haspopup="dialog"
        title="Switch workspace"
        onClick={() => setOpen(true)}
      >
        <UntrustedText className={classes.name} text={isHere ? (session.name ?? 'Workspace') : 'Your workspaces'} />
        <span className="visually-hidden">, switch workspace</span>
        <IconSelector size={18} aria-hidden />
      </button>
      {isOpen && (
        <Dialog title="Switch workspace" closable onClose={() => setOpen(false)}>
          <WorkspaceLinks session={session} />
        </Dialog>
      )}
    </>
  );
}
