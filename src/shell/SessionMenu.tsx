import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { IconLogout, IconMoon, IconSun, IconUserCircle } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import type { Session } from '#contract/session.ts';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { closeSession } from '../session/session.ts';
import { openedWorkspace, workspaceUrl } from '../session/workspaces.ts';
import { useGlobalActions } from '../ui/page/actions.ts';
import { announce } from '../ui/page/announce.ts';
import { keepSettings } from '../ui/page/settings.ts';
import { localZone, setUtc, useTimeZone } from '../ui/format/time.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { useOpenPage } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import classes from './SessionMenu.module.css';

// Most people have one workspace.
const WorkspaceSwitch = lazy(async () => ({ default: (await import('./WorkspaceSwitch.tsx')).WorkspaceSwitch }));

export function SessionMenu({ session }: { session: Session | undefined }) {
  const client = useQueryClient();
  const openPage = useOpenPage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
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
        setColorScheme(colorScheme);
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
  const isUtc = useTimeZone() !== localZone;
  const showOtherZone = () => setUtc(!isUtc);
  const other = scheme === 'dark' ? 'light' : 'dark';
  useGlobalActions([
    { id: 'colours', label: `Use the ${other} colours`, run: () => setColorScheme(other) },
    { id: 'time-zone', label: `Show times in ${isUtc ? localZone : 'UTC'}`, run: showOtherZone },
    { id: 'sign-out', label: 'Sign out', run: () => void signOut() },
  ]);
  const workspace =
    session?.name ?? (session?.workspace_uuid ? `Workspace ${session.workspace_uuid.slice(0, 8)}` : 'Workspace');
  // Some providers return no email.
  const person = session?.person && (session.person.email || session.person.name);
  return (
    <div className={classes.foot}>
      {session !== undefined && session.workspaces.length > 1 ? (
        <Suspense>
          <WorkspaceSwitch session={session} />
        </Suspense>
      ) : (
        <div
          className={classes.name}
          title={session?.workspace_uuid ? escapeHidden(session.workspace_uuid) : undefined}
        >
          {session !== undefined && <UntrustedText text={workspace} />}
        </div>
      )}
      {person && <UntrustedText className={classes.name} text={person} />}
      {fault !== null && (
        <p className={classes.fault}>
          Could not sign out. <UntrustedText text={fault.message} />
        </p>
      )}
      <div className={classes.actions}>
        <ActionIcon
          variant="subtle"
          color="gray"
          className={classes.extra}
          aria-label="Times in UTC"
          aria-pressed={isUtc}
          title={`Times are in ${isUtc ? 'UTC' : localZone}`}
          onClick={showOtherZone}
        >
          UTC
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          className={classes.extra}
          aria-label={`Use the ${other} colours`}
          title={`Use the ${other} colours`}
          onClick={() => setColorScheme(other)}
        >
          {scheme === 'dark' ? <IconSun size={18} /> : <IconMoon size={18} />}
        </ActionIcon>
        {/* Reserves its place until the session is loaded. */}
        {(session?.capabilities.includes('listSessions') ?? true) && (
          <ActionIcon
            variant="subtle"
            color="gray"
            className={classes.extra}
            style={{ visibility: session === undefined ? 'hidden' : undefined }}
            aria-label="Your sessions"
            title={person ? `Your sessions as ${escapeHidden(person)}` : 'Your sessions'}
            onClick={() => openPage(paths.sessions)}
          >
            <IconUserCircle size={18} />
          </ActionIcon>
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Sign out"
          title="Sign out"
          loading={isSigningOut}
          onClick={() => void signOut()}
        >
          <IconLogout size={18} />
        </ActionIcon>
      </div>
    </div>
  );
}
