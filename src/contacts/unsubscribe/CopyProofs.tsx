import { Button } from '@mantine/core';
import { IconCheck, IconCopy, IconX } from '@tabler/icons-react';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { getContact } from '#contract/additions.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { clockSkew } from '../../api/client.ts';
import type { SubscriptionChange } from '../../identity/findLastSubscriptionChange.ts';
import { personName } from '../../identity/person.ts';
import { useCapability, useSession } from '../../session/useSession.ts';
import { KeyHint } from '../../ui/KeyHint.tsx';
import { usePageActions } from '../../ui/page/actions.ts';
import { announce } from '../../ui/page/announce.ts';
import { showToast } from '../../ui/Toast.tsx';
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
      <ProofButton
        read={() => read((known) => describeProof({ ...known, workspace, hasLog, answered: answered() }))}
        what="proof for the ticket"
        label="Copy for ticket"
        isLoading={isLoading}
        shortcut="t"
      />
      <ProofButton
        read={() => read((known) => describeToCustomer({ ...known, sender: session.name }))}
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

type ProofButtonProps = {
  read: () => Promise<string | null>;
  what: string;
  label: string;
  isLoading: boolean;
  /** Of the action `copy-proof`. */
  shortcut?: string;
};

function ProofButton({ read, what, label, isLoading, shortcut }: ProofButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    const text = await read();
    if (text === null) return;
    try {
      // Undefined on http, except localhost.
      await navigator.clipboard.writeText(text);
      setState('copied');
      announce(`Copied ${what}`);
    } catch {
      setState('failed');
      announce(`Could not copy ${what}: the browser does not allow it here`);
    }
  };
  const Icon = { idle: IconCopy, copied: IconCheck, failed: IconX }[state];
  const run = () => {
    // After the palette, the focused button shows the result.
    button.current?.focus();
    void copy();
  };
  usePageActions(shortcut === undefined || isLoading ? [] : [{ id: 'copy-proof', label, run }]);
  return (
    <Button
      ref={button}
      variant="default"
      size="xs"
      loading={isLoading}
      leftSection={<Icon size={14} />}
      aria-keyshortcuts={shortcut}
      rightSection={shortcut && <KeyHint shortcut={shortcut} />}
      onClick={() => void copy()}
    >
      {{ idle: label, copied: 'Copied', failed: 'Can’t copy here' }[state]}
    </Button>
  );
}
