import { useId } from 'react';
import type { Role } from '#contract/role.ts';
import { ROLE_NAMES } from '../session/roleNames.ts';
import classes from './Team.module.css';

const WHAT_ROLES_DO: Readonly<Record<Role, string>> = {
  read: 'Sees everything and checks the DNS.',
  support: 'Also unsubscribes contacts and subscribes them again, one by one or in bulk.',
  editor: 'Also edits contact attributes.',
  ingest: 'For programs: creates contacts and records events; reads nothing.',
  admin: 'Everything, including people and tokens.',
};

/** Of invitations and tokens: the least one that does support work. */
export const FIRST_ROLE = 'support' satisfies Role;

type Props<Choice extends Role> = { roles: readonly Choice[]; value: string; onChange: (role: Choice) => void };

export function RoleField<Choice extends Role>({ roles, value, onChange }: Props<Choice>) {
  const group = useId();
  return (
    <fieldset className={classes.roles}>
      <legend>Role</legend>
      {roles.map((role) => (
        <label key={role}>
          <input type="radio" name={group} checked={role === value} onChange={() => onChange(role)} />
          <span>
            {ROLE_NAMES[role]}
            <small>{WHAT_ROLES_DO[role]}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
