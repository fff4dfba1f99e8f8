import { isRole, type Role } from '#contract/role.ts';

/** What a role is called in the console. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  read: 'Read only',
  support: 'Support',
  editor: 'Editor',
  ingest: 'Ingest',
  admin: 'Admin',
};

/** The name of a role; of one that is not known, what the service calls it. */
export const roleName = (role: string): string => (isRole(role) ? ROLE_NAMES[role] : role);
