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
import './ui/global.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { startTransition, StrictMode, Suspense, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter, HashRouter } from 'react-router';
import { ApiError } from './api/ApiError.ts';
import { ErrorAlert } from './api/ErrorAlert.tsx';
import { queryClient } from './session/queryClient.ts';
import { loadFirstRows, Pages } from './app/routes.tsx';
import { watchSession } from './session/session.ts';
import { openWorkspace } from './session/workspaces.ts';
import { colorSchemeManager } from './ui/page/colorScheme.ts';
import { theme } from './ui/theme.ts';
import { CatchUpWithUrl } from './url/CatchUpWithUrl.tsx';

// The content security policy allows Mantine's run-time styles only with the nonce of the page.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

// A service that is reached under a path writes it into the page: it is the prefix of all our paths.
const path = document.querySelector<HTMLMetaElement>('meta[name="sendroom-path"]')?.content ?? '';

// Only the static build has this element. No service has served it: config.json next to the page names the service. Its
// host serves this one page, so the router uses the hash.
if (document.querySelector('meta[name="sendroom-elsewhere"]') === null) {
  show(
    <BrowserRouter basename={openWorkspace(path)}>
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

/** Logs render errors; an `ApiError` is shown, not logged. */
function logRenderError(error: unknown): void {
  // oxlint-disable-next-line no-console -- React logs there by default
  if (!(error instanceof ApiError)) console.error(error);
}

function show(content: ReactNode): void {
  watchSession(queryClient);
  void loadFirstRows().then(() => render(content));
}

function render(content: ReactNode): void {
  const page = createRoot(root as HTMLElement, { onCaughtError: logRenderError });
  // Between its parts the browser may do other things: the frame is there meanwhile.
  startTransition(() =>
    page.render(
      <StrictMode>
        <MantineProvider theme={theme} colorSchemeManager={colorSchemeManager} getStyleNonce={() => nonce}>
          <QueryClientProvider client={queryClient}>
            <Suspense>
              <CatchUpWithUrl>{content}</CatchUpWithUrl>
            </Suspense>
          </QueryClientProvider>
        </MantineProvider>
      </StrictMode>,
    ),
  );
}
