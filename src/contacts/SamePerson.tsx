import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { listContacts } from '#contract/additions.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { unsubscribeContact } from '#contract/interface.ts';
import { PER_PAGE_MAX, SEARCH_MAX } from '#contract/list.ts';
import { apiQuery } from '../api/apiQuery.ts';
import { personAddress, personName } from '../identity/person.ts';
import { findSamePerson, samePersonSearch } from '../identity/samePerson.ts';
import { useMissingRole } from '../session/useMissingRole.ts';
import { useCapability } from '../session/useSession.ts';
import { Notice } from '../ui/Notice.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import { ConfirmUnsubscribe, labelUnsubscribe } from './unsubscribe/ConfirmUnsubscribe.tsx';
import { type NamedContact, withName } from './unsubscribe/FailureList.tsx';
import { Subscription } from './unsubscribe/Subscription.tsx';
import { useUnsubscribe } from './unsubscribe/useUnsubscribe.ts';

export function SamePerson({ record }: { record: ReadableContact }) {
  const canList = useCapability(listContacts);
  const unsubscribeDeniedReason = useMissingRole(unsubscribeContact);
  const [isAsking, setAsking] = useState(false);
  const search = samePersonSearch(record)?.slice(0, SEARCH_MAX) ?? null;
  // No error is shown: the page works without this hint.
  const { data } = useQuery({
    ...apiQuery(listContacts, { query: { search: search ?? '', per_page: PER_PAGE_MAX } }),
    enabled: canList && search !== null,
  });
  const others = search === null ? [] : findSamePerson(record, data?.data ?? []);
  if (others.length === 0) return null;
  const isAnySubscribed = [record, ...others].some(({ subscribed }) => subscribed);
  return (
    <>
      <Notice
        tone="neutral"
        title="Possibly the same person"
        actions={
          unsubscribeDeniedReason === null &&
          isAnySubscribed && (
            <Button size="xs" variant="default" onClick={() => setAsking(true)}>
              {labelUnsubscribe(others.length + 1)}
            </Button>
          )
        }
      >
        <ul className="bullets">
          {others.map((other) => (
            <li key={other.uuid}>
              <Link to={paths.contact(other.uuid)}>
                <UntrustedText text={personName(other)} />
              </Link>{' '}
              <UntrustedText text={personAddress(other)} /> <Subscription subscribed={other.subscribed} />
            </li>
          ))}
        </ul>
      </Notice>
      {isAsking && (
        <UnsubscribeAll contacts={[withName(record), ...others.map(withName)]} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

type Props = { contacts: readonly [NamedContact, ...NamedContact[]]; onClose: () => void };

function UnsubscribeAll({ contacts, onClose }: Props) {
  const unsubscribe = useUnsubscribe(contacts);
  const finish = () => {
    flushSync(onClose);
    // The button that had the focus may be gone.
    if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true });
  };
  return <ConfirmUnsubscribe contacts={contacts} unsubscribe={unsubscribe} onClose={onClose} onDone={finish} />;
}
