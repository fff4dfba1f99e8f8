import { TextInput } from '@mantine/core';
import { EMAIL_MAX, inviteMember, listMembers, PERSON_ROLES } from '#contract/members.ts';
import { request } from '../api/client.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { FormDialog } from '../api/FormDialog.tsx';
import { signInWays } from '../session/session.ts';
import { useSession } from '../session/useSession.ts';
import { workspaceUrl } from '../session/workspaces.ts';
import { useStore } from '../ui/page/store.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { findTextError, useForm } from '../ui/useForm.ts';
import { CopyDialog } from './CopyDialog.tsx';
import { useMembersChange } from './queries.ts';
import { FIRST_ROLE, RoleField } from './RoleField.tsx';

export function InviteMember({ onClose }: { onClose: () => void }) {
  const { values, isValid, field, set, submit } = useForm({ email: '', role: FIRST_ROLE }, validate);
  const invite = useMembersChange([listMembers], (body: Body) => request(inviteMember, { body }));
  const body = bodyOf(values);
  // The fields may have changed during the call.
  if (invite.isSuccess) return <Invited email={invite.variables.email} onClose={onClose} />;
  return (
    <FormDialog
      title="Invite someone"
      act="Invite"
      call={invite}
      curl={<CopyCurl endpoint={inviteMember} input={isValid ? { body } : null} />}
      onSubmit={() => submit(() => invite.mutate(body))}
      onClose={onClose}
    >
      <TextInput
        label="Email address"
        description="They must sign in with an account that has this verified email."
        required
        type="email"
        autoComplete="off"
        spellCheck={false}
        {...field('email')}
      />
      <RoleField roles={PERSON_ROLES} value={values.role} onChange={(role) => set('role', role)} />
    </FormDialog>
  );
}

function Invited({ email, onClose }: { email: string; onClose: () => void }) {
  const ways = useStore(signInWays);
  const link = workspaceUrl(useSession().workspace_uuid);
  return (
    <CopyDialog title="Invited" value={link} what="link" onClose={onClose}>
      <UntrustedText text={email} />{' '}
      {ways?.account === null
        ? 'can sign in once single sign-on is configured. Sendroom doesn’t send email; share this link.'
        : 'can sign in now. Sendroom doesn’t send email; share this link.'}
    </CopyDialog>
  );
}

type Values = { email: string; role: string };
type Body = ReturnType<typeof bodyOf>;

const bodyOf = ({ email, role }: Values) => ({
  email: email.trim(),
  role: PERSON_ROLES.find((one) => one === role) ?? FIRST_ROLE,
});

const validate = ({ email }: Values) => ({
  email: /^[^\s@]+@[^\s@]+$/.test(email.trim())
    ? findTextError(email, EMAIL_MAX)
    : 'Enter an email address like jo@example.com.',
});
