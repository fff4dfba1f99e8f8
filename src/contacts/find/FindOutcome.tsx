import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { findErasure } from '#contract/erasure.ts';
import { apiQuery } from '../../api/apiQuery.ts';
import type { Identity } from '../../identity/parse/parseIdentity.ts';
import { isNumber, type NamedIdentity } from '../../identity/parse/readSearch.ts';
import { personName } from '../../identity/person.ts';
import { findSimilar } from '../../identity/similarContacts.ts';
import { useMissingRole } from '../../session/useMissingRole.ts';
import { useCapability, useHasAdditions } from '../../session/useSession.ts';
import { firstListState, type ListState } from '../../table/useList.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { localDate, useTimeZone } from '../../ui/format/time.ts';
import { Notice } from '../../ui/Notice.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { contactsQuery } from '../queries.ts';
import { CONTACT_LIST } from '../useContactFilter.ts';
import classes from './FindBox.module.css';

const PEOPLE_MAX = 10;

type PeopleProps = { people: readonly NamedIdentity[]; onChoose: (person: NamedIdentity) => void };

export function People({ people, onChoose }: PeopleProps) {
  const rest = people.length - PEOPLE_MAX;
  return (
    <ul className={classes.people} aria-label="People in this text">
      {people.slice(0, PEOPLE_MAX).map((person) => (
        <li key={person.identity.values[0]}>
          <Button size="xs" variant="default" onClick={() => onChoose(person)}>
            <UntrustedText text={person.identity.values[0] ?? person.text} />
          </Button>
        </li>
      ))}
      {rest > 0 && <li>and {formatCount(rest)} more. Bulk unsubscribe reads whole lists.</li>}
    </ul>
  );
}

type NotFoundProps = {
  identity: Identity;
  list: ListState | undefined;
  onOpen: (contact: string) => void;
};

export function NotFound({ identity, list = firstListState(CONTACT_LIST), onOpen }: NotFoundProps) {
  const isListed = list.search !== '';
  const { data, isLoading, isPlaceholderData } = useQuery({ ...contactsQuery(list), enabled: isListed });
  if (isLoading || (isListed && isPlaceholderData)) return null;
  const total = isListed ? (data?.meta.total ?? 0) : 0;
  if (total === 0) return <Unknown identity={identity} onOpen={onOpen} />;
  const found = total === 1 ? '1 contact contains' : `${formatCount(total)} contacts contain`;
  return (
    <Notice tone="neutral" title={`No exact match; ${found} it`}>
      <LookedUp identity={identity} />
      {identity.kind === 'email' && <DidYouMean address={identity.values[0] ?? ''} onOpen={onOpen} />}
    </Notice>
  );
}

function Unknown({ identity, onOpen }: Pick<NotFoundProps, 'identity' | 'onOpen'>) {
  const erased = useErasureDay(identity.values[0] ?? '');
  const title = erased === null ? 'There is no such contact in this workspace' : `This person was erased on ${erased}`;
  return (
    <Notice tone={erased === null ? 'warn' : 'neutral'} title={title}>
      <LookedUp identity={identity} /> {erased === null && 'Check the spelling: nothing was changed.'}
      {erased === null && identity.kind === 'email' && (
        <DidYouMean address={identity.values[0] ?? ''} onOpen={onOpen} />
      )}
    </Notice>
  );
}

/** The service tells only an admin. */
function useErasureDay(identity: string): string | null {
  const zone = useTimeZone();
  const isOffered = useCapability(findErasure);
  const mayKnow = useMissingRole(findErasure) === null;
  const { data } = useQuery({ ...apiQuery(findErasure, { identity }), enabled: isOffered && mayKnow, gcTime: 0 });
  const time = data?.data.erased_at ?? null;
  return time === null ? null : localDate(new Date(time).getTime(), zone);
}

/** Whether it's a phone number without country code, or may be a part of one. */
const isNational = ({ kind, values }: Identity) =>
  !values.some((value) => value.startsWith('+')) &&
  (kind === 'phone' || values.some((value) => isNumber(value) && /\D/.test(value)));

function LookedUp({ identity }: { identity: Identity }) {
  return (
    <>
      It was looked up as{' '}
      {identity.values.map((value, index) => (
        <span key={value}>
          {index > 0 && ' and '}
          <UntrustedText text={value} />
        </span>
      ))}
      .{isNational(identity) && ' A phone number needs all its digits and the country code: +44 20 7946 0958.'}
    </>
  );
}

function DidYouMean({ address, onOpen }: { address: string; onOpen: (contact: string) => void }) {
  const client = useQueryClient();
  const hasAdditions = useHasAdditions();
  // No error is shown: the look-up itself said that there is no such contact.
  const { data = [] } = useQuery({
    queryKey: ['contacts like', address],
    queryFn: () =>
      findSimilar([address], { hasAdditions, read: (endpoint, input) => client.query(apiQuery(endpoint, input)) }),
    retry: false,
  });
  if (data.length === 0) return null;
  return (
    <div className={classes.people}>
      Did you mean
      {data.map(({ value, record }) => (
        <Button key={value} size="xs" variant="default" onClick={() => onOpen(record?.uuid ?? value)}>
          <span>
            <UntrustedText text={value} />
            {record !== null && (
              <>
                {' '}
                (<UntrustedText text={personName(record)} />)
              </>
            )}
            ?
          </span>
        </Button>
      ))}
    </div>
  );
}
