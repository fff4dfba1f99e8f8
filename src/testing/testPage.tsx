import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { configure, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { BrowserRouter } from 'react-router';
import { vi } from 'vitest';
import { queryClient } from '../session/queryClient.ts';

// Generous timeouts for a busy machine.
configure({ asyncUtilTimeout: 5000 });
vi.setConfig({ testTimeout: 20_000 });

/**
 * For tests: renders `page` at `url` inside the providers of main.tsx, without retries. `show` renders another page
 * there.
 */
export function openPage(page: ReactNode, url = '/') {
  window.history.pushState(null, '', url);
  const { queries, ...others } = queryClient.getDefaultOptions();
  const client = new QueryClient({ defaultOptions: { ...others, queries: { ...queries, retry: false } } });
  const around = (inner: ReactNode) => (
    <MantineProvider>
      <QueryClientProvider client={client}>
        <BrowserRouter>{inner}</BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>
  );
  const { rerender } = render(around(page));
  return { client, user: userEvent.setup(), show: (next: ReactNode) => rerender(around(next)) };
}
