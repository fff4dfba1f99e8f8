import { Button } from '@mantine/core';
import { download } from '../ui/page/download.ts';
import { Notice } from '../ui/Notice.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { StartOver } from './StartOver.tsx';

// Why the page shows no list.

export function ElsewhereNotice() {
  return (
    <Notice tone="warn" title="Bulk unsubscribe is open in another tab">
      One list at a time. This page continues when the other tab leaves it.
    </Notice>
  );
}

export function GoneNotice() {
  return (
    <Notice tone="neutral" title="The list was deleted">
      Someone signed out in this browser, and signing out deletes the list. Reload the page to continue.
    </Notice>
  );
}

export function BrokenNotice({ error }: { error: string }) {
  return (
    <Notice tone="bad" title="This browser cannot keep a list">
      A list would not survive a crash, so none can be started. Allow this site to store data, then reload the page.{' '}
      <UntrustedText text={error} />
    </Notice>
  );
}

/** Shown when the list in the journal belongs to another workspace than the session. */
export function ForeignNotice() {
  return (
    <Notice tone="warn" title="There is a list of another workspace" actions={<StartOver isLoss />}>
      Sign in to that workspace to continue it. Starting a new list here deletes it from this browser.
    </Notice>
  );
}

/** Shown when another version of the console has written the list. */
export function UnreadableNotice({ contents }: { contents: unknown }) {
  const save = () =>
    download('unreadable-list.json', new Blob([JSON.stringify(contents, null, 2)], { type: 'application/json' }));
  return (
    <Notice
      tone="warn"
      title="This version cannot read the list in this browser"
      actions={
        <>
          <Button variant="default" size="xs" onClick={save}>
            Save it as a file
          </Button>
          <StartOver isLoss />
        </>
      }
    >
      Another version of the console made it. It is kept until you start a new list.
    </Notice>
  );
}
