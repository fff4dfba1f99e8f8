import '@ant-design/v5-patch-for-react-19';
import { RefineThemes, ThemedLayout, useNotificationProvider } from '@refinedev/antd';
import '@refinedev/antd/dist/reset.css';
import { Refine } from '@refinedev/core';
import routerProvider, { NavigateToResource } from '@refinedev/react-router';
import { App, ConfigProvider } from 'antd';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter, Outlet, Route, Routes } from 'react-router';
import { dataProvider } from './dataProvider.ts';
import { DomainList } from './DomainList.tsx';

const layout = (
  <ThemedLayout>
    <Outlet />
  </ThemedLayout>
);

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <BrowserRouter>
      <ConfigProvider theme={RefineThemes.Blue}>
        <App>
          <Refine
            dataProvider={dataProvider}
            routerProvider={routerProvider}
            notificationProvider={useNotificationProvider}
            resources={[{ name: 'domains', list: '/domains' }]}
            options={{ syncWithLocation: true, disableTelemetry: true }}
          >
            <Routes>
              <Route element={layout}>
                <Route index element={<NavigateToResource resource="domains" />} />
                <Route path="/domains" element={<DomainList />} />
              </Route>
            </Routes>
          </Refine>
        </App>
      </ConfigProvider>
    </BrowserRouter>
  </StrictMode>,
);
