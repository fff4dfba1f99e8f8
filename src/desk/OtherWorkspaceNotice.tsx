import { Notice } from '../ui/Notice.tsx';
import { StartOver } from './StartOver.tsx';

/** Shown when the list in the journal belongs to another workspace than the session. */
export function OtherWorkspaceNotice() {
  return (
    <Notice tone="warn" title="A list of another workspace is on the desk" actions={<StartOver isLoss />}>
      It was begun with a token of another workspace. Sign in to that one to go on with it, or start over here, which
      deletes it from this browser.
    </Notice>
  );
}
