import { formatCount } from '../../ui/format/formatCount.ts';
import { Notice } from '../../ui/Notice.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { Link } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';
import type { Erased } from './ErasePerson.tsx';
import { LiftErasure } from './LiftErasure.tsx';

export function ErasedPerson({ erased }: { erased: Erased }) {
  const { reference, requestId } = erased === 'earlier' ? {} : erased;
  const title =
    erased === 'earlier'
      ? 'This person has already been erased.'
      : 'The record, its events and log entries about the person are deleted.';
  return (
    <>
      <PageTitle title="Person erased" />
      <Notice tone="good" title={title}>
        <p>
          {erased !== 'earlier' && (
            <>
              Events: {formatCount(erased.events)}. Changes: {formatCount(erased.changes)}.{' '}
              {!erased.is_complete && 'Some events are still being deleted, but no longer visible. '}
            </>
          )}
          Adding or importing this person again is blocked until an admin lifts the erasure.
        </p>
        <p>Bulk unsubscribe lists and files you saved may still contain this person.</p>
        <p>Attributes and events of other contacts weren’t searched.</p>
        {reference !== undefined && (
          <p>
            Reference: <UntrustedText text={reference} />
          </p>
        )}
        {requestId !== undefined && (
          <p>
            Request ID in the log: <UntrustedText className="mono" text={requestId} />{' '}
            <CopyButton value={requestId} what="request ID" />
          </p>
        )}
      </Notice>
      <LiftErasure />
      <p>
        <Link to={paths.contacts}>All contacts</Link>
      </p>
    </>
  );
}
