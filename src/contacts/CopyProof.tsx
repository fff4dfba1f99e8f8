import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listContactChanges } from '#contract/additions.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { useCapability, useSession } from '../session/useSession.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { describeProof } from './proof.ts';
import { unsubscribeRequestIdQuery, lastSubscriptionQuery } from './historyQueries.ts';

type Props = { record: ReadableContact; readAt: number };

/** Copies one sentence for a ticket: that the contact is unsubscribed, since when and by whom. */
export function CopyProof({ record, readAt }: Props) {
  const session = useSession();
  const hasLog = useCapability(listContactChanges);
  const last = useQuery({ ...lastSubscriptionQuery(record.uuid), enabled: hasLog });
  const { data: requestId } = useQuery(unsubscribeRequestIdQuery(record.uuid));
  // Wait for the request: the cache may hold an earlier unsubscribe.
  if (hasLog && (last.isPending || last.isFetching)) {
    return (
      <Button size="xs" variant="default" loading>
        Copy proof
      </Button>
    );
  }
  const workspace = session.name ?? (session.workspace_uuid && `the workspace ${session.workspace_uuid}`);
  const change = last.isError ? undefined : (last.data ?? null);
  // Record and log are two responses: the sentence is certain as of the earlier one.
  const checkedAt = last.isSuccess ? Math.min(readAt, last.dataUpdatedAt) : readAt;
  const proof = describeProof({ contact: record, readAt: checkedAt, workspace, change, hasLog, requestId });
  return <CopyButton value={proof} what="proof" label="Copy proof" />;
}
