import { useQuery } from '@tanstack/react-query';
import { IconDots } from '@tabler/icons-react';
import { Suspense, lazy, type ComponentType, type MouseEvent, useEffect, useEffectEvent, useLayoutEffect } from 'react';
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
import { listSections, type Section } from './sections.ts';
import { SessionMenu } from './SessionMenu.tsx';
import { overlay } from './overlay.ts';
import classes from './Shell.module.css';
import { useRailMark } from '../ui/page/railMarks.ts';
import { SectionAnchor } from '../url/Link.tsx';

const OtherWorkspacePage = lazy(async () => ({
  default: (await import('./OtherWorkspacePage.tsx')).OtherWorkspacePage,
}));

/** Focuses the content without following the link, which would leave the page in a HashRouter. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

/** Marks the navigation if this browser has a bulk list. Most have none, and load no code. */
function useUnfinishedListMark(): void {
  useEffect(() => {
    const mark = async () => {
      try {
        const databases = await indexedDB.databases();
        if (!document.hidden && databases.length > 0) await (await import('./unfinishedList.ts')).markUnfinishedList();
      } catch {
        // The page of the list shows what is wrong.
      }
    };
    const onShow = () => void mark();
    onShow();
    document.addEventListener('visibilitychange', onShow);
    return () => document.removeEventListener('visibilitychange', onShow);
  }, []);
}

/** Leads to the sign-in page, again if someone goes back while it is loading. After a sign-out it doesn't lead back. */
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

/** The frame of every page: the navigation is on the left, with icons only below 1100 px, at the bottom below 600 px. */
export function Shell({ Palette, Views }: { Palette: PaletteComponent; Views: ComponentType }) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const location = useLocation();
  const session = useQuery(sessionQuery);
  // The last announcement may name a contact, and the next user must not read it.
  useLayoutEffect(() => () => announce(''), []);
  const place = session.data ? locate(session.data) : undefined;
  const path = location.pathname + location.search;
  useEffect(() => {
    if (typeof place === 'object') window.location.replace(workspaceUrl(place.elsewhere, path));
    else if (place === 'here' && openedWorkspace() !== null) writeSetting(LAST_WORKSPACE, openedWorkspace());
  }, [place, path]);
  useUnfinishedListMark();

  if (session.data === null) return <ToSignIn from={path} />;
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
        <Commands Palette={Palette} sections={sections} hasWorkspaces={(session.data?.workspaces.length ?? 0) > 1} />
        {/* All at once: a later link would move the others. */}
        <Sections sections={session.isPending ? [] : sections} />
        <Suspense>{place === 'here' && session.data?.capabilities.includes('listViews') && <Views />}</Suspense>
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

function Sections({ sections }: { sections: readonly Section[] }) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  return (
    <nav aria-label="Sections" className={classes.sections}>
      {sections.map((section) => {
        const tabs = sections.flatMap(({ within, to }) => (within === section.to ? to : []));
        return section.within === undefined && <SectionLink key={section.to} {...section} tabs={tabs} />;
      })}
      <button
        type="button"
        className={`${classes.section} ${classes.more}`}
        aria-haspopup="dialog"
        onClick={() => overlay.write('more')}
      >
        <IconDots size={20} stroke={1.75} aria-hidden />
        <span>More</span>
      </button>
    </nav>
  );
}

function SectionLink({ to, label, Icon, onPhone, tabs }: Section & { tabs: readonly string[] }) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const mark = useRailMark(to);
  return (
    <SectionAnchor
      to={to}
      tabs={tabs}
      className={classes.section}
      title={mark === null ? undefined : `${label}: ${mark.text}`}
      data-desk={onPhone === undefined || undefined}
    >
      <Icon size={20} stroke={1.75} aria-hidden className={classes.wide} />
      <span className={classes.wide}>{label}</span>
      {onPhone && (
        <span className={classes.phone}>
          <onPhone.Icon size={20} stroke={1.75} aria-hidden />
          {onPhone.label}
        </span>
      )}
      {mark !== null && (
        <b className={classes.mark} data-running={mark.isRunning || undefined}>
          <span className="visually-hidden">, </span>
          {mark.text}
        </b>
      )}
    </SectionAnchor>
  );
}
