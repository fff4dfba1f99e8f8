import { lazy, Suspense, type ReactNode } from 'react';
import { type RouteObject, useRoutes } from 'react-router';
import { listContacts } from '#contract/additions.ts';
import { listDomainReports } from '#contract/domains/domainReport.ts';
import { listDomains } from '#contract/interface.ts';
import { BounceReader } from '../domains/bounce/BounceReader.tsx';
import { DomainsPage, firstDomains } from '../domains/DomainsPage.tsx';
import { StartPage } from '../overview/StartPage.tsx';
import { queryClient } from '../session/queryClient.ts';
import { PageBoundary } from '../shell/PageBoundary.tsx';
import { Shell } from '../shell/Shell.tsx';
import { afterPaint, afterFirstLoad } from '../ui/page/afterPaint.ts';
import { paths } from '../url/paths.ts';

// The two pages above are in the first file; the others are loaded when opened.
const loadContacts = () => import('../contacts/ContactsPage.tsx');
const ContactsPage = lazy(async () => ({ default: (await loadContacts()).ContactsPage }));
const SignInPage = lazy(async () => ({ default: (await import('../session/SignInPage.tsx')).SignInPage }));
const ContactPage = lazy(async () => ({ default: (await import('../contacts/ContactPage.tsx')).ContactPage }));
const SuppressionsPage = lazy(async () => ({
  default: (await import('../contacts/suppressions/SuppressionsPage.tsx')).SuppressionsPage,
}));
const ImportPage = lazy(async () => ({ default: (await import('../imports/ImportPage.tsx')).ImportPage }));
const BulkPage = lazy(async () => ({ default: (await import('../bulk/BulkPage.tsx')).BulkPage }));
const RunsPage = lazy(async () => ({ default: (await import('../bulk/runs/RunsPage.tsx')).RunsPage }));
const NotFoundPage = lazy(async () => ({ default: (await import('../shell/NotFoundPage.tsx')).NotFoundPage }));
const AddressesPage = lazy(async () => ({ default: (await import('../domains/AddressesPage.tsx')).AddressesPage }));
const DomainPage = lazy(async () => ({ default: (await import('../domains/DomainPage.tsx')).DomainPage }));
const AuditLogPage = lazy(async () => ({ default: (await import('../auditLog/AuditLogPage.tsx')).AuditLogPage }));
const TeamPage = lazy(async () => ({ default: (await import('../members/TeamPage.tsx')).TeamPage }));
const TokensPage = lazy(async () => ({ default: (await import('../members/TokensPage.tsx')).TokensPage }));
const SessionsPage = lazy(async () => ({ default: (await import('../members/SessionsPage.tsx')).SessionsPage }));
const NotificationsPage = lazy(async () => ({
  default: (await import('../notifications/NotificationsPage.tsx')).NotificationsPage,
}));
const DestinationPage = lazy(async () => ({
  default: (await import('../notifications/DestinationPage.tsx')).DestinationPage,
}));
// Features don't know each other: here a line of the log, or an entry of a list, meets its contact.
const ContactPeek = lazy(async () => ({ default: (await import('../contacts/panel/ContactPeek.tsx')).ContactPeek }));
const withPeek = (page: ReactNode) => (
  <>
    {page}
    <Suspense>
      <ContactPeek />
    </Suspense>
  </>
);
// After the paint that the key brings about: to ask for the files of a part takes as long as a short script.
const Palette = lazy(async () => {
  await afterPaint();
  return { default: (await import('./ConsolePalette.tsx')).ConsolePalette };
});

// After the first rows: it has room below the sections. The list of contacts has the views too, so that a page stays without them.
const RailViews = lazy(async () => {
  await afterFirstLoad();
  const loaded = await import('../contacts/views/RailViews.tsx').catch(() => null);
  return { default: loaded?.RailViews ?? (() => null) };
});

// No route loaders (docs/decisions/0037-first-page.md).
const routes: RouteObject[] = [
  { path: paths.signIn, Component: SignInPage },
  {
    element: (
      <>
        <Shell Palette={Palette} Views={RailViews} />
        <BounceReader />
      </>
    ),
    children: [
      { index: true, Component: StartPage },
      { path: paths.contacts, Component: ContactsPage },
      { path: `${paths.contacts}/:contact`, Component: ContactPage },
      // For an identity with an unescaped slash, in a link of another system. Only the route above matches a line break.
      { path: `${paths.contacts}/*`, Component: ContactPage },
      { path: paths.suppressions, Component: SuppressionsPage },
      { path: paths.importContacts, Component: ImportPage },
      { path: paths.bulk, element: withPeek(<BulkPage />) },
      { path: paths.runs, Component: RunsPage },
      { path: paths.domains, Component: DomainsPage },
      { path: `${paths.domains}/:name`, Component: DomainPage },
      { path: paths.addresses, Component: AddressesPage },
      {
        path: paths.activity,
        element: withPeek(<AuditLogPage />),
      },
      { path: paths.people, Component: TeamPage },
      { path: paths.tokens, Component: TokensPage },
      { path: paths.sessions, Component: SessionsPage },
      { path: paths.notifications, Component: NotificationsPage },
      { path: `${paths.notifications}/:destination`, Component: DestinationPage },
      { path: '*', Component: NotFoundPage },
    ],
  },
];

/**
 * The page of the URL. A path with a line break may match no route, not even `*`: then it is the page that is not
 * found.
 */
export function Pages() {
  return <PageBoundary>{useRoutes(routes) ?? <NotFound />}</PageBoundary>;
}

function NotFound() {
  return useRoutes(routes, '/nowhere');
}

/** Milliseconds to wait for the first rows, before the list shows placeholders. */
const LONGEST_WAIT = 200;

/** Reads the rows that the page has requested (index.html), so that its list renders with them. */
export async function loadFirstRows(): Promise<void> {
  const rows = isRequested(listContacts)
    ? loadContacts().then(({ firstContacts }) => queryClient.query(firstContacts()))
    : isRequested(listDomainReports)
      ? queryClient.query(firstDomains(true))
      : isRequested(listDomains) && queryClient.query(firstDomains(false));
  // The list shows what went wrong.
  await Promise.race([rows, new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT))]).catch(() => undefined);
}

const isRequested = ({ path }: { path: string }) => globalThis.sendroomFirstRead?.address.includes(`${path}?`);
