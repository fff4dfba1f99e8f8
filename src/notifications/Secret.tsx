import type { ReactNode } from 'react';
import { rotateSecret, listDestinations, type Destination } from '#contract/notifications.ts';
import { request } from '../api/client.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { FormDialog } from '../api/FormDialog.tsx';
import { CopyDialog } from '../members/CopyDialog.tsx';
import { useMembersChange } from '../members/queries.ts';
import { useUnsavedDraft } from '../session/unsavedDrafts.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';

type SecretProps = { name: string; secret: string; children?: ReactNode; onClose: () => void };

/** Shows a secret once. */
export function Secret({ name, secret, children, onClose }: SecretProps) {
  useUnsavedDraft(true);
  return (
    <CopyDialog
      title={
        <>
          Secret of <UntrustedText text={name} />
        </>
      }
      value={secret}
      what="secret"
      isOnce
      onClose={onClose}
    >
      <strong>Copy it now.</strong> It won’t be shown again. Your receiver needs it to verify that a message is from us.{' '}
      {children}
    </CopyDialog>
  );
}

type RotateProps = { destination: Pick<Destination, 'uuid'>; onClose: () => void };

export function RotateSecret({ destination: { uuid }, onClose }: RotateProps) {
  const rotate = useMembersChange<void, Rotated>([listDestinations], () =>
    request(rotateSecret, { destination: uuid }),
  );
  const rotated = rotate.data?.data;
  if (rotated !== undefined && rotated.secret !== null) {
    const { secret, destination } = rotated;
    return (
      <Secret name={destination.name} secret={secret} onClose={onClose}>
        Secrets from before sign for a day after they were replaced.
      </Secret>
    );
  }
  return (
    <FormDialog
      title="Rotate the secret?"
      act="Rotate"
      call={rotate}
      curl={<CopyCurl endpoint={rotateSecret} input={{ destination: uuid }} />}
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <p>
        You get a new secret. The current one signs for another day: messages carry a signature with each, so your
        receiver refuses nothing while you replace it there. At most three sign at a time.
      </p>
    </FormDialog>
  );
}

type Rotated = Awaited<ReturnType<typeof request<typeof rotateSecret>>>;
