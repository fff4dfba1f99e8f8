import { TextInput } from '@mantine/core';
import { createToken, listTokens, TOKEN_NAME_MAX } from '#contract/members.ts';
import { ROLES } from '#contract/role.ts';
import { request } from '../api/client.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { FormDialog } from '../api/FormDialog.tsx';
import { useUnsavedDraft } from '../session/unsavedDrafts.ts';
import { Choice } from '../ui/Choice.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { findTextError, useForm } from '../ui/useForm.ts';
import { CopyDialog } from './CopyDialog.tsx';
import classes from './People.module.css';
import { useMembersChange } from './queries.ts';
import { RoleField } from './RoleField.tsx';

const EXPIRIES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'Never' },
] as const;

/** Creates a token, and shows its secret once. */
export function CreateToken({ onClose }: { onClose: () => void }) {
  const { values, isValid, field, set, submit } = useForm({ name: '', role: 'read', days: '90' }, validate);
  const create = useMembersChange([listTokens], (body: Body) => request(createToken, { body }));
  if (create.isSuccess) {
    // The fields may have changed during the call.
    return <Created name={create.variables.name} secret={create.data.data.secret} onClose={onClose} />;
  }
  return (
    <FormDialog
      title="Create a token"
      act="Create"
      call={create}
      curl={<CopyCurl endpoint={createToken} input={isValid ? { body: bodyOf(values) } : null} />}
      onSubmit={() => submit(() => create.mutate(bodyOf(values)))}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Its purpose, for example “CRM sync”. Shown in the log."
        required
        autoComplete="off"
        {...field('name')}
      />
      <RoleField roles={ROLES} value={values.role} onChange={(role) => set('role', role)} />
      <div className={classes.field}>
        <span>Expires after</span>
        <Choice label="Expires after" value={values.days} choices={EXPIRIES} onChange={(days) => set('days', days)} />
      </div>
    </FormDialog>
  );
}

type CreatedProps = { name: string; secret: string; onClose: () => void };

function Created({ name, secret, onClose }: CreatedProps) {
  useUnsavedDraft(true);
  return (
    <CopyDialog
      title={
        <>
          Token <UntrustedText text={name} />
        </>
      }
      value={secret}
      what="token"
      isOnce
      onClose={onClose}
    >
      <strong>Copy it now.</strong> It won’t be shown again: we store only its fingerprint.
    </CopyDialog>
  );
}

type Values = { name: string; role: string; days: string };
type Body = ReturnType<typeof bodyOf>;

const bodyOf = ({ name, role, days }: Values) => ({
  name: name.trim(),
  role: ROLES.find((one) => one === role) ?? 'read',
  ...(days !== '' && { expires_at: new Date(Date.now() + Number(days) * 86_400_000).toISOString() }),
});

const validate = ({ name }: Values) => ({ name: findTextError(name, TOKEN_NAME_MAX, 'Enter a name.') });
