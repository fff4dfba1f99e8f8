import { useState } from 'react';
import { listMembers, PERSON_ROLES, type ReadableMember, updateMember } from '#contract/members.ts';
import { request } from '../api/client.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { FormDialog } from '../api/FormDialog.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { useDialogChange, useIsOneself } from './queries.ts';
import { RoleField } from './RoleField.tsx';

export function ChangeRole({ member, onClose }: { member: ReadableMember; onClose: () => void }) {
  const [role, setRole] = useState(PERSON_ROLES.find((one) => one === member.role));
  const input = { member: member.uuid, body: { role: role ?? 'read' } } as const;
  const dialog = useDialogChange([listMembers], () => request(updateMember, input), { done: 'Role changed', onClose });
  const isOneself = useIsOneself(member);
  const isChanged = role !== undefined && role !== member.role;
  const who = <UntrustedText text={member.email || (member.name ?? member.uuid)} />;
  return (
    <FormDialog
      {...dialog}
      title={isOneself ? 'Your own role' : <>Role of {who}</>}
      act="Change"
      isDisabled={!isChanged}
      curl={<CopyCurl endpoint={updateMember} input={isChanged ? input : null} />}
    >
      <RoleField roles={PERSON_ROLES} value={role ?? ''} onChange={setRole} />
      <p className="note">
        {isOneself
          ? 'Takes effect immediately. Only another admin can restore your admin role.'
          : 'Takes effect on their next request.'}
      </p>
    </FormDialog>
  );
}
