import { formatCount } from '../../ui/format/formatCount.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { Link } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';
import { AcceptAgain } from './AcceptAgain.tsx';
import type { Erased } from './eraseContact.ts';

/** In place of the page of a contact that was erased. It names nobody. */
export function ErasedPerson({ erased }: { erased: Erased }) {
  const { reference, requestId } = erased === 'earlier' ? {} : erased;
  const title =
    erased === 'earlier'
      ? 'This person was erased already.'
      : 'The record, its events and what the log said of the person are gone.';
  return (
    <>
      <PageTitle title="Person erased" />
      <Notice tone="good" title={title}>
        <p>
          {erased !== 'earlier' && (
            <>
              Events: {formatCount(erased.events)}. Changes: {formatCount(erased.changes)}.{' '}
              {!erased.is_complete && 'Some events are still being deleted; nobody can see them. '}
            </>
          )}
          Whoever adds or imports this person again is refused, until an admin lifts that.
        </p>
        <p>A list at Bulk unsubscribe, or a file that you saved, may still name them: delete these yourself.</p>
        <p>The attributes and events of other contacts were not searched for this person.</p>
        {reference !== undefined && (
          <p>
            Number of the request: <UntrustedText text={reference} />
          </p>
        )}
        {requestId !== undefined && (
          <p>
            In the log: request <UntrustedText className="mono" text={requestId} />{' '}
            <CopyButton value={requestId} what="request ID" />
          </p>
        )}
      </Notice>
      <AcceptAgain />
      <p>
        <Link to={paths.contacts}>All contacts</Link>
      </p>
    </>
  );
}
