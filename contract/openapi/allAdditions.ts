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
import { importRows, previewImport, startImport, undoImport } from '#contract/imports.ts';
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
import { getRetention } from '#contract/retention.ts';
import { createSharedLink, listSharedLinks, revokeSharedLink } from '#contract/domains/sharedLinks.ts';
import { getRunCounts } from '#contract/runs/runCounts.ts';
import {
  addRunEntries,
  approveRun,
  getRunSettings,
  listRunContacts,
  listRuns,
  startRun,
  updateRunSettings,
} from '#contract/runs/runs.ts';
import {
  createEventRule,
  listEventRules,
  previewEventRule,
  removeEventRule,
} from '#contract/suppressions/eventRules.ts';
import { createView, listViews, removeView, updateView } from '#contract/savedViews.ts';
import { listEventNames } from '#contract/eventNames.ts';
import { listUnsubscribeBursts } from '#contract/suppressions/unsubscribeBursts.ts';
import { listSuppressions } from '#contract/suppressions/suppressedContacts.ts';
import { eraseContact, exportPerson, liftErasure, previewErasure } from '#contract/privacy.ts';

/** All operations beyond the interface. The console must not import this file: its pages would load all of them. */
export const additions: readonly Operation[] = [
  getWorkspace,
  listContacts,
  getContact,
  listSuppressions,
  listUnsubscribeBursts,
  listEventNames,
  listEventRules,
  previewEventRule,
  createEventRule,
  removeEventRule,
  listViews,
  createView,
  updateView,
  removeView,
  listContactChanges,
  getContactActivity,
  startRun,
  addRunEntries,
  listRuns,
  listRunContacts,
  approveRun,
  getRunCounts,
  getRunSettings,
  updateRunSettings,
  previewImport,
  startImport,
  importRows,
  undoImport,
  subscribeContact,
  unsubscribeOwnContact,
  subscribeOwnContact,
  getDomain,
  getDomainSummary,
  listAddresses,
  getOverview,
  listChanges,
  getRetention,
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
