import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getContact } from '#contract/additions.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { clockSkew } from '../../api/client.ts';
import type { SubscriptionChange } from '../../identity/findLastSubscriptionChange.ts';
import { personName } from '../../identity/person.ts';
import { useCapability, useSession } from '../../session/useSession.ts';
import { showToast } from '../../ui/Toast.tsx';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { contactQuery } from '../queries.ts';
import { answeredUnsubscribeQuery, lastSubscriptionQuery } from '../timeline/historyQueries.ts';
import { describeProof, describeToCustomer } from './proof.ts';
import type { SubscriptionLog } from './useSubscriptionLog.ts';

/** Milliseconds after which contact and log are read again before a proof is copied. */
const FRESH = 10_000;

type Known = { contact: ReadableContact; readAt: number; change: SubscriptionChange | null | undefined };
type Props = { record: ReadableContact; checkedAt: number; log: SubscriptionLog };

/** A page may be open for hours: what is copied is read again, and nothing is copied of a contact that is subscribed by then. */
export function CopyProofs({ record, checkedAt, log }: Props) {
  const client = useQueryClient();
  const session = useSession();
  const canRead = useCapability(getContact);
  const [isReading, setReading] = useState(false);
  const { change, hasLog, isPending } = log;
  const workspace = session.name ?? (session.workspace_uuid && `the workspace ${session.workspace_uuid}`);
  const read = async (describe: (known: Known) => string): Promise<string | null> => {
    setReading(true);
    try {
      const shown = { contact: record, readAt: checkedAt, change };
      const isOld = canRead && Date.now() - checkedAt > FRESH;
      const known = isOld ? await readAgain(client, record.uuid, hasLog) : shown;
      // By the service's clock: this computer's may be wrong.
      if (!known.contact.subscribed) return describe({ ...known, readAt: known.readAt + clockSkew.read() });
      showToast(
        <p>
          Nothing was copied: <UntrustedText text={personName(known.contact)} /> is subscribed again.
        </p>,
      );
    } catch (error) {
      showToast(<p>Nothing was copied: the contact couldn’t be read again. {(error as Error).message}</p>);
    } finally {
      setReading(false);
    }
    return null;
  };
  const answered = () => client.getQueryData(answeredUnsubscribeQuery(record.uuid).queryKey) ?? null;
  // A button that shows that it's loading loses the focus.
  const isLoading = isPending && !isReading;
  return (
    <>
      <CopyButton
        value={() => read((known) => describeProof({ ...known, workspace, hasLog, answered: answered() }))}
        what="proof for the ticket"
        label="Copy for ticket"
        isLoading={isLoading}
        action="copy-proof"
        shortcut="t"
      />
      <CopyButton
        value={() => read((known) => describeToCustomer({ ...known, sender: session.name }))}
        what="proof for the customer"
        label="Copy for customer"
        isLoading={isLoading}
      />
    </>
  );
}

async function readAgain(client: QueryClient, uuid: string, hasLog: boolean): Promise<Known> {
  const [{ data: contact }, change] = await Promise.all([
    client.query({ ...contactQuery(uuid), staleTime: 0 }),
    // `History` shows why the log can't be read.
    hasLog ? client.query({ ...lastSubscriptionQuery(uuid), staleTime: 0 }).catch(() => undefined) : null,
  ]);
  return { contact, readAt: Date.now(), change };
}
