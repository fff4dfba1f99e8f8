import { lazy } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { paths } from './paths.ts';
import { NotFoundPage } from './shell/NotFoundPage.tsx';
import { Shell } from './shell/Shell.tsx';

const SignInPage = lazy(async () => ({ default: (await import('./session/SignInPage.tsx')).SignInPage }));
const ContactsPage = lazy(async () => ({ default: (await import('./contacts/ContactsPage.tsx')).ContactsPage }));
const ContactPage = lazy(async () => ({ default: (await import('./contacts/ContactPage.tsx')).ContactPage }));
const DomainsPage = lazy(async () => ({ default: (await import('./domains/DomainsPage.tsx')).DomainsPage }));
const DomainPage = lazy(async () => ({ default: (await import('./domains/DomainPage.tsx')).DomainPage }));

// Elements, not route loaders: a loader would run again at every change of the query string (design, house rule 4).
export const routes = (
  <Routes>
    <Route path={paths.signIn} element={<SignInPage />} />
    <Route element={<Shell />}>
      <Route index element={<Navigate to={paths.contacts} replace />} />
      <Route path={paths.contacts} element={<ContactsPage />} />
      <Route path={`${paths.contacts}/:contact`} element={<ContactPage />} />
      <Route path={paths.domains} element={<DomainsPage />} />
      <Route path={`${paths.domains}/:name`} element={<DomainPage />} />
      <Route path="*" element={<NotFoundPage />} />
    </Route>
  </Routes>
);
