import { hasVisibleText } from '#contract/values/invisibleCharacters.ts';
import type { listSuppressions } from '#contract/suppressions/suppressedContacts.ts';
import type { EndpointReading } from '#contract/openapi/endpoint.ts';
import { describeActor } from '../../identity/describeChange.ts';
import { personAddress, personName } from '../../identity/person.ts';
import type { Column } from '../../table/DataTable.tsx';
import { isDay } from '../../ui/format/importedDay.ts';
import { shortDate } from '../../ui/format/sentenceTime.ts';
import { isoDay, parseTime, useTimeZone } from '../../ui/format/time.ts';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { Nothing } from '../../ui/values/Nothing.tsx';
import { EndCut, MiddleCut, UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { Link } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';
import { SinceTime } from '../unsubscribe/SinceTime.tsx';
import classes from './Suppressions.module.css';
import { describeOrigin, describeReason } from './words.ts';

type ReadableSuppressedContact = EndpointReading<typeof listSuppressions>['data'][number];
/** Known by the UUID of its contact. */
export type SuppressedRow = ReadableSuppressedContact & { uuid: string };

export const toRow = (row: ReadableSuppressedContact): SuppressedRow => ({ ...row, uuid: row.contact.uuid });

export const columns: readonly Column<SuppressedRow>[] = [
  {
    id: 'contact',
    header: 'Name',
    cell: ({ contact }) => (
      <Link to={paths.contact(contact.uuid)}>
        <EndCut text={personName(contact)} />
      </Link>
    ),
    width: 130,
    fits: true,
  },
  {
    id: 'address',
    header: 'Address',
    cell: ({ contact }) => {
      const address = personAddress(contact);
      return address === '' ? <Nothing /> : <MiddleCut text={address} />;
    },
    width: 190,
  },
  { id: 'reason', header: 'Why', cell: (row) => <Why row={row} />, width: 150 },
  {
    id: 'ticket',
    header: 'Ticket',
    cell: ({ ticket }) => (ticket === null ? <Nothing /> : <EndCut text={ticket} />),
    width: 78,
  },
  {
    id: 'origin',
    header: 'Came from',
    cell: ({ origin }) => <UntrustedText text={describeOrigin(origin)} />,
    width: 95,
    from: 'wide',
  },
  { id: 'actor', header: 'By', cell: (row) => <Actor row={row} />, width: 115, from: 'wide' },
  {
    id: 'since',
    header: 'Since',
    cell: ({ since }) => <SinceTime value={since} isRelative />,
    width: 108,
    align: 'end',
  },
];

/** With the day on which it was recorded, if the contact was unsubscribed on another one. */
function Why({ row: { reason, origin, since, recorded_at } }: { row: SuppressedRow }) {
  const zone = useTimeZone();
  const text = <UntrustedText text={describeReason(reason)} />;
  if (!areOnOtherDays(since, recorded_at, zone)) return text;
  return (
    <span className={classes.why}>
      {text}
      <small className="soft">
        {origin === 'import' || reason === null ? 'imported' : 'recorded'}{' '}
        <DateTime value={recorded_at} show={shortDate} />
      </small>
    </span>
  );
}

function areOnOtherDays(since: string | null, recorded: string | null, zone: string): boolean {
  const [from, at] = [parseTime(since), parseTime(recorded)];
  return from !== null && at !== null && isoDay(from, isDay(from) ? 'UTC' : zone) !== isoDay(at, zone);
}

/** Links to who else was unsubscribed by the same. */
function Actor({ row: { actor } }: { row: SuppressedRow }) {
  if (actor === null) return <Nothing words="unknown" />;
  const name = describeActor(actor);
  const key = actor.uuid ?? actor.kind;
  return (
    <Link to={paths.suppressionsBy(key)}>
      <EndCut text={hasVisibleText(name) ? name : key} />
    </Link>
  );
}
