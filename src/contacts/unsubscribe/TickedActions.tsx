import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { ReadableContact } from '#contract/contact.ts';
import { unsubscribeContact } from '#contract/interface.ts';
import { handOver } from '../../identity/tickedContacts.ts';
import { useMissingRole } from '../../session/useMissingRole.ts';
import { usePageActions } from '../../ui/page/actions.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { handFocusOn } from '../../ui/page/handFocusOn.ts';
import { paths } from '../../url/paths.ts';

type Props = { ticked: readonly ReadableContact[]; onUntick: () => void };

/** What can be done with the ticked contacts. */
export function TickedActions({ ticked, onUntick }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const label = `Unsubscribe ${formatCount(ticked.length)} in bulk`;
  const run = () => {
    handOver(client, ticked);
    void navigate(paths.desk);
  };
  const mayNotUnsubscribe = useMissingRole(unsubscribeContact);
  usePageActions(mayNotUnsubscribe === null ? [{ id: 'unsubscribe-ticked', label, run }] : []);
  return (
    <>
      {mayNotUnsubscribe === null ? (
        <Button size="xs" variant="default" onClick={run}>
          {label}
        </Button>
      ) : (
        <span className="soft">Unsubscribing {mayNotUnsubscribe}</span>
      )}
      <Button ref={handFocusOn} size="xs" variant="subtle" onClick={onUntick}>
        Untick all
      </Button>
    </>
  );
}
