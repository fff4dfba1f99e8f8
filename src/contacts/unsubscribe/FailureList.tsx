import { Fragment } from 'react';
import type { ReadableContact } from '#contract/contact.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { personAddress, personName } from '../../identity/person.ts';
import { isResponseLost } from '../../identity/unsubscribe.ts';
import { pinToast, showToast } from '../../ui/Toast.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { Link } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';

/** A contact as requests address it, and as the page names it. `seen`: its newest change that the user knows. */
export type NamedContact = { contact: string; name: string; address: string; seen?: string | undefined };

export const withName = (record: ReadableContact): NamedContact => ({
  contact: record.uuid,
  name: personName(record),
  address: personAddress(record),
});

export type Failure = { contacts: readonly NamedContact[]; error: unknown };

/** In a toast that stays until it's dismissed: the page that sent the request is gone. */
export function toastFailures(failures: readonly Failure[], what: 'unsubscribed' | 'subscribed again'): void {
  showToast(<FailureList failures={failures} what={what} />);
  pinToast();
}

type Props = { failures: readonly Failure[]; what: string };

export function FailureList({ failures, what }: Props) {
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
        {isResponseLost(error) ? 'may not have been' : contacts.length === 1 ? 'was not' : 'were not'} {what}.
      </p>
      <ErrorAlert error={error} />
    </div>
  ));
}
