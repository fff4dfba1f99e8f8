import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { getDomainReport, updateDomain } from '#contract/domains/domainHistory.ts';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import { readAgain } from '../../api/apiQuery.ts';
import { request } from '../../api/client.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { useMissingRole } from '../../session/useMissingRole.ts';
import { useCapability } from '../../session/useSession.ts';
import { announce } from '../../ui/page/announce.ts';
import classes from './Receivers.module.css';

type Props = { domain: ReadableDomain; sendsBulk: boolean };

const REASON =
  'Receivers ask more of bulk senders. Nobody sees from outside whether a domain is one. It’s on unless you turn it off, because Gmail never takes the status back: about 5,000 messages to personal accounts within 24 hours, once, are enough.';

/** Says whether the domain sends in bulk. */
export function BulkSwitch({ domain, sendsBulk }: Props) {
  const reasonId = useId();
  const client = useQueryClient();
  const canUpdate = useCapability(updateDomain);
  const deniedReason = useMissingRole(updateDomain);
  const update = useMutation({
    mutationFn: (sends_bulk: boolean) => request(updateDomain, { domain: domain.uuid, body: { sends_bulk } }),
    onSuccess: async (_, isOn) => {
      await readAgain(client, getDomainReport);
      announce(isOn ? 'Sends in bulk' : 'Does not send in bulk');
    },
  });
  const isOn = update.isPending ? update.variables : sendsBulk;
  return (
    <div className={classes.bulk}>
      <label>
        <input
          type="checkbox"
          aria-describedby={reasonId}
          checked={isOn}
          disabled={!canUpdate || deniedReason !== null || update.isPending}
          onChange={(event) => update.mutate(event.currentTarget.checked)}
        />
        <b>Sends in bulk</b>
      </label>
      <p id={reasonId} className="note">
        {deniedReason === null ? REASON : `${REASON} Changing it ${deniedReason}`}
      </p>
      {update.isError && <ErrorAlert error={update.error} />}
    </div>
  );
}
