import { lazy } from 'react';
import { createRoutesFromElements, Navigate, Route, useRoutes } from 'react-router';
import { ContactsPage } from '../contacts/ContactsPage.tsx';
import { DomainsPage } from '../domains/DomainsPage.tsx';
import { paths } from '../url/paths.ts';
import { Shell } from '../shell/Shell.tsx';

// The two lists are in the first load: they are the start pages, and most of their code is the table they share. The
// other pages are loaded when opened.
const SignInPage = lazy(async () => ({ default: (await import('../session/SignInPage.tsx')).SignInPage }));
const ContactPage = lazy(async () => ({ default: (await import('../contacts/ContactPage.tsx')).ContactPage }));
const DeskPage = lazy(async () => ({ default: (await import('../desk/DeskPage.tsx')).DeskPage }));
const NotFoundPage = lazy(async () => ({ default: (await import('../shell/NotFoundPage.tsx')).NotFoundPage }));
const DomainPage = lazy(async () => ({ default: (await import('../domains/DomainPage.tsx')).DomainPage }));
const Palette = lazy(async () => ({ default: (await import('./ConsolePalette.tsx')).ConsolePalette }));

// Elements, not route loaders: a loader would run again at every change of the query string.
const routes = createRoutesFromElements(
  <>
    <Route path={paths.signIn} element={<SignInPage />} />
    <Route element={<Shell Palette={Palette} />}>
      <Route index element={<Navigate to={paths.contacts} replace />} />
      <Route path={paths.contacts} element={<ContactsPage />} />
      <Route path={`${paths.contacts}/:contact`} element={<ContactPage />} />
      {/* For an identity with an unescaped slash, in a link of another system. Only the route above matches a line break. */}
      <Route path={`${paths.contacts}/*`} element={<ContactPage />} />
      <Route path={paths.desk} element={<DeskPage />} />
      <Route path={paths.domains} element={<DomainsPage />} />
      <Route path={`${paths.domains}/:name`} element={<DomainPage />} />
      <Route path="*" element={<NotFoundPage />} />
    </Route>
  </>,
);

/**
 * The page of the URL. A path with a line break may match no route, not even `*`: then it is the page that is not
 * found.
 */
export function Pages() {
  const page = useRoutes(routes);
  const notFound = useRoutes(routes, '/nowhere');
  return page ?? notFound;
}
