import { StrictMode } from 'react';
import { Admin, Resource } from 'react-admin';
import { createRoot } from 'react-dom/client';
import { dataProvider } from './dataProvider.ts';
import { DomainList } from './DomainList.tsx';

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Admin dataProvider={dataProvider} disableTelemetry>
      <Resource name="domains" list={DomainList} />
    </Admin>
  </StrictMode>,
);
