import { Button } from '@mantine/core';
import { useState } from 'react';
import { listMembers, PERSON_ROLES, type ReadableMember, updateMember } from '#contract/people.ts';
import { request } from '../api/client.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { announce } from '../ui/announce.ts';
import { Form, FormButtons } from '../ui/Form.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import classes from './People.module.css';
import { usePeopleChange } from './queries.ts';
import { RoleField } from './RoleField.tsx';
import { useIsOneself } from './useIsOneself.ts';

/** Asks for the new role of a member. */
export function ChangeRole({ member, onClose }: { member: ReadableMember; onClose: () => void }) {
  const [role, setRole] = useState(PERSON_ROLES.find((one) => one === member.role));
  const change = usePeopleChange([listMembers], () =>
    request(updateMember, { member: member.uuid, body: { role: role ?? 'read' } }),
  );
  const send = () =>
    change.mutate(undefined, {
      onSuccess: () => {
        onClose();
        announce('The role is changed');
      },
    });
  const isOneself = useIsOneself(member);
  const isChanged = role !== undefined && role !== member.role;
  return (
    <Dialog
      title={
        isOneself ? (
          'Your own role'
        ) : (
          <>
            Role of <UntrustedText text={member.email || (member.name ?? member.uuid)} />
          </>
        )
      }
      onClose={onClose}
    >
      <Form className={classes.form} onSubmit={send}>
        <RoleField roles={PERSON_ROLES} value={role ?? ''} onChange={setRole} />
        <p className="note">
          {isOneself
            ? 'It holds at once. Only another admin can make you an admin again.'
            : 'It holds from their next click on.'}
        </p>
        {change.isError && <ErrorAlert error={change.error} />}
        <FormButtons>
          <CopyCurl endpoint={updateMember} input={isChanged ? { member: member.uuid, body: { role } } : null} />
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isChanged} loading={change.isPending}>
            Change
          </Button>
        </FormButtons>
      </Form>
    </Dialog>
  );
}
