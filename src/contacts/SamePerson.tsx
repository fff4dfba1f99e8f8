import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listContacts } from '#contract/additions.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { unsubscribeContact } from '#contract/interface.ts';
import { PER_PAGE_MAX, SEARCH_MAX } from '#contract/list.ts';
import { apiQuery } from '../api/apiQuery.ts';
import { personAddress, personName } from '../identity/person.ts';
import { findSamePerson, samePersonSearch } from '../identity/samePerson.ts';
import { useMissingRole } from '../session/useMissingRole.ts';
import { useCapability } from '../session/useSession.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { Notice } from '../ui/Notice.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import classes from './SamePerson.module.css';
import { Subscription } from './unsubscribe/Subscription.tsx';
import { UnsubscribeSeveral } from './unsubscribe/UnsubscribeSeveral.tsx';

/** Says which other contacts may be the same person, and unsubscribes them with this one. Shows nothing without any. */
export function SamePerson({ record }: { record: ReadableContact }) {
  const canList = useCapability(listContacts);
  const mayNotUnsubscribe = useMissingRole(unsubscribeContact);
  const [isAsking, setAsking] = useState(false);
  const search = samePersonSearch(record)?.slice(0, SEARCH_MAX) ?? null;
  // An error is not shown: the page is whole without this hint.
  const { data } = useQuery({
    ...apiQuery(listContacts, { query: { search: search ?? '', per_page: PER_PAGE_MAX } }),
    enabled: canList && search !== null,
  });
  const others = search === null ? [] : findSamePerson(record, data?.data ?? []);
  if (others.length === 0) return null;
  const all = [record, ...others];
  const label = others.length === 1 ? 'Unsubscribe both' : `Unsubscribe all ${formatCount(all.length)}`;
  return (
    <>
      <Notice
        tone="neutral"
        title="Possibly the same person"
        actions={
          mayNotUnsubscribe === null &&
          all.some(({ subscribed }) => subscribed) && (
            <Button size="xs" variant="default" onClick={() => setAsking(true)}>
              {label}
            </Button>
          )
        }
      >
        <ul className={classes.people}>
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
      {isAsking && <UnsubscribeSeveral question={`${label}?`} contacts={all} onClose={() => setAsking(false)} />}
    </>
  );
}
