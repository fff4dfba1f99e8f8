import { arrangeEvents, putCheckedEvents } from '../../../contacts/events/putEvents.ts';
import type { CheckedEvent } from '../../../contacts/events/checkEvent.ts';
import { exportEvents } from '../../../contacts/events/events.ts';
import { exportContacts } from '../../../contacts/listContacts.ts';
import { putContacts } from '../../../contacts/store.ts';
import type { ImportedContact } from '../../../contacts/addContacts.ts';
import type { LogAuthor } from '../../../database/changeLog/author.ts';
import type { ImportOutcome } from '../../../database/importOutcome.ts';
import type { Scope } from '../../../database/scope.ts';
import { putAddresses } from '../../../domains/putAddresses.ts';
import { type ImportedDomain, putDomains } from '../../../domains/putDomains.ts';
import { exportAddresses, exportDomains } from '../../../domains/store.ts';
import type { ArrangeLines } from './importRows.ts';
import type { Resource } from './lineKinds.ts';

type ResourceTransfer = {
  put: (scope: Scope, lines: readonly object[], now: number, author: LogAuthor) => Promise<ImportOutcome[]>;
  /** Where the order of the file is not the one to write in. */
  arrange?: ArrangeLines;
  exportLines: (scope: Scope) => AsyncIterable<readonly string[]>;
};

export const resourceTransfers: Record<Resource, ResourceTransfer> = {
  contacts: {
    put: (scope, lines, now, author) => putContacts(scope, lines as readonly ImportedContact[], now, author),
    exportLines: exportContacts,
  },
  events: {
    put: (scope, lines, now) => putCheckedEvents(scope, lines as readonly CheckedEvent[], now),
    arrange: (scope, lines) => arrangeEvents(scope, lines as readonly CheckedEvent[]),
    exportLines: exportEvents,
  },
  domains: {
    put: (scope, lines, now, author) => putDomains(scope, lines as readonly ImportedDomain[], now, author),
    exportLines: exportDomains,
  },
  addresses: {
    put: (scope, lines, now) => putAddresses(scope, lines, now),
    exportLines: exportAddresses,
  },
};
