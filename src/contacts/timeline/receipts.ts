import { listChanges, type ReadableLogLine } from '#contract/auditLog.ts';
import type { ReadableChange } from '#contract/change.ts';
import { listQuery } from '../../api/apiQuery.ts';

/** When changes since `from` reached other systems. They follow within a day, unless sent again. */
export const receiptsQuery = (contact: string, from: string) =>
  listQuery(listChanges, {
    query: {
      page: 1,
      per_page: 100,
      sorting: [{ id: 'created_at', desc: false }],
      filters: { contact, action: 'message_delivered', from },
    },
  });

/** The receipts of a change, by its time: a contact changes once in a millisecond. */
export const receiptsOf = ({ created_at }: ReadableChange, lines: readonly ReadableLogLine[]) =>
  lines.filter(({ details }) => created_at !== null && details?.['changed_at'] === created_at);
