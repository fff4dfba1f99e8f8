import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { ApiError } from '../api/ApiError.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { Notice } from '../ui/Notice.tsx';

export class PageBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    // A request that the whole page depends on failed.
    if (error instanceof ApiError) return <ErrorAlert error={error} onRetry={() => window.location.reload()} />;
    const outdated = /import|module|chunk|preload/i.test(error.message);
    return (
      <Notice
        tone="bad"
        title={outdated ? 'Part of the console could not be loaded' : 'This page failed'}
        actions={
          <Button size="xs" variant="default" onClick={() => window.location.reload()}>
            Reload
          </Button>
        }
      >
        {outdated ? 'There may be a new version, or the connection was lost. Reload the page.' : error.message}
      </Notice>
    );
  }
}
