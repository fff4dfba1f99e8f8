import { tables } from './01-tables.ts';
import { changeLog } from './02-changeLog.ts';
import { verdicts } from './03-verdicts.ts';
import { writeMarks } from './04-writeMarks.ts';
import { rateLimits } from './05-rateLimits.ts';
import { contactLists } from './06-contactLists.ts';
import { domainLists } from './07-domainLists.ts';
import { boundedLists } from './08-boundedLists.ts';
import { rowSecurity } from './09-rowSecurity.ts';
import { searchIndex } from './10-searchIndex.ts';
import { searchMarks } from './11-searchMarks.ts';
import { domainStates } from './12-domainStates.ts';
import { overview } from './13-overview.ts';
import { roles } from './14-roles.ts';
import { log } from './15-log.ts';
import { people } from './16-people.ts';
import { erasures } from './17-erasures.ts';
import { contactParts } from './18-contactParts.ts';
import { phoneDigits } from './19-phoneDigits.ts';
import { addressParts } from './20-addressParts.ts';
import { searchMerges } from './21-searchMerges.ts';
import { domainOrders } from './22-domainOrders.ts';
import { searchedSpellings } from './23-searchedSpellings.ts';
import { loggedErasures } from './24-loggedErasures.ts';
import { eventCounts } from './25-eventCounts.ts';
import { plainLists } from './26-plainLists.ts';
import type { Migration } from './migration.ts';

/**
 * The steps of the schema. The version of a schema is the number of steps that were applied; a released step never
 * changes.
 */
export const migrations: readonly Migration[] = [
  tables,
  changeLog,
  verdicts,
  writeMarks,
  rateLimits,
  contactLists,
  domainLists,
  boundedLists,
  rowSecurity,
  searchIndex,
  searchMarks,
  domainStates,
  overview,
  roles,
  log,
  people,
  erasures,
  contactParts,
  phoneDigits,
  addressParts,
  searchMerges,
  domainOrders,
  searchedSpellings,
  loggedErasures,
  eventCounts,
  plainLists,
];
