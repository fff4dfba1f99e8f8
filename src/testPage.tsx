import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { configure, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { BrowserRouter } from 'react-router';
import { vi } from 'vitest';

// A busy machine is slow, not wrong.
configure({ asyncUtilTimeout: 5000 });
vi.setConfig({ testTimeout: 20_000 });

/** For tests: shows `page` at `url` with what main.tsx puts around it, and nothing tried again. */
export function openPage(page: ReactNode, url = '/') {
  window.history.pushState(null, '', url);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <BrowserRouter>{page}</BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { client, user: userEvent.setup() };
}
