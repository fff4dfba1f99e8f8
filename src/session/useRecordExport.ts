import { type Exported, recordExport } from '#contract/auditLog.ts';
import { request } from '../api/client.ts';
import { useCapability } from './useSession.ts';

/** `of`: the contact or domain of the list. */
type Saved = { operation: Exported; format: 'csv' | 'ndjson'; of?: string };

/** Logs that a list is about to be saved, before any row is read, if the service has an audit log. */
export function useRecordExport(): (saved: Saved) => Promise<void> {
  const isLogged = useCapability(recordExport);
  return async (body) => {
    if (isLogged) await request(recordExport, { body });
  };
}
