import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listContactChanges } from '#contract/additions.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { useCapability, useSession } from '../session/useSession.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { describeProof } from './proof.ts';
import { unsubscribeRequestIdQuery, lastSubscriptionQuery } from './queries.ts';

type Props = { known: ReadableContact; readAt: number };

/** Copies one sentence for a ticket: that this contact is unsubscribed, since when and by whom, as far as it is known. */
export function CopyProof({ known, readAt }: Props) {
  const session = useSession();
  const hasLog = useCapability(listContactChanges);
  const last = useQuery({ ...lastSubscriptionQuery(known.uuid), enabled: hasLog });
  const { data: requestId } = useQuery(unsubscribeRequestIdQuery(known.uuid));
  // What an earlier visit read may be the unsubscribe before the last.
  if (hasLog && (last.isPending || last.isFetching)) {
    return (
      <Button size="xs" variant="default" loading>
        Copy proof
      </Button>
    );
  }
  const workspace = session.name ?? (session.workspace_uuid && `the workspace ${session.workspace_uuid}`);
  const change = last.isError ? undefined : (last.data ?? null);
  // Record and log are two answers: certain is what both of them say.
  const checkedAt = last.isSuccess ? Math.min(readAt, last.dataUpdatedAt) : readAt;
  const proof = describeProof({ contact: known, readAt: checkedAt, workspace, change, hasLog, requestId });
  return <CopyButton value={proof} what="proof" label="Copy proof" />;
}
