import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { ReadableContact } from '#contract/contact.ts';
import { unsubscribeContact } from '#contract/interface.ts';
import { handOver } from '../../identity/selectedContacts.ts';
import { useMissingRole } from '../../session/useMissingRole.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { usePageActions } from '../../ui/page/actions.ts';
import { refocusOnRemoval } from '../../ui/page/refocusOnRemoval.ts';
import { paths } from '../../url/paths.ts';

type Props = { selected: readonly ReadableContact[]; onClear: () => void };

export function SelectedActions({ selected, onClear }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const label = `Unsubscribe ${formatCount(selected.length)} in bulk`;
  const run = () => {
    handOver(client, selected);
    void navigate(paths.bulk);
  };
  const unsubscribeDeniedReason = useMissingRole(unsubscribeContact);
  usePageActions(unsubscribeDeniedReason === null ? [{ id: 'unsubscribe-selected', label, run }] : []);
  return (
    <>
      {unsubscribeDeniedReason === null ? (
        <Button size="xs" variant="default" onClick={run}>
          {label}
        </Button>
      ) : (
        <span className="soft">Unsubscribing {unsubscribeDeniedReason}</span>
      )}
      <Button ref={refocusOnRemoval} size="xs" variant="subtle" onClick={onClear}>
        Clear selection
      </Button>
    </>
  );
}
