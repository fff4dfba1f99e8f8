import { lazy } from 'react';
import { createRoutesFromElements, Navigate, Route, useRoutes } from 'react-router';
import { ContactsPage } from './contacts/ContactsPage.tsx';
import { DomainsPage } from './domains/DomainsPage.tsx';
import { paths } from './paths.ts';
import { Shell } from './shell/Shell.tsx';

// The two lists are where everybody starts, and most of their code is the table's, which the first of them needs anyway:
// they come with the first load. The other pages are fetched when opened.
const SignInPage = lazy(async () => ({ default: (await import('./session/SignInPage.tsx')).SignInPage }));
const ContactPage = lazy(async () => ({ default: (await import('./contacts/ContactPage.tsx')).ContactPage }));
const DeskPage = lazy(async () => ({ default: (await import('./desk/DeskPage.tsx')).DeskPage }));
const NotFoundPage = lazy(async () => ({ default: (await import('./shell/NotFoundPage.tsx')).NotFoundPage }));
const DomainPage = lazy(async () => ({ default: (await import('./domains/DomainPage.tsx')).DomainPage }));

// Elements, not route loaders: a loader would run again at every change of the query string.
const routes = createRoutesFromElements(
  <>
    <Route path={paths.signIn} element={<SignInPage />} />
    <Route element={<Shell />}>
      <Route index element={<Navigate to={paths.contacts} replace />} />
      <Route path={paths.contacts} element={<ContactsPage />} />
      <Route path={`${paths.contacts}/:contact`} element={<ContactPage />} />
      {/* A link in another system may leave a slash of an identity as it is. It takes no end of a line: the first one does. */}
      <Route path={`${paths.contacts}/*`} element={<ContactPage />} />
      <Route path={paths.desk} element={<DeskPage />} />
      <Route path={paths.domains} element={<DomainsPage />} />
      <Route path={`${paths.domains}/:name`} element={<DomainPage />} />
      <Route path="*" element={<NotFoundPage />} />
    </Route>
  </>,
);

/** The page that the address leads to. An end of a line, which an address may hold, is nothing that a star stands for. */
export function Pages() {
  const page = useRoutes(routes);
  const nowhere = useRoutes(routes, '/nowhere');
  return page ?? nowhere;
}
