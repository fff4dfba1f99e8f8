import { type Exported, recordExport } from '#contract/auditLog.ts';
import { request } from '../api/client.ts';
import { useCapability } from './useSession.ts';

/** A list that is about to be saved: its operation, and the contact or domain whose it is. */
type Saved = { operation: Exported; format: 'csv' | 'ndjson'; of?: string };

/**
 * Gives what tells the service that a list is about to be saved, so that its log has a line before any row is read. Does nothing with a
 * service that keeps no log of it.
 */
export function useRecordExport(): (saved: Saved) => Promise<void> {
  const isLogged = useCapability(recordExport);
  return async (body) => {
    if (isLogged) await request(recordExport, { body });
  };
}
