import { getContactActivity } from './activity.ts';
import { getContact, getDomainSummary, getWorkspace, listContacts } from './additions.ts';
import { listContactChanges, subscribeContact } from './change.ts';
import { checkDomain } from './dnsCheck.ts';
import type { Operation } from './endpoint.ts';
import { findErasure } from './erasure.ts';
import { createContact, recordEvent, recordEvents } from './ingest.ts';
import { listChanges, recordExport } from './log.ts';
import { getDomain, subscribeOwnContact, unsubscribeOwnContact } from './otherClients.ts';
import { getOverview } from './overview.ts';
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
} from './people.ts';
import { eraseContact, exportPerson, liftErasure, previewErasure } from './person.ts';

/** All operations beyond the interface. The console never imports this file: its pages would load all of them. */
export const additions: readonly Operation[] = [
  getWorkspace,
  listContacts,
  getContact,
  listContactChanges,
  getContactActivity,
  subscribeContact,
  unsubscribeOwnContact,
  subscribeOwnContact,
  getDomain,
  getDomainSummary,
  getOverview,
  listChanges,
  recordExport,
  checkDomain,
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
];
