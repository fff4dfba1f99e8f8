import { lazy, Suspense } from 'react';
import type { ReadableContact } from '#contract/contact.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { personAddress, personName } from '../contact/person.ts';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import classes from './FindBox.module.css';
import { Subscription } from './Subscription.tsx';
import { useFinder, type FinderOptions } from './useFinder.ts';

// Loaded when somebody is not found at once.
const People = lazy(async () => ({ default: (await import('./FindOutcome.tsx')).People }));
const NotFound = lazy(async () => ({ default: (await import('./FindOutcome.tsx')).NotFound }));

/** Says how the text of the box reads before a request is sent, and what a look-up has found. `hint` is for no text. */
export function Finder({ hint, ...options }: FinderOptions & { hint: string }) {
  const { reading, words, refused, offer, search, lookUp, open } = useFinder(options);
  const { text, filter } = options;
  return (
    <>
      <div id="find-reading" className={classes.reading} data-fault={refused !== null || undefined} aria-live="polite">
        {offer?.record ? (
          <Offer record={offer.record} />
        ) : (
          <UntrustedText className={classes.words} text={refused ?? (text.trim() === '' ? hint : words)} />
        )}
      </div>
      {search.isError && <ErrorAlert error={search.error} />}
      <Suspense>
        {reading.kind === 'people' && offer === null && (
          <People people={reading.people} onChoose={({ identity }) => lookUp(identity)} />
        )}
        {search.data === null && !(filter !== undefined && reading.kind === 'words') && (
          <NotFound identity={search.variables} list={filter?.state} onOpen={open} />
        )}
      </Suspense>
    </>
  );
}

/** The contact that Enter opens. */
function Offer({ record }: { record: ReadableContact }) {
  const [name, address] = [personName(record), personAddress(record)];
  return (
    <span className={classes.offer}>
      <Link to={paths.contact(record.uuid)}>
        Open <UntrustedText text={name} />
      </Link>
      {address !== name && <UntrustedText text={address} />}
      <Subscription subscribed={record.subscribed} />
      <kbd>Enter</kbd>
    </span>
  );
}
