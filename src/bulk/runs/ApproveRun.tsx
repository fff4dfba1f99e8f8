import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { approveRun, listRuns, type ReadableBulkRun } from '#contract/runs/runs.ts';
import { readAgain } from '../../api/apiQuery.ts';
import { request } from '../../api/client.ts';
import { ConfirmDialog } from '../../api/FormDialog.tsx';
import { describeActor } from '../../identity/describeChange.ts';
import { describeSuppression } from '../../identity/describeSuppression.ts';
import { useSession } from '../../session/useSession.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';

/** Why this session can't approve the run; null if it can. */
export function whyNoApproval({ author }: ReadableBulkRun, person: { uuid: string } | null): string | null {
  if (author?.kind !== 'person')
    return 'Started by a token, so no one can approve it: sign in with an account and start the list again.';
  if (person === null) return 'Sign in with an account to approve it.';
  return author.uuid === person.uuid ? 'Another person approves it.' : null;
}

export function ApproveRun({ run }: { run: ReadableBulkRun }) {
  const { person } = useSession();
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const call = useMutation({
    mutationFn: () => request(approveRun, { run: run.uuid }),
    onSuccess: async () => {
      setAsking(false);
      await readAgain(client, listRuns);
    },
  });
  if (whyNoApproval(run, person) !== null) return null;
  const count = formatCount(run.contacts ?? 0);
  const why = describeSuppression({ reason: run.reason, ticket: run.ticket, origin: null });
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setAsking(true)}>
        Approve
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Approve unsubscribing ${count} contacts?`}
          act={`Approve ${count}`}
          call={call}
          onSubmit={() => call.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            Started by <UntrustedText text={run.author === null ? '' : describeActor(run.author)} />
            {why !== '' && (
              <>
                : <UntrustedText text={why} />
              </>
            )}
            . The run doesn’t begin by itself: anyone with the role can then continue it.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
