import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { findErasure } from '#contract/erasure.ts';
import { apiQuery } from '../../api/apiQuery.ts';
import type { Identity } from '../../identity/parse/parseIdentity.ts';
import { isNumber, type NamedIdentity } from '../../identity/parse/readSearch.ts';
import { useMissingRole } from '../../session/useMissingRole.ts';
import { useCapability } from '../../session/useSession.ts';
import type { ListState } from '../../table/listState.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { Notice } from '../../ui/Notice.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { localDate, useTimeZone } from '../../ui/format/time.ts';
import { DidYouMean } from '../DidYouMean.tsx';
import classes from './FindBox.module.css';
import { contactsQuery } from '../queries.ts';

/** Of more people, nobody is chosen in a box for one. */
const PEOPLE_MAX = 10;

type PeopleProps = { people: readonly NamedIdentity[]; onChoose: (person: NamedIdentity) => void };

/** The people in a text, of whom one is to be chosen. */
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
  /** The list that the text filters; undefined where there is none. */
  list: ListState | undefined;
  onOpen: (contact: string) => void;
};

/** Says that nobody has an identity, or what the list shows instead. */
export function NotFound({ identity, list, onOpen }: NotFoundProps) {
  return list === undefined || list.search === '' ? (
    <Unknown identity={identity} onOpen={onOpen} />
  ) : (
    <NotExact identity={identity} list={list} onOpen={onOpen} />
  );
}

function NotExact({ identity, list, onOpen }: NotFoundProps & { list: ListState }) {
  const { data, isPending, isPlaceholderData } = useQuery(contactsQuery(list));
  if (isPending || isPlaceholderData) return null;
  const total = data?.meta.total ?? 0;
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

/** The day on which the person was erased, for those who may know it: the service tells an admin only. Null where it's not known. */
function useErasureDay(identity: string): string | null {
  const zone = useTimeZone();
  const isOffered = useCapability(findErasure);
  const mayKnow = useMissingRole(findErasure) === null;
  const { data } = useQuery({ ...apiQuery(findErasure, { identity }), enabled: isOffered && mayKnow, gcTime: 0 });
  const time = data?.data.erased_at ?? null;
  return time === null ? null : localDate(new Date(time).getTime(), zone);
}

/** Whether it is a phone number without its country code, or may be a part of one. */
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
      .{isNational(identity) && ' A phone number is found by all its digits, with the country code: +44 20 7946 0958.'}
    </>
  );
}
