import { Button, TextInput } from '@mantine/core';
import { EMAIL_MAX, inviteMember, listMembers, PERSON_ROLES } from '#contract/people.ts';
import { request } from '../api/client.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { readSignInWays } from '../session/session.ts';
import { useSession } from '../session/useSession.ts';
import { workspaceUrl } from '../session/workspaces.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Form, FormButtons } from '../ui/Form.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { useForm } from '../ui/useForm.ts';
import classes from './People.module.css';
import { usePeopleChange } from './queries.ts';
import { RoleField } from './RoleField.tsx';

/** Asks whom to invite and as what; then gives the link to send them. */
export function InviteMember({ onClose }: { onClose: () => void }) {
  const { values, field, set, submit } = useForm({ email: '', role: 'read' }, validate);
  const invite = usePeopleChange([listMembers], (body: Body) => request(inviteMember, { body }));
  const body = bodyOf(values);
  // The fields may have been changed since.
  if (invite.isSuccess) return <Invited email={invite.variables.email} onClose={onClose} />;
  return (
    <Dialog title="Invite someone" onClose={onClose}>
      <Form className={classes.form} onSubmit={() => submit(() => invite.mutate(body))}>
        <TextInput
          label="Email address"
          description="They sign in with an account that has this address and has verified it."
          required
          type="email"
          autoComplete="off"
          spellCheck={false}
          {...field('email')}
        />
        <RoleField roles={PERSON_ROLES} value={values.role} onChange={(role) => set('role', role)} />
        {invite.isError && <ErrorAlert error={invite.error} />}
        <FormButtons>
          <CopyCurl endpoint={inviteMember} input={validate(values).email === undefined ? { body } : null} />
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={invite.isPending}>
            Invite
          </Button>
        </FormButtons>
      </Form>
    </Dialog>
  );
}

function Invited({ email, onClose }: { email: string; onClose: () => void }) {
  const link = workspaceUrl(useSession().workspace_uuid);
  return (
    <Dialog title="Invited" closable onClose={onClose}>
      <p>
        <UntrustedText text={email} />{' '}
        {readSignInWays()?.account === null
          ? 'can sign in once this service knows an account provider. We send no mail: give them this link then.'
          : 'can sign in now. We send no mail: give them this link.'}
      </p>
      <p className={classes.secret}>{link}</p>
      <FormButtons>
        <CopyButton value={link} what="link" label="Copy the link" />
        <Button size="xs" onClick={onClose}>
          Done
        </Button>
      </FormButtons>
    </Dialog>
  );
}

type Values = { email: string; role: string };
type Body = ReturnType<typeof bodyOf>;

const bodyOf = ({ email, role }: Values) => ({
  email: email.trim(),
  role: PERSON_ROLES.find((one) => one === role) ?? 'read',
});

function validate({ email }: Values): { email?: string } {
  const address = email.trim();
  if (!/^[^\s@]+@[^\s@]+$/.test(address)) return { email: 'Enter an email address, as in jo@example.com.' };
  return address.length > EMAIL_MAX ? { email: `An address has at most ${EMAIL_MAX} characters.` } : {};
}
