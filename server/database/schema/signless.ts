import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

// Step 11: a phone number or ID without any letter or digit, such as -, stands for none.

const SIGN = /[\p{L}\p{N}]/u;

/** Removes such identities. Contacts keep their attributes. */
export async function removeSignless(trx: Kysely<Tables>, isServer: boolean): Promise<void> {
  const hasOtherSigns = isServer ? sql`key !~ '[0-9A-Za-z]'` : sql`key not glob '*[0-9A-Za-z]*'`;
  const { rows } = await sql<{ workspace_id: number; kind: string; key: string }>`
    select workspace_id, kind, key from identities where kind in ('phone', 'custom') and ${hasOtherSigns}`.execute(trx);
  for (const { workspace_id, kind, key } of rows) {
    if (SIGN.test(key)) continue;
    await sql`
      delete from identities where workspace_id = ${workspace_id} and kind = ${kind} and key = ${key}`.execute(trx);
  }
}
