import { getContactActivity } from '#contract/activity.ts';
import { listAddresses } from '#contract/addresses.ts';
import { getContact, getDomainSummary, getWorkspace, listContacts } from '#contract/additions.ts';
import { listContactChanges, subscribeContact } from '#contract/change.ts';
import { checkDomain } from '#contract/domains/dnsCheck.ts';
import {
  acceptFault,
  endAcceptance,
  getDomainHistory,
  getDomainReport,
  listAcceptances,
  listDomainChanges,
  listIncidents,
  updateDomain,
} from '#contract/domains/domainHistory.ts';
import { listDomainReports } from '#contract/domains/domainReport.ts';
import type { Operation } from './endpoint.ts';
import { findErasure } from '#contract/erasure.ts';
import { createContact, recordEvent, recordEvents } from '#contract/ingest.ts';
import { listChanges, recordExport } from '#contract/auditLog.ts';
import { getDomain, subscribeOwnContact, unsubscribeOwnContact } from '#contract/openapi/otherClients.ts';
import {
  createDestination,
  listDeliveries,
  listDestinations,
  removeDestination,
  replayDelivery,
  rotateSecret,
  testDestination,
  updateDestination,
} from '#contract/notifications.ts';
import { getOverview } from '#contract/overview.ts';
import {
  createToken,
  endSession,
  inviteMember,
  listMembers,
  listSessions,
  listTokens,
  removeMember,
  revokeToken,
  updateMember,
} from '#contract/members.ts';
import { createSharedLink, listSharedLinks, revokeSharedLink } from '#contract/domains/sharedLinks.ts';
import { listSuppressions } from '#contract/suppressedContacts.ts';
import { eraseContact, exportPerson, liftErasure, previewErasure } from '#contract/privacy.ts';

/** All operations beyond the interface. The console must not import this file: its pages would load all of them. */
export const additions: readonly Operation[] = [
  getWorkspace,
  listContacts,
  getContact,
  listSuppressions,
  listContactChanges,
  getContactActivity,
  subscribeContact,
  unsubscribeOwnContact,
  subscribeOwnContact,
  getDomain,
  getDomainSummary,
  listAddresses,
  getOverview,
  listChanges,
  recordExport,
  listDomainReports,
  getDomainReport,
  getDomainHistory,
  listDomainChanges,
  updateDomain,
  listIncidents,
  acceptFault,
  listAcceptances,
  endAcceptance,
  checkDomain,
  listSharedLinks,
  createSharedLink,
  revokeSharedLink,
  createContact,
  recordEvent,
  recordEvents,
  listMembers,
  inviteMember,
  updateMember,
  removeMember,
  listTokens,
  createToken,
  revokeToken,
  listSessions,
  endSession,
  exportPerson,
  previewErasure,
  eraseContact,
  liftErasure,
  findErasure,
  listDestinations,
  createDestination,
  updateDestination,
  removeDestination,
  rotateSecret,
  testDestination,
  listDeliveries,
  replayDelivery,
];
