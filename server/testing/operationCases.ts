import { randomUUID } from 'node:crypto';
import type { Operation } from '#contract/openapi/endpoint.ts';
import type { OperationId } from '#contract/roles.ts';
import { ACCEPTED_FAULT, SHARED_IDENTITIES, type Tenant } from './testTenants.ts';

export type OperationCase = {
  params: (owner: Tenant) => Record<string, string> | Promise<Record<string, string>>;
  body?: unknown;
  /** The response about a foreign resource: a status (200: as for a missing one), or not in the list. */
  foreign: 200 | 403 | 404 | 'unseen';
  /** Deletes its resource. */
  isLast?: true;
  /** The result has no text of the workspace. */
  isWithoutText?: true;
};

const runOf = (owner: Tenant) => ({ run: owner.run });
const importOf = (owner: Tenant) => ({ run: owner.importRun });
const IMPORT_ROWS = [{ attributes: { email: 'nobody@example.com' } }];
const destinationOf = (owner: Tenant) => ({ destination: owner.destination });

async function memberOf(owner: Tenant) {
  return { member: await owner.newMember() };
}

export const OPERATION_CASES: Readonly<Record<OperationId, OperationCase>> = {
  updateContact: {
    params: (owner) => ({ contact: owner.contact }),
    body: { attributes: { company: 'Acme' } },
    foreign: 404,
  },
  unsubscribeContact: {
    params: (owner) => ({ workspace: owner.workspace.uuid, contact: owner.contact }),
    foreign: 403,
  },
  listContactEvents: { params: (owner) => ({ contact: owner.contact }), foreign: 404 },
  listDomains: { params: () => ({}), foreign: 'unseen' },
  listDomainAddresses: { params: (owner) => ({ domain: owner.domain }), foreign: 404 },
  getWorkspace: { params: () => ({}), foreign: 'unseen' },
  listContacts: { params: () => ({}), foreign: 'unseen' },
  getContact: { params: (owner) => ({ contact: owner.contact }), foreign: 404 },
  listSuppressions: { params: () => ({}), foreign: 'unseen' },
  startRun: {
    params: () => ({}),
    get body() {
      return { uuid: randomUUID(), entries: 1 };
    },
    foreign: 'unseen',
  },
  addRunEntries: {
    params: runOf,
    body: { from: 0, entries: [['nobody@example.com']] },
    foreign: 404,
    isWithoutText: true,
  },
  listRuns: { params: () => ({}), foreign: 'unseen' },
  listRunContacts: { params: runOf, foreign: 404 },
  approveRun: { params: runOf, foreign: 404 },
  getRunCounts: { params: () => ({}), foreign: 'unseen', isWithoutText: true },
  getRunSettings: { params: () => ({}), foreign: 'unseen', isWithoutText: true },
  updateRunSettings: { params: () => ({}), body: { approval_above: 1000 }, foreign: 'unseen', isWithoutText: true },
  previewImport: { params: () => ({}), body: { rows: IMPORT_ROWS }, foreign: 'unseen', isWithoutText: true },
  startImport: {
    params: () => ({}),
    get body() {
      return { uuid: randomUUID(), rows: 1, source: 'a file' };
    },
    foreign: 'unseen',
  },
  importRows: {
    params: importOf,
    body: { from: 0, rows: IMPORT_ROWS },
    foreign: 404,
    isWithoutText: true,
  },
  undoImport: {
    params: importOf,
    body: { dry_run: true },
    foreign: 404,
    isWithoutText: true,
  },
  listUnsubscribeBursts: { params: () => ({}), foreign: 'unseen', isWithoutText: true },
  getRetention: { params: () => ({}), foreign: 'unseen', isWithoutText: true },
  listEventNames: { params: () => ({}), foreign: 'unseen' },
  listEventRules: { params: () => ({}), foreign: 'unseen' },
  previewEventRule: {
    params: () => ({}),
    body: { event_name: 'no such event', condition: null },
    foreign: 'unseen',
    isWithoutText: true,
  },
  createEventRule: {
    params: () => ({}),
    body: { event_name: 'no such event', condition: null, reason: 'complaint' },
    foreign: 'unseen',
  },
  removeEventRule: { params: ({ rule }) => ({ rule }), foreign: 404, isLast: true, isWithoutText: true },
  listViews: { params: () => ({}), foreign: 'unseen' },
  createView: {
    params: () => ({}),
    get body() {
      return { name: randomUUID(), query: 'subscribed=true', shared: true };
    },
    foreign: 'unseen',
  },
  updateView: { params: ({ view }) => ({ view }), body: { query: 'subscribed=false' }, foreign: 404 },
  removeView: { params: ({ view }) => ({ view }), foreign: 404, isLast: true },
  listContactChanges: { params: (owner) => ({ contact: owner.contact }), foreign: 404 },
  getContactActivity: { params: (owner) => ({ contact: owner.contact }), foreign: 404 },
  getOverview: { params: () => ({}), foreign: 'unseen' },
  listChanges: { params: () => ({}), foreign: 'unseen' },
  recordExport: {
    params: () => ({}),
    body: { operation: 'listContacts', format: 'csv' },
    foreign: 'unseen',
    isWithoutText: true,
  },
  subscribeContact: {
    params: (owner) => ({ workspace: owner.workspace.uuid, contact: owner.contact }),
    body: { reason: 'Asked for it by phone' },
    foreign: 403,
  },
  unsubscribeOwnContact: { params: (owner) => ({ contact: owner.contact }), foreign: 404 },
  subscribeOwnContact: {
    params: (owner) => ({ contact: owner.contact }),
    body: { reason: 'Asked for it by phone' },
    foreign: 404,
  },
  getDomain: { params: (owner) => ({ domain: owner.domain }), foreign: 404 },
  getDomainSummary: { params: () => ({}), foreign: 'unseen' },
  listDomainReports: { params: () => ({}), foreign: 'unseen' },
  getDomainReport: { params: (owner) => ({ domain: owner.domain }), foreign: 404 },
  getDomainHistory: { params: (owner) => ({ domain: owner.domain }), foreign: 404 },
  listDomainChanges: { params: () => ({}), foreign: 'unseen' },
  updateDomain: { params: (owner) => ({ domain: owner.domain }), body: { sends_bulk: false }, foreign: 404 },
  listIncidents: { params: () => ({}), foreign: 'unseen' },
  acceptFault: {
    params: async (owner) => ({ domain: await owner.faultyDomain() }),
    body: { ...ACCEPTED_FAULT, reason: 'The agency moves it', until: '2027-06-01T00:00:00.000Z' },
    foreign: 404,
  },
  listAcceptances: { params: () => ({}), foreign: 'unseen' },
  endAcceptance: { params: (owner) => ({ acceptance: owner.acceptance }), foreign: 404 },
  listDestinations: { params: () => ({}), foreign: 'unseen' },
  createDestination: {
    params: () => ({}),
    body: {
      kind: 'webhook',
      name: 'canary',
      address: 'https://hooks.example.com/',
      rules: { incidents: [{}], contact_changes: true, digest: false, heartbeat: false },
    },
    foreign: 'unseen',
    isWithoutText: true,
  },
  updateDestination: { params: destinationOf, body: { enabled: true }, foreign: 404 },
  rotateSecret: { params: destinationOf, foreign: 404 },
  testDestination: { params: destinationOf, foreign: 404, isWithoutText: true },
  listDeliveries: { params: destinationOf, foreign: 404, isWithoutText: true },
  replayDelivery: {
    params: (owner) => ({ ...destinationOf(owner), message: owner.message }),
    foreign: 404,
    isWithoutText: true,
  },
  removeDestination: { params: destinationOf, foreign: 404, isLast: true },
  listAddresses: { params: () => ({}), foreign: 'unseen' },
  createContact: {
    params: () => ({}),
    get body() {
      return { attributes: { email: `${randomUUID()}@example.com` } };
    },
    foreign: 'unseen',
    isWithoutText: true,
  },
  recordEvent: {
    params: (owner) => ({ contact: owner.contact }),
    body: { uuid: '11111111-1111-4111-8111-111111111111', event_name: 'signed up' },
    foreign: 404,
    isWithoutText: true,
  },
  recordEvents: { params: () => ({}), body: [], foreign: 'unseen', isWithoutText: true },
  exportPerson: { params: (owner) => ({ contact: owner.contact }), foreign: 404 },
  previewErasure: { params: (owner) => ({ contact: owner.contact }), foreign: 404, isWithoutText: true },
  eraseContact: {
    params: (owner) => ({ contact: owner.contact }),
    body: { identity: SHARED_IDENTITIES.email, reference: '2026-117', reason: 'Asked by letter' },
    foreign: 404,
    isWithoutText: true,
    isLast: true,
  },
  liftErasure: {
    params: () => ({}),
    body: { identity: 'nobody.was@example.com', reason: 'Wrote that it was a mistake' },
    foreign: 'unseen',
    isWithoutText: true,
  },
  findErasure: { params: () => ({ identity: 'nobody.was@example.com' }), foreign: 200, isWithoutText: true },
  checkDomain: { params: (owner) => ({ domain: owner.domain }), foreign: 404 },
  listSharedLinks: {
    params: async (owner) => {
      await owner.newLink();
      return { domain: owner.domain };
    },
    foreign: 404,
  },
  createSharedLink: { params: (owner) => ({ domain: owner.domain }), foreign: 404 },
  revokeSharedLink: {
    params: async (owner) => ({ domain: owner.domain, link: (await owner.newLink()).uuid }),
    foreign: 404,
  },
  listMembers: { params: () => ({}), foreign: 'unseen' },
  inviteMember: {
    params: () => ({}),
    get body() {
      return { email: `${randomUUID()}@example.com`, role: 'read' };
    },
    foreign: 'unseen',
    isWithoutText: true,
  },
  updateMember: { params: memberOf, body: { role: 'support' }, foreign: 404 },
  removeMember: { params: memberOf, foreign: 404, isWithoutText: true },
  listTokens: { params: () => ({}), foreign: 'unseen' },
  createToken: { params: () => ({}), body: { name: 'new', role: 'read' }, foreign: 'unseen', isWithoutText: true },
  revokeToken: { params: async (owner) => ({ token: await owner.newToken() }), foreign: 404, isWithoutText: true },
  listSessions: {
    params: async (owner) => {
      await owner.newSession();
      return {};
    },
    foreign: 'unseen',
  },
  endSession: { params: async (owner) => ({ session: await owner.newSession() }), foreign: 404, isWithoutText: true },
};

export const successOf = ({ result }: Pick<Operation, 'result'>): number =>
  result.safeParse(undefined).success ? 204 : 200;

export const findCase = ({ id }: { id: OperationId }): OperationCase => OPERATION_CASES[id];
