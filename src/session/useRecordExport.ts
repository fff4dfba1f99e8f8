import { type Exported, recordExport } from '#contract/auditLog.ts';
import { request } from '../api/client.ts';
import { useCapability } from './useSession.ts';

/** `of`: the contact or domain of the list. */
type Saved = { operation: Exported; format: 'csv' | 'ndjson'; of?: string };

export function useRecordExport(): (saved: Saved) => Promise<void> {
  const isLogged = useCapability(recordExport);
  return async (body) => {
    if (isLogged) await request(recordExport, { body });
  };
}
