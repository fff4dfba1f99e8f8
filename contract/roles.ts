import { type Role, ROLES } from './role.ts';

// What each role may do. The names are in the first load of the console.

const INCLUDED: { readonly [Has in Role]: readonly Role[] } = {
  read: ['read'],
  support: ['read', 'support'],
  editor: ['read', 'support', 'editor'],
  // It reads nothing, so a leaked token is worth little.
  ingest: ['ingest'],
  admin: ROLES,
};

const REQUIRED_ROLES = {
  listContactEvents: 'read',
  listDomains: 'read',
  listDomainAddresses: 'read',
  getWorkspace: 'read',
  listContacts: 'read',
  getContact: 'read',
  listContactChanges: 'read',
  listSuppressions: 'read',
  getContactActivity: 'read',
  getDomain: 'read',
  getDomainSummary: 'read',
  listDomainReports: 'read',
  getDomainReport: 'read',
  getDomainHistory: 'read',
  listDomainChanges: 'read',
  listIncidents: 'read',
  listAcceptances: 'read',
  listAddresses: 'read',
  getOverview: 'read',
  listChanges: 'read',
  checkDomain: 'read',
  recordExport: 'read',
  unsubscribeContact: 'support',
  subscribeContact: 'support',
  unsubscribeOwnContact: 'support',
  subscribeOwnContact: 'support',
  updateContact: 'editor',
  updateDomain: 'editor',
  acceptFault: 'editor',
  endAcceptance: 'editor',
  createContact: 'ingest',
  recordEvent: 'ingest',
  recordEvents: 'ingest',
  listSessions: 'read',
  endSession: 'read',
  listSharedLinks: 'read',
  createSharedLink: 'editor',
  revokeSharedLink: 'editor',
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
  listDestinations: 'admin',
  createDestination: 'admin',
  updateDestination: 'admin',
  removeDestination: 'admin',
  rotateSecret: 'admin',
  testDestination: 'admin',
  listDeliveries: 'admin',
  replayDelivery: 'admin',
} as const satisfies Readonly<Record<string, Role>>;

export type OperationId = keyof typeof REQUIRED_ROLES;

export const requiredRole = (operation: OperationId): Role => REQUIRED_ROLES[operation];

export const includesRole = (role: Role, required: Role): boolean => INCLUDED[role].includes(required);
