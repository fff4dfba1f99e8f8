import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { REASON_MAX } from '#contract/change.ts';
import { liftErasure } from '#contract/person.ts';
import { ApiError } from '../api/ApiError.ts';
import { request } from '../api/client.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { useMissingRole } from '../session/useMissingRole.ts';
import { useCapability } from '../session/useSession.ts';
import { announce } from '../ui/announce.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Form, FormButtons } from '../ui/Form.tsx';
import { useForm } from '../ui/useForm.ts';
import classes from './Unsubscribe.module.css';

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
    onError: (error) => {
      if (namesPerson(error))
        setErrors({ reason: 'This names the person, and it would stay. Say it without the name.' });
    },
  });
  return (
    <Dialog title="Accept an erased person again?" onClose={onClose}>
      <Form className={classes.form} onSubmit={() => submit((values) => lift.mutate(values))}>
        <p>
          They can then be added or imported again, by any of their identities. Nothing that was erased comes back, not
          even whether they had unsubscribed: <strong>whoever is added again is subscribed</strong>, unless the import
          or the call says otherwise.
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
        {lift.isError && !namesPerson(lift.error) && <ErrorAlert error={lift.error} />}
        <FormButtons>
          <Button variant="default" onClick={onClose}>
            {lift.isPending ? 'Close' : 'Cancel'}
          </Button>
          <Button type="submit" loading={lift.isPending}>
            Accept again
          </Button>
        </FormButtons>
      </Form>
    </Dialog>
  );
}

const namesPerson = (error: Error) => error instanceof ApiError && error.fields.some(({ field }) => field === 'reason');

function validate({ identity, reason }: Fields): Partial<Fields> {
  return {
    ...(identity.trim() === '' && { identity: 'Type an email, phone or ID that the person had.' }),
    ...(reason.trim() === '' && { reason: 'Say why. The reason is recorded in the log.' }),
    ...(reason.trim().length > REASON_MAX && { reason: `At most ${REASON_MAX} characters.` }),
  };
}
