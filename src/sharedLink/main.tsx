import { MantineProvider } from '@mantine/core';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/Button.layer.css';
import '@mantine/core/styles/ActionIcon.layer.css';
import '../ui/global.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { setRemoteService } from '../api/client.ts';
import { theme } from '../ui/theme.ts';
import { takeSecret } from './secret.ts';
import { LinkIncomplete, SharedPage } from './SharedPage.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('shared.html has no #root');

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
const path = document.querySelector<HTMLMetaElement>('meta[name="sendroom-path"]')?.content ?? '';

const secret = takeSecret();
// As the token of a service: in a header, and without cookies.
setRemoteService({ baseUrl: window.location.origin + path, token: secret });
// Another link in the same tab only changes the fragment.
window.addEventListener('hashchange', () => window.location.reload());

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={new QueryClient()}>
        {secret === null ? <LinkIncomplete /> : <SharedPage />}
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
