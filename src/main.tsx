import { MantineProvider } from '@mantine/core';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/Button.layer.css';
import '@mantine/core/styles/ActionIcon.layer.css';
import '@mantine/core/styles/Loader.layer.css';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Input.layer.css';
import './global.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, Suspense, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter, HashRouter } from 'react-router';
import { ApiError } from './api/ApiError.ts';
import { setBasePath } from './api/client.ts';
import { ErrorAlert } from './api/ErrorAlert.tsx';
import { queryClient } from './queryClient.ts';
import { Pages } from './routes.tsx';
import { watchSession } from './session/session.ts';
import { cssVariablesResolver, theme } from './theme.ts';

// The content security policy allows styles made at run time only with the nonce of this very page: Mantine's variables.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

// A service that people reach under a path of somebody's host says so: all our addresses begin with it.
const path = document.querySelector<HTMLMetaElement>('meta[name="sendroom-path"]')?.content ?? '';
setBasePath(path);

// The static build has this element: no service has served it, and a file beside it says which one to call. Its host knows
// one page, so that what the page shows is said after the #.
if (document.querySelector('meta[name="sendroom-elsewhere"]') === null) {
  show(
    <BrowserRouter basename={path}>
      <Pages />
    </BrowserRouter>,
  );
} else {
  void import('./session/remoteService.ts')
    .then(({ connectToRemoteService }) => connectToRemoteService())
    .then(
      () =>
        show(
          <HashRouter>
            <Pages />
          </HashRouter>,
        ),
      showError,
    );
}

function showError(error: unknown): void {
  show(<ErrorAlert error={error} onRetry={() => window.location.reload()} />);
}

/** Of what a part of the page failed with. A call that failed is none of the page's faults, and is told on it. */
function logRenderError(error: unknown): void {
  // oxlint-disable-next-line no-console -- React would tell it there as well
  if (!(error instanceof ApiError)) console.error(error);
}

function show(content: ReactNode): void {
  watchSession(queryClient);
  createRoot(root as HTMLElement, { onCaughtError: logRenderError }).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <Suspense>{content}</Suspense>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
