import { isRole, type Role } from '#contract/role.ts';

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  read: 'Read only',
  support: 'Support',
  editor: 'Editor',
  ingest: 'Ingest',
  admin: 'Admin',
};

/** An unknown role has the service's name. */
export const roleName = (role: string): string => (isRole(role) ? ROLE_NAMES[role] : role);
