import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import { queryClient } from './queryClient.ts';

/** Milliseconds for which the frame of the page waits for rows. Where they take longer, the console shows placeholders. */
const MOMENT = 200;

/**
 * Reads the rows that the page asked for before the console was there (public/start.js). Without it, the console would
 * render placeholders first, only to replace them at once.
 */
export async function readFirstRows<Data, Key extends QueryKey>(
  load: () => Promise<FetchQueryOptions<Data, Error, Data, Key>>,
): Promise<void> {
  try {
    const query = await load();
    if (globalThis.sendroomFirstRead === undefined) return;
    await Promise.race([queryClient.query(query), new Promise((resolve) => setTimeout(resolve, MOMENT))]);
  } catch {
    // The list shows what is wrong.
  }
}
