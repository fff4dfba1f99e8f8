import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'react-router';
import { EndCut } from '../../ui/values/UntrustedText.tsx';
import { Link } from '../../url/Link.tsx';
import { OPENED_VIEW, paths } from '../../url/paths.ts';
import { toQuery } from '../../url/urlState.ts';
import { findView, pathOfView } from './viewLink.ts';
import { viewsQuery } from './viewsQuery.ts';
import classes from './RailViews.module.css';

const AllViews = lazy(async () => ({ default: (await import('./AllViews.tsx')).AllViews }));

/** How many views the navigation has room for. */
const SHOWN_MAX = 8;

/** In the navigation: the views of contacts. */
export function RailViews() {
  const { data, isError } = useQuery(viewsQuery());
  const { pathname, search } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const views = data?.data ?? [];
  if (views.length === 0 && !isError) return null;
  const current = pathname === paths.contacts ? findView(views, toQuery(search)) : undefined;
  return (
    <>
      <nav aria-label="Views of contacts" className={classes.views}>
        <strong aria-hidden>Views of contacts</strong>
        {isError && <p>Couldn’t be loaded.</p>}
        {views.slice(0, SHOWN_MAX).map((view) => (
          <Link
            key={view.uuid}
            to={pathOfView(view)}
            state={OPENED_VIEW}
            aria-current={view === current ? 'page' : undefined}
          >
            <EndCut text={view.name} />
          </Link>
        ))}
        {(views.length > SHOWN_MAX || isError) && (
          <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            All views
          </button>
        )}
      </nav>
      {/* Not in the navigation, whose style it would have. */}
      <Suspense>{isOpen && <AllViews onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
