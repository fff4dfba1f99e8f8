import { lazy, Suspense } from 'react';
import type { ReadableContact } from '#contract/contact.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { personAddress, personName } from '../../identity/person.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { Link } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';
import classes from './FindBox.module.css';
import { Subscription } from '../unsubscribe/Subscription.tsx';
import type { ContactFilter } from '../useContactFilter.ts';
import type { useFinder } from './useFinder.ts';

// Loaded when somebody is not found at once.
const People = lazy(async () => ({ default: (await import('./FindOutcome.tsx')).People }));
const NotFound = lazy(async () => ({ default: (await import('./FindOutcome.tsx')).NotFound }));

type Props = {
  text: string;
  hint: string;
  filter: ContactFilter | undefined;
  found: ReturnType<typeof useFinder>;
};

/** Says how the text of the box reads before a request is sent, and what a look-up has found. `hint` is for no text. */
export function Finder({ text, hint, filter, found }: Props) {
  const { reading, words, refused, offer, search, lookUp, open } = found;
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
