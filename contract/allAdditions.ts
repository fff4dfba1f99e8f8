import { getContactActivity } from './activity.ts';
import { getContact, getDomainSummary, getWorkspace, listContacts } from './additions.ts';
import { listContactChanges, subscribeContact } from './change.ts';
import { checkDomain } from './dnsCheck.ts';
import type { Endpoint } from './endpoint.ts';
import { getOverview } from './overview.ts';

/** All operations beyond the interface. The console never imports this file: its pages would load all of them. */
export const additions: readonly Endpoint[] = [
  getWorkspace,
  listContacts,
  getContact,
  listContactChanges,
  getContactActivity,
  subscribeContact,
  getDomainSummary,
  getOverview,
  checkDomain,
];
