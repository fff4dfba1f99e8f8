import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { REASON_MAX } from '#contract/change.ts';
import { liftErasure } from '#contract/privacy.ts';
import { describeFields } from '../../api/ApiError.ts';
import { request } from '../../api/client.ts';
import { FormDialog } from '../../api/FormDialog.tsx';
import { useMissingRole } from '../../session/useMissingRole.ts';
import { useCapability } from '../../session/useSession.ts';
import { announce } from '../../ui/page/announce.ts';
import { findTextError, useForm } from '../../ui/useForm.ts';

const LIFTED = 'The erasure is lifted. This person can be added again.';

export function LiftErasure() {
  const canLift = useCapability(liftErasure);
  const liftDeniedReason = useMissingRole(liftErasure);
  const [isAsking, setAsking] = useState(false);
  const [isLifted, setLifted] = useState(false);
  if (!canLift || liftDeniedReason !== null) return null;
  const finish = () => {
    setAsking(false);
    setLifted(true);
    announce(LIFTED);
  };
  return (
    <>
      {isLifted && <p>{LIFTED}</p>}
      <p>
        <Button size="xs" variant="default" onClick={() => setAsking(true)}>
          Lift an erasure …
        </Button>
      </p>
      {isAsking && <LiftDialog onClose={() => setAsking(false)} onLifted={finish} />}
    </>
  );
}

type Fields = { identity: string; reason: string };

function LiftDialog({ onClose, onLifted }: { onClose: () => void; onLifted: () => void }) {
  const { field, submit, setErrors } = useForm<Fields>({ identity: '', reason: '' }, validate);
  const lift = useMutation({
    mutationFn: ({ identity, reason }: Fields) =>
      request(liftErasure, { body: { identity: identity.trim(), reason: reason.trim() } }),
    // Personal data.
    gcTime: 0,
    onSuccess: ({ data }) => (data.lifted ? onLifted() : setErrors({ identity: 'No erasure matches this identity.' })),
    onError: (error) => setErrors(describeFields(error, MESSAGES) ?? {}),
  });
  return (
    <FormDialog
      title="Lift an erasure?"
      act="Lift erasure"
      call={describeFields(lift.error, MESSAGES) === null ? lift : { ...lift, error: null }}
      onSubmit={() => submit((values) => lift.mutate(values))}
      onClose={onClose}
    >
      <p>
        The person can then be added or imported again, with any of their identities. Erased data doesn’t come back, not
        even whether they had unsubscribed: <strong>a person who is added again is subscribed</strong> unless the import
        or request says otherwise.
      </p>
      <TextInput
        label="Email, phone or ID of this person"
        description="Any identity they had."
        required
        autoComplete="off"
        {...field('identity')}
      />
      <TextInput
        label="Reason"
        description="Recorded in the log. Don’t name the person."
        required
        autoComplete="off"
        {...field('reason')}
      />
    </FormDialog>
  );
}

const MESSAGES = { reason: 'This identifies the person and is kept after erasure. Leave their name out.' };

const validate = ({ identity, reason }: Fields) => ({
  identity: identity.trim() === '' ? 'Enter an email, phone or ID that the person had.' : undefined,
  reason: findTextError(reason, REASON_MAX, 'Enter a reason. It’s recorded in the log.'),
});
