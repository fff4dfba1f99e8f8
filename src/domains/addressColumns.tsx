import type { ReadableSenderAddress } from '#contract/domains/domain.ts';
import type { Column } from '../table/DataTable.tsx';
import { CopyButton } from '../ui/values/CopyButton.tsx';
import { DateTime } from '../ui/values/DateTime.tsx';
import { Nothing } from '../ui/values/Nothing.tsx';
import { EndCut, MiddleCut } from '../ui/values/UntrustedText.tsx';
import classes from './addressColumns.module.css';
import { StateBadge } from './StateBadge.tsx';

/** The first is the address itself. */
export const addressColumns: readonly [Column<ReadableSenderAddress>, ...Column<ReadableSenderAddress>[]] = [
  { id: 'full_address', header: 'Address', cell: (address) => <Address address={address} />, width: 'auto' },
  {
    id: 'display_name',
    header: 'Display name',
    cell: (address) => <EndCut text={address.display_name} />,
    width: 140,
  },
  {
    id: 'verification',
    header: 'Provider says',
    cell: (address) => <StateBadge word={address.verification} />,
    width: 130,
  },
  {
    id: 'provider',
    header: 'Provider',
    cell: (address) => <EndCut text={address.provider} />,
    width: 90,
    from: 'widest',
  },
  {
    id: 'created_at',
    header: 'Created',
    cell: (address) => <DateTime value={address.created_at} />,
    width: 112,
    align: 'end',
    from: 'wide',
  },
];

function Address({ address }: { address: ReadableSenderAddress }) {
  const full = address.full_address ?? address.address;
  if (full === null) return <Nothing words="not sent" />;
  return (
    <span className={classes.copied}>
      <MiddleCut text={full} />
      <CopyButton value={full} what="address" which={full} />
    </span>
  );
}
