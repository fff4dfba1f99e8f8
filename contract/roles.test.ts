import { expect, test } from 'vitest';
import { additions } from '#contract/openapi/allAdditions.ts';
import { operations } from './interface.ts';
import { openApi } from '#contract/openapi/openapi.ts';
import { type Role, ROLES } from './role.ts';
import { includesRole, type OperationId, requiredRole } from './roles.ts';

/** What each role may do, said once more without the table of the contract. */
const READS: OperationId[] = [
  'listContactEvents',
  'listDomains',
  'listDomainAddresses',
  'getWorkspace',
  'listContacts',
  'getContact',
  'listContactChanges',
  'listSuppressions',
  'listRuns',
  'listRunContacts',
  'getRunCounts',
  'getRunSettings',
  'listUnsubscribeBursts',
  'listEventNames',
  'listEventRules',
  'listViews',
  'createView',
  'updateView',
  'removeView',
  'getContactActivity',
  'getDomain',
  'getDomainSummary',
  'listDomainReports',
  'getDomainReport',
  'getDomainHistory',
  'listDomainChanges',
  'listIncidents',
  'listAcceptances',
  'listAddresses',
  'getOverview',
  'getRetention',
  'listChanges',
  'checkDomain',
  'listSharedLinks',
  'recordExport',
  'listSessions',
  'endSession',
];
const SUPPORTS: OperationId[] = [
  ...READS,
  'unsubscribeContact',
  'subscribeContact',
  'unsubscribeOwnContact',
  'subscribeOwnContact',
  'exportPerson',
  'startRun',
  'addRunEntries',
  'approveRun',
];
const EDITS: OperationId[] = [
  ...SUPPORTS,
  'updateContact',
  'updateDomain',
  'acceptFault',
  'endAcceptance',
  'createSharedLink',
  'revokeSharedLink',
];
const INGESTS: OperationId[] = ['createContact', 'recordEvent', 'recordEvents'];
const ADMINISTERS: OperationId[] = [
  'updateRunSettings',
  'previewImport',
  'startImport',
  'importRows',
  'undoImport',
  'previewEventRule',
  'createEventRule',
  'removeEventRule',
  'listMembers',
  'inviteMember',
  'updateMember',
  'removeMember',
  'listTokens',
  'createToken',
  'revokeToken',
  'previewErasure',
  'eraseContact',
  'liftErasure',
  'findErasure',
  'listDestinations',
  'createDestination',
  'updateDestination',
  'removeDestination',
  'rotateSecret',
  'testDestination',
  'listDeliveries',
  'replayDelivery',
];
const ALLOWED: Record<Role, OperationId[]> = {
  read: READS,
  support: SUPPORTS,
  editor: EDITS,
  ingest: INGESTS,
  admin: [...EDITS, ...INGESTS, ...ADMINISTERS],
};

const ids = [...operations, ...additions].map(({ id }) => id);

test('every operation is in the lists above', () => {
  expect(ALLOWED.admin.toSorted()).toEqual(ids.toSorted());
});

test.each(ROLES)('the role %s may call the operations of its list, and no other', (role) => {
  const allowed = ids.filter((id) => includesRole(role, requiredRole(id)));
  expect(allowed.toSorted()).toEqual(ALLOWED[role].toSorted());
});

test('OpenAPI says the least role of every operation', () => {
  const { paths } = openApi({ additions, hasRoles: true }) as unknown as {
    paths: Record<string, Record<string, { operationId: OperationId; 'x-required-role': Role }>>;
  };
  const described = Object.values(paths).flatMap((methods) => Object.values(methods));
  const levels: Role[] = ['read', 'support', 'editor', 'ingest', 'admin'];
  const least = (id: OperationId) => levels.find((role) => ALLOWED[role].includes(id));
  const roles = described.map((operation) => [operation.operationId, operation['x-required-role']] as const);
  expect(Object.fromEntries(roles)).toEqual(Object.fromEntries(ids.map((id) => [id, least(id)])));
});
