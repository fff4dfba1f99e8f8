import { Notice } from '../../ui/Notice.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { StorageError } from '../deskStore.ts';
import { StorageErrorNotice } from '../StorageErrorNotice.tsx';

/** Why a reading gave no list: nothing could be read, or what was read could not be kept. */
export function ReadingErrorNotice({ error }: { error: Error | null }) {
  if (error === null) return null;
  if (error instanceof StorageError) return <StorageErrorNotice of={[{ error }]} />;
  return (
    <Notice tone="bad" title="This cannot be read">
      <UntrustedText text={error.message} />
    </Notice>
  );
}
