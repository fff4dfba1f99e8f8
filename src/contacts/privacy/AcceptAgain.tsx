import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { REASON_MAX } from '#contract/change.ts';
import { liftErasure } from '#contract/privacy.ts';
import { sayAtFields } from '../../api/ApiError.ts';
import { request } from '../../api/client.ts';
import { FormDialog } from '../../api/FormDialog.tsx';
import { useMissingRole } from '../../session/useMissingRole.ts';
import { useCapability } from '../../session/useSession.ts';
import { announce } from '../../ui/page/announce.ts';
import { findTextError, useForm } from '../../ui/useForm.ts';

const ACCEPTED = 'This person is accepted again, and can be added.';

/** Lifts the erasure of a person, by an identity that is typed. Nothing for those who may not. */
export function AcceptAgain() {
  const canLift = useCapability(liftErasure);
  const mayNotLift = useMissingRole(liftErasure);
  const [isAsking, setAsking] = useState(false);
  const [isLifted, setLifted] = useState(false);
  if (!canLift || mayNotLift !== null) return null;
  const finish = () => {
    setAsking(false);
    setLifted(true);
    announce(ACCEPTED);
  };
  return (
    <>
      {isLifted && <p>{ACCEPTED}</p>}
      <p>
        <Button size="xs" variant="default" onClick={() => setAsking(true)}>
          Accept an erased person again …
        </Button>
      </p>
      {isAsking && <AcceptDialog onClose={() => setAsking(false)} onLifted={finish} />}
    </>
  );
}

type Fields = { identity: string; reason: string };

function AcceptDialog({ onClose, onLifted }: { onClose: () => void; onLifted: () => void }) {
  const { field, submit, setErrors } = useForm<Fields>({ identity: '', reason: '' }, validate);
  const lift = useMutation({
    mutationFn: ({ identity, reason }: Fields) =>
      request(liftErasure, { body: { identity: identity.trim(), reason: reason.trim() } }),
    // It names the person.
    gcTime: 0,
    onSuccess: ({ data }) =>
      data.lifted ? onLifted() : setErrors({ identity: 'Nobody with this identity is refused.' }),
    onError: (error) => setErrors(sayAtFields(error, MESSAGES) ?? {}),
  });
  return (
    <FormDialog
      title="Accept an erased person again?"
      act="Accept again"
      call={sayAtFields(lift.error, MESSAGES) === null ? lift : { ...lift, error: null }}
      onSubmit={() => submit((values) => lift.mutate(values))}
      onClose={onClose}
    >
      <p>
        They can then be added or imported again, by any of their identities. Nothing that was erased comes back, not
        even whether they had unsubscribed: <strong>a person who is added again is subscribed</strong>, unless the
        import or the call says otherwise.
      </p>
      <TextInput
        label="Email, phone or ID of this person"
        description="Any one that they had."
        required
        autoComplete="off"
        {...field('identity')}
      />
      <TextInput
        label="Reason"
        description="For the log. Without the name of the person."
        required
        autoComplete="off"
        {...field('reason')}
      />
    </FormDialog>
  );
}

const MESSAGES = { reason: 'This names the person, and it would stay. Say it without the name.' };

const validate = ({ identity, reason }: Fields) => ({
  identity: identity.trim() === '' ? 'Type an email, phone or ID that the person had.' : undefined,
  reason: findTextError(reason, REASON_MAX, 'Say why. The reason is recorded in the log.'),
});
