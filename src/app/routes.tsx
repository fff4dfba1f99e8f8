import { lazy } from 'react';
import { createRoutesFromElements, Route, useRoutes } from 'react-router';
import { listContacts } from '#contract/additions.ts';
import { listDomains } from '#contract/interface.ts';
import { ContactsPage, firstContacts } from '../contacts/ContactsPage.tsx';
import { DomainsPage, firstDomains } from '../domains/DomainsPage.tsx';
import { StartPage } from '../overview/StartPage.tsx';
import { queryClient } from '../session/queryClient.ts';
import { afterPaint } from '../shell/afterPaint.ts';
import { Shell } from '../shell/Shell.tsx';
import { paths } from '../url/paths.ts';

// The three pages above are in the first file; the others are loaded when opened.
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

// Elements, not route loaders (docs/decisions/0037-first-page.md).
const routes = createRoutesFromElements(
  <>
    <Route path={paths.signIn} element={<SignInPage />} />
    <Route element={<Shell Palette={Palette} />}>
      <Route index element={<StartPage />} />
      <Route path={paths.contacts} element={<ContactsPage />} />
      <Route path={`${paths.contacts}/:contact`} element={<ContactPage />} />
      {/* For an identity with an unescaped slash, in a link of another system. Only the route above matches a line break. */}
      <Route path={`${paths.contacts}/*`} element={<ContactPage />} />
      <Route path={paths.bulk} element={<BulkPage />} />
      <Route path={paths.domains} element={<DomainsPage />} />
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

/** Milliseconds to wait for the first rows, before the list shows placeholders. */
const LONGEST_WAIT = 200;

/** Reads the rows that the page has requested (index.html), so that its list renders with them. */
export async function loadFirstRows(): Promise<void> {
  const rows = isRequested(listContacts)
    ? queryClient.query(firstContacts())
    : isRequested(listDomains) && queryClient.query(firstDomains());
  // The list shows what went wrong.
  await Promise.race([rows, new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT))]).catch(() => undefined);
}

const isRequested = ({ path }: { path: string }) => globalThis.sendroomFirstRead?.address.includes(`${path}?`);
