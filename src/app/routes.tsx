import { lazy } from 'react';
import { createRoutesFromElements, Route, useRoutes } from 'react-router';
import { paths } from '../url/paths.ts';
import { Shell } from '../shell/Shell.tsx';
import { afterPaint } from '../shell/afterPaint.ts';
import { readFirstRows } from '../session/readFirstRows.ts';
import { lazyPage } from './lazyPage.tsx';

const overview = lazyPage(async () => (await import('../overview/StartPage.tsx')).StartPage);
// Each list is loaded when opened, or before; the table that they share is in the first load (main.tsx).
const contacts = lazyPage(async () => (await import('../contacts/ContactsPage.tsx')).ContactsPage);
const domains = lazyPage(async () => (await import('../domains/DomainsPage.tsx')).DomainsPage);
const firstContacts = async () => (await import('../contacts/ContactsPage.tsx')).firstContacts();
const firstDomains = async () => (await import('../domains/DomainsPage.tsx')).firstDomains();
// The other pages are loaded when opened.
const SignInPage = lazy(async () => ({ default: (await import('../session/SignInPage.tsx')).SignInPage }));
const ContactPage = lazy(async () => ({ default: (await import('../contacts/ContactPage.tsx')).ContactPage }));
const BulkPage = lazy(async () => ({ default: (await import('../bulk/BulkPage.tsx')).BulkPage }));
const NotFoundPage = lazy(async () => ({ default: (await import('../shell/NotFoundPage.tsx')).NotFoundPage }));
const DomainPage = lazy(async () => ({ default: (await import('../domains/DomainPage.tsx')).DomainPage }));
const ActivityPage = lazy(async () => ({ default: (await import('../auditLog/ActivityPage.tsx')).ActivityPage }));
const PeoplePage = lazy(async () => ({ default: (await import('../members/PeoplePage.tsx')).PeoplePage }));
const TokensPage = lazy(async () => ({ default: (await import('../members/TokensPage.tsx')).TokensPage }));
const SessionsPage = lazy(async () => ({ default: (await import('../members/SessionsPage.tsx')).SessionsPage }));
// After the paint that the key brings about: to ask for the files of a part takes as long as a short script.
const Palette = lazy(async () => {
  await afterPaint();
  return { default: (await import('./ConsolePalette.tsx')).ConsolePalette };
});

// The URL's page loads while the session does. The static build has its path in the hash. A sign-in leads to the overview.
const start = [window.location.pathname, window.location.hash.replace(/\?.*/s, '')];
const startsAt = (path: string) => start.some((it) => it.endsWith(path));
const loading = [
  ...(startsAt(paths.overview) || startsAt(paths.signIn) ? [overview.preload()] : []),
  ...(startsAt(paths.contacts) ? [contacts.preload(), readFirstRows(firstContacts)] : []),
  ...(startsAt(paths.domains) ? [domains.preload(), readFirstRows(firstDomains)] : []),
];

/** Resolves once the page of the URL renders at once, where it is one of these; a list with its rows, if they come soon. */
export const firstPage: Promise<unknown> = Promise.all(loading);

// Both once the user does anything, so that the other opens at once. Not before what was done is painted.
for (const event of ['pointermove', 'pointerdown', 'keydown']) {
  window.addEventListener(event, () => void preloadLists(), { once: true });
}

async function preloadLists(): Promise<void> {
  await afterPaint();
  void contacts.preload();
  void domains.preload();
}

// Elements, not route loaders: a loader would run again at every change of the query string.
const routes = createRoutesFromElements(
  <>
    <Route path={paths.signIn} element={<SignInPage />} />
    <Route element={<Shell Palette={Palette} />}>
      <Route index element={<overview.Page />} />
      <Route path={paths.contacts} element={<contacts.Page />} />
      <Route path={`${paths.contacts}/:contact`} element={<ContactPage />} />
      {/* For an identity with an unescaped slash, in a link of another system. Only the route above matches a line break. */}
      <Route path={`${paths.contacts}/*`} element={<ContactPage />} />
      <Route path={paths.bulk} element={<BulkPage />} />
      <Route path={paths.domains} element={<domains.Page />} />
      <Route path={`${paths.domains}/:name`} element={<DomainPage />} />
      <Route path={paths.activity} element={<ActivityPage />} />
      <Route path={paths.people} element={<PeoplePage />} />
      <Route path={paths.tokens} element={<TokensPage />} />
      <Route path={paths.sessions} element={<SessionsPage />} />
      <Route path="*" element={<NotFoundPage />} />
    </Route>
  </>,
);

/**
 * The page of the URL. A path with a line break may match no route, not even `*`: then it is the page that is not
 * found.
 */
export function Pages() {
  return useRoutes(routes) ?? <NotFound />;
}

function NotFound() {
  return useRoutes(routes, '/nowhere');
}
