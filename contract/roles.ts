import { type Role, ROLES } from './role.ts';

// What each role may do. Apart from the names of the roles, which the first load of the console has.

/** The roles whose operations a role has. */
const INCLUDED: { readonly [Has in Role]: readonly Role[] } = {
  read: ['read'],
  support: ['read', 'support'],
  editor: ['read', 'support', 'editor'],
  // A program that writes reads nothing, so that its token is worth little to whoever finds it.
  ingest: ['ingest'],
  admin: ROLES,
};

/** The role that each operation needs. A DNS check only asks name servers, and stores what they say. */
const REQUIRED_ROLES = {
  listContactEvents: 'read',
  listDomains: 'read',
  listDomainAddresses: 'read',
  getWorkspace: 'read',
  listContacts: 'read',
  getContact: 'read',
  listContactChanges: 'read',
  getContactActivity: 'read',
  getDomain: 'read',
  getDomainSummary: 'read',
  getOverview: 'read',
  listChanges: 'read',
  checkDomain: 'read',
  recordExport: 'read',
  unsubscribeContact: 'support',
  subscribeContact: 'support',
  unsubscribeOwnContact: 'support',
  subscribeOwnContact: 'support',
  updateContact: 'editor',
  createContact: 'ingest',
  recordEvent: 'ingest',
  recordEvents: 'ingest',
  listSessions: 'read',
  endSession: 'read',
  listMembers: 'admin',
  inviteMember: 'admin',
  updateMember: 'admin',
  removeMember: 'admin',
  listTokens: 'admin',
  createToken: 'admin',
  revokeToken: 'admin',
  exportPerson: 'support',
  previewErasure: 'admin',
  eraseContact: 'admin',
  liftErasure: 'admin',
  findErasure: 'admin',
} as const satisfies Readonly<Record<string, Role>>;

/** The id of an operation that a role is required for, which is each that is served. */
export type OperationId = keyof typeof REQUIRED_ROLES;

/** The least role that may call an operation; an admin may call all. */
export const requiredRole = (operation: OperationId): Role => REQUIRED_ROLES[operation];

/** Whether `role` has all that `required` may do. */
export const includesRole = (role: Role, required: Role): boolean => INCLUDED[role].includes(required);
