import { ActionIcon } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { IconHelp, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useState, type ComponentProps } from 'react';
import type { Session } from '#contract/session.ts';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { closeSession } from '../session/session.ts';
import { openedWorkspace, workspaceUrl } from '../session/workspaces.ts';
import { useGlobalActions } from '../ui/page/actions.ts';
import { announce } from '../ui/page/announce.ts';
import { keepSettings } from '../ui/page/settings.ts';
import { localZone, setUtc, useTimeZone } from '../ui/format/time.ts';
import { EndCut, UntrustedText } from '../ui/values/UntrustedText.tsx';
import { useOpenPage } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import { startNews, useIsNewsUnseen } from './help/news.ts';
import { overlay } from './overlay.ts';
import classes from './SessionMenu.module.css';
import { ThemeSelect } from './Theme.tsx';

// Most people have one workspace.
const WorkspaceSwitch = lazy(async () => ({ default: (await import('./WorkspaceSwitch.tsx')).WorkspaceSwitch }));

export function SessionMenu({ session }: { session: Session | undefined }) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const openPage = useOpenPage();
  const isNewsUnseen = useIsNewsUnseen();
  useEffect(startNews, []);
  const { isSigningOut, fault, signOut } = useSignOut();
  const isUtc = useTimeZone() !== localZone;
  const showOtherZone = () => setUtc(!isUtc);
  useGlobalActions([
    { id: 'time-zone', label: `Show times in ${isUtc ? localZone : 'UTC'}`, run: showOtherZone },
    { id: 'sign-out', label: 'Sign out', run: signOut },
  ]);
  // Some providers return no email.
  const person = session?.person && (session.person.email || session.person.name);
  return (
    <div className={classes.foot}>
      {session ? <Workspace session={session} /> : <div className={classes.name} />}
      {person && <UntrustedText className={classes.name} text={person} />}
      {fault !== null && (
        <p className={classes.fault}>
          Could not sign out. <UntrustedText text={fault.message} />
        </p>
      )}
      <div className={classes.actions}>
        <MenuButton
          label="Times in UTC"
          title={`Times are in ${isUtc ? 'UTC' : localZone}`}
          aria-pressed={isUtc}
          className={classes.extra}
          onClick={showOtherZone}
        >
          UTC
        </MenuButton>
        <ThemeSelect />
        {(session?.capabilities.includes('listSessions') ?? true) && (
          <MenuButton
            label="Your sessions"
            title={person ? `Your sessions as ${escapeHidden(person)}` : 'Your sessions'}
            className={classes.extra}
            style={{ visibility: session === undefined ? 'hidden' : undefined }}
            onClick={() => openPage(paths.sessions)}
          >
            <IconUserCircle size={18} />
          </MenuButton>
        )}
        <MenuButton
          label={isNewsUnseen ? 'Help, and what’s new' : 'Help'}
          data-unseen={isNewsUnseen || undefined}
          onClick={() => overlay.write('help')}
        >
          <IconHelp size={18} />
        </MenuButton>
        <MenuButton label="Sign out" loading={isSigningOut} onClick={signOut}>
          <IconLogout size={18} />
        </MenuButton>
      </div>
    </div>
  );
}

function Workspace({ session }: { session: Session }) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  if (session.workspaces.length > 1) {
    return (
      <Suspense>
        <WorkspaceSwitch session={session} />
      </Suspense>
    );
  }
  const { name, workspace_uuid: uuid } = session;
  return (
    <div className={classes.name} title={uuid ? escapeHidden(uuid) : undefined}>
      <EndCut text={name ?? (uuid ? `Workspace ${uuid.slice(0, 8)}` : 'Workspace')} />
    </div>
  );
}

type MenuButtonProps = ComponentProps<typeof ActionIcon<'button'>> & { label: string };

const MenuButton = ({ label, ...props }: MenuButtonProps) => (
  <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} {...props} />
);

function useSignOut() {
  const client = useQueryClient();
  const [isSigningOut, setSigningOut] = useState(false);
  const [fault, setFault] = useState<Error | null>(null);
  const signOut = async () => {
    setSigningOut(true);
    setFault(null);
    try {
      const { prepareDeletion } = await import('./unfinishedList.ts');
      const deleteLists = await prepareDeletion(client);
      if (deleteLists !== null) {
        await closeSession(client, deleteLists);
        // The response clears the browser's storage, but these settings belong to the browser.
        keepSettings();
        // The sign-in page then leads to any workspace, and offers to sign out of the account.
        if (openedWorkspace() !== null) window.location.replace(`${workspaceUrl(null, paths.signIn)}#signed-out=1`);
      }
    } catch (error) {
      setFault(error as Error);
      announce(`Could not sign out: ${(error as Error).message}`);
    }
    setSigningOut(false);
  };
  return { isSigningOut, fault, signOut: () => void signOut() };
}
