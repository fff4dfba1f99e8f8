import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useEffectEvent, useLayoutEffect, type MouseEvent } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import favicon from '../ui/favicon.svg?inline';
import { paths } from '../url/paths.ts';
import { sessionQuery, wasSignedOut } from '../session/session.ts';
import { LAST_WORKSPACE, locate, openedWorkspace, workspaceUrl } from '../session/workspaces.ts';
import { announce } from '../ui/page/announce.ts';
import { writeSetting } from '../ui/page/settings.ts';
import { ToastPlace } from '../ui/ToastPlace.tsx';
import { Commands, type PaletteComponent } from './palette/Commands.tsx';
import { PageBoundary } from './PageBoundary.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { SectionLink } from './SectionLink.tsx';
import { listSections } from './sections.ts';
import { SessionMenu } from './SessionMenu.tsx';
import classes from './Shell.module.css';

const OtherWorkspacePage = lazy(async () => ({
  default: (await import('./OtherWorkspacePage.tsx')).OtherWorkspacePage,
}));

/** Focuses the content without following the link, which would leave the page where a HashRouter is used. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

/** Marks the rail where this browser has a list of the desk. Most have none, and then no code is loaded. */
async function markUnfinishedList(): Promise<void> {
  try {
    const databases = await indexedDB.databases();
    if (document.hidden || databases.length === 0) return;
    await (await import('./unfinishedList.ts')).markUnfinishedList();
  } catch {
    // Without the journal there is no mark. The page of the list says what is wrong.
  }
}

/** Leads to the sign-in page, and after a sign-out not back; once more where somebody goes back while that is still loading. */
function ToSignIn({ from }: { from: string }): null {
  const navigate = useNavigate();
  const go = useEffectEvent(
    () => void navigate(paths.signIn, { replace: true, state: wasSignedOut() ? null : { from } }),
  );
  useEffect(() => {
    const listen = () => go();
    listen();
    window.addEventListener('popstate', listen);
    return () => window.removeEventListener('popstate', listen);
  }, []);
  return null;
}

/** The frame of every signed-in page: a rail on the left, icons only below 1100 px, at the bottom below 600 px. */
export function Shell({ Palette }: { Palette: PaletteComponent }) {
  const location = useLocation();
  const session = useQuery(sessionQuery);
  // On a sign-out, before the next page is shown: the last announcement may name a contact, and is not for the next user.
  useLayoutEffect(() => () => announce(''), []);
  const place = session.data ? locate(session.data) : undefined;
  const path = location.pathname + location.search;
  useEffect(() => {
    if (typeof place === 'object') window.location.replace(workspaceUrl(place.elsewhere, path));
    else if (place === 'here' && openedWorkspace() !== null) writeSetting(LAST_WORKSPACE, openedWorkspace());
  }, [place, path]);
  useEffect(() => {
    const mark = () => void markUnfinishedList();
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, []);

  if (session.data === null) {
    return <ToSignIn from={path} />;
  }
  if (typeof place === 'object') return null;
  const sections = place === 'nowhere' ? [] : listSections(session.data);
  return (
    <div className="shell">
      <a className={classes.skip} href="#content" onClick={skip}>
        Skip to the content
      </a>
      <header className="rail">
        <div className="brand">
          <img src={favicon} alt="" width={28} height={28} />
          <span>Sendroom</span>
        </div>
        <Commands Palette={Palette} sections={sections} />
        <nav aria-label="Sections" className={classes.sections}>
          {/* Once it is known which there are: a link that comes later would move the others. */}
          {!session.isPending &&
            sections.map(
              ({ within, ...section }) => within === undefined && <SectionLink key={section.to} {...section} />,
            )}
        </nav>
        <SessionMenu session={session.data} />
      </header>
      <ToastPlace />
      <main id="content" className="content" tabIndex={-1}>
        {session.isLoadingError ? (
          <>
            <PageTitle title="Could not start" />
            <ErrorAlert error={session.error} onRetry={() => void session.refetch()} />
          </>
        ) : (
          <PageBoundary key={location.pathname}>
            <Suspense>
              {session.data && place === 'nowhere' ? <OtherWorkspacePage session={session.data} /> : <Outlet />}
            </Suspense>
          </PageBoundary>
        )}
      </main>
    </div>
  );
}
