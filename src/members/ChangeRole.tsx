import { useState } from 'react';
import { listMembers, PERSON_ROLES, type ReadableMember, updateMember } from '#contract/members.ts';
import { request } from '../api/client.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { FormDialog } from '../api/FormDialog.tsx';
import { announce } from '../ui/page/announce.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
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
    <FormDialog
      title={
        isOneself ? (
          'Your own role'
        ) : (
          <>
            Role of <UntrustedText text={member.email || (member.name ?? member.uuid)} />
          </>
        )
      }
      act="Change"
      isDisabled={!isChanged}
      call={change}
      curl={<CopyCurl endpoint={updateMember} input={isChanged ? { member: member.uuid, body: { role } } : null} />}
      onSubmit={send}
      onClose={onClose}
    >
      <RoleField roles={PERSON_ROLES} value={role ?? ''} onChange={setRole} />
      <p className="note">
        {isOneself
          ? 'It holds at once. Only another admin can make you an admin again.'
          : 'It holds from their next click on.'}
      </p>
    </FormDialog>
  );
}
