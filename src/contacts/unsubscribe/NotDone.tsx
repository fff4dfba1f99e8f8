import { Fragment } from 'react';
import type { ReadableContact } from '#contract/contact.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { personName } from '../../identity/person.ts';
import { isAnswerLost } from '../../identity/unsubscribe.ts';
import { pinToast, showToast } from '../../ui/Toast.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { Link } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';

/** A contact as requests address it, and as the page names it. */
export type NamedContact = { contact: string; name: string };

export const toNamed = (record: ReadableContact): NamedContact => ({ contact: record.uuid, name: personName(record) });

/** A request that failed for these contacts. */
export type Failure = { contacts: readonly NamedContact[]; error: unknown };

/** Says for whom a request failed, in a toast that stays until it is dismissed: what has asked for it is gone. */
export function tellNotDone(failures: readonly Failure[], what: 'unsubscribed' | 'subscribed again'): void {
  showToast(<NotDone failures={failures} what={what} />);
  pinToast();
}

type Props = { failures: readonly Failure[]; what: string };

export function NotDone({ failures, what }: Props) {
  return failures.map(({ contacts, error }) => (
    <div key={contacts[0]?.contact}>
      <p>
        {contacts.map(({ contact, name }, at) => (
          <Fragment key={contact}>
            {at > 0 && ', '}
            <Link to={paths.contact(contact)}>
              <UntrustedText text={name} />
            </Link>
          </Fragment>
        ))}{' '}
        {isAnswerLost(error) ? 'may not have been' : contacts.length === 1 ? 'was not' : 'were not'} {what}.
      </p>
      <ErrorAlert error={error} />
    </div>
  ));
}
