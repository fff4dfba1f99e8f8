import { Fragment } from 'react';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import type { BulkEntry } from './bulkState.ts';
import { EntryText } from './EntryRows.tsx';

/** The contact as the service knows it, and the text of the list if that doesn't have its email. Before a look-up, the text alone. */
export function NamedEntry({ entry: { person, text } }: { entry: BulkEntry }) {
  const known = [person?.name ?? '', person?.email ?? ''].filter((part) => part !== '');
  if (known.length === 0) return <EntryText text={text} />;
  const email = person?.email.toLowerCase() ?? '';
  const isListed = email !== '' && text.toLowerCase().includes(email);
  return (
    <>
      {known.map((part, index) => (
        <Fragment key={part}>
          {index > 0 && ', '}
          <UntrustedText text={part} />
        </Fragment>
      ))}
      {!isListed && (
        <>
          , listed as <EntryText text={text} />
        </>
      )}
    </>
  );
}
