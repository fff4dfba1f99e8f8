import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { listContacts } from '#contract/additions.ts';
import { subscribeContact } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { unsubscribeContact } from '#contract/interface.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { personAddress } from '../../identity/person.ts';
import { handOver } from '../../identity/selectedContacts.ts';
import { useMissingRole } from '../../session/useMissingRole.ts';
import { useRecordExport } from '../../session/useRecordExport.ts';
import { useCapability, useSession } from '../../session/useSession.ts';
import { exportRows } from '../../table/export/exportList.ts';
import { useExport } from '../../table/export/useExport.ts';
import { useColumnChoice } from '../../table/useColumnChoice.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { usePageActions } from '../../ui/page/actions.ts';
import { announce } from '../../ui/page/announce.ts';
import { refocusOnRemoval } from '../../ui/page/refocusOnRemoval.ts';
import { useCopy } from '../../ui/page/copy.ts';
import { paths } from '../../url/paths.ts';
import classes from './SelectedActions.module.css';
import { selectedColumns } from './selectedColumns.ts';
import { SubscribeSelected } from './SubscribeSelected.tsx';
import { useSubscribeSelected } from './useSubscribeSelected.ts';

type Props = {
  selected: readonly ReadableContact[];
  onDeselect: (contacts: readonly ReadableContact[]) => void;
};

export function SelectedActions({ selected, onDeselect }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const label = `Unsubscribe ${formatCount(selected.length)} in bulk`;
  const run = () => {
    handOver(client, selected);
    void navigate(paths.bulk);
  };
  const unsubscribeDeniedReason = useMissingRole(unsubscribeContact);
  const addresses = selected.flatMap((contact) => personAddress(contact) || []);
  const copy = useCopy(addresses.join('\n'), 'the addresses');
  const file = useSelectedExport(selected);
  usePageActions([
    ...(unsubscribeDeniedReason === null ? [{ id: 'unsubscribe-selected', label, run }] : []),
    { id: 'export-selected', label: `Export ${formatCount(selected.length)} selected as CSV`, run: file.save },
  ]);
  return (
    <div className={classes.selected} role="group" aria-label="Selected contacts">
      <strong>{formatCount(selected.length)} selected</strong>
      {unsubscribeDeniedReason === null ? (
        <Button size="xs" variant="default" onClick={run}>
          {label}
        </Button>
      ) : (
        <span className="soft">Unsubscribing {unsubscribeDeniedReason}</span>
      )}
      <SubscribeButton selected={selected} onDeselect={onDeselect} />
      <Button size="xs" variant="default" disabled={addresses.length === 0} onClick={copy.copy}>
        {copy.state === 'copied' ? 'Copied' : copy.state === 'failed' ? 'Not copied' : 'Copy addresses'}
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-busy={file.isPending}
        title="CSV with the shown columns"
        onClick={file.save}
      >
        Export
      </Button>
      <Button ref={refocusOnRemoval} size="xs" variant="subtle" onClick={() => onDeselect(selected)}>
        Clear selection
      </Button>
      {file.error !== null && <ErrorAlert error={file.error} />}
    </div>
  );
}

/** Nothing while all of them are subscribed. */
function SubscribeButton({ selected, onDeselect }: Props) {
  const { workspace_uuid: workspace } = useSession();
  const isOffered = useCapability(subscribeContact);
  const denied = useMissingRole(subscribeContact);
  const unsubscribed = selected.filter(({ subscribed }) => !subscribed);
  const subscribe = useSubscribeSelected();
  const [isAsking, setAsking] = useState(false);
  if (!isOffered || denied !== null || workspace === null || unsubscribed.length === 0) return null;
  const ask = () => {
    if (!subscribe.isPending) subscribe.reset();
    setAsking(true);
  };
  return (
    <>
      <Button size="xs" variant="default" aria-haspopup="dialog" onClick={ask}>
        Subscribe {formatCount(unsubscribed.length)} again
      </Button>
      {isAsking && (
        <SubscribeSelected
          contacts={selected}
          workspace={workspace}
          subscribe={subscribe}
          onDone={onDeselect}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

/** A file with the columns that the table shows, of all selected contacts as they were listed. */
function useSelectedExport(selected: readonly ReadableContact[]) {
  const { chosen } = useColumnChoice('contacts');
  const record = useRecordExport();
  const { start, isPending, error } = useExport(async (rows: readonly ReadableContact[]) => {
    const source = { columns: selectedColumns(chosen), fileName: 'contacts' };
    const name = await exportRows(source, rows, 'csv', () => record({ operation: listContacts.id, format: 'csv' }));
    if (name !== null) announce(`Exported ${formatCount(rows.length)} contacts`);
    return name;
  });
  return { save: () => start(selected), isPending, error };
}
