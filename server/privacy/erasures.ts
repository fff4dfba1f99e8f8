import { must } from '#contract/values/must.ts';
import { ERASED_BY_HASH, hashesOf, readErasureKey } from '../contacts/identities/erasedIdentities.ts';
import { foldIdentity, IDENTITY_KINDS } from '../contacts/identities/identity.ts';
import type { LogAuthor } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import { lookUp } from '../database/lookUp.ts';
import type { Scope } from '../database/scope.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import { InvalidErasureError } from './erase.ts';
import { Mentions } from './mentions/mentions.ts';
import { createPause } from './pauses.ts';

/** An erasure, which names nobody. Times are milliseconds. */
export type StoredErasure = {
  contact_uuid: string;
  reference: string | null;
  identity_count: number;
  erased_at: number;
  /** Null until all events are deleted. */
  finished_at: number | null;
  lifted_at: number | null;
};

/** Oldest first. */
export function listErasures(workspace: Workspace, db: Database): Promise<StoredErasure[]> {
  return db.read(workspace, (scope) =>
    scope
      .select('erasures')
      .select(['contact_uuid', 'reference', 'identity_count', 'erased_at', 'finished_at', 'lifted_at'])
      .orderBy('erased_at')
      .orderBy('contact_id')
      .execute(),
  );
}

/** When the person with this identity was erased, in milliseconds; null where nobody is refused by it. */
export function findErasureTime(workspace: Workspace, db: Database, identity: string): Promise<number | null> {
  return db.read(workspace, async (scope) => (await findErasure(scope, identity))?.erased_at ?? null);
}

/**
 * Accepts all identities of the person again who was erased with `identity` among them. False where nobody is refused by it. Throws
 * `InvalidErasureError` where `reason` names the person.
 */
export async function liftErasure(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  { identity, reason }: { identity: string; reason: string },
  author: LogAuthor,
  now: number,
): Promise<boolean> {
  const typed = IDENTITY_KINDS.map((kind) => ({ kind, key: foldIdentity(kind, identity) }));
  const pause = createPause();
  const mentions = new Mentions(typed, workspace.identity_field);
  if ((await mentions.inTexts([reason], pause)).length > 0) {
    throw new InvalidErasureError([
      { field: 'reason', message: 'reason identifies the person and is kept after erasure.' },
    ]);
  }
  return db.write(workspace, async (scope) => {
    const erasure = await findErasure(scope, identity);
    if (erasure === null) return false;
    const { contact_id, contact_uuid, reference, erased_at } = erasure;
    await scope.delete('erased_identities').where('contact_id', '=', contact_id).execute();
    const details = { erased_at: timestamp(erased_at), ...(reference !== null && { reference }) };
    const contact = { uuid: contact_uuid, number: null };
    const lifted_at = await writeLog(scope, [{ action: 'erasure_lift', author, contact, reason, details }], now);
    await scope.update('erasures').set({ lifted_at }).where('contact_id', '=', contact_id).execute();
    return true;
  });
}

async function findErasure(scope: Scope, identity: string) {
  const key = await readErasureKey(scope);
  if (key === '') return null;
  const hashes = hashesOf(key, identity);
  const found = await lookUp<string, number>(scope, ERASED_BY_HASH, 'contact_id', hashes);
  const contactId = hashes.map((hash) => found.get(hash)).find((id) => id !== undefined);
  if (contactId === undefined) return null;
  return must(
    await scope
      .select('erasures')
      .select(['contact_id', 'contact_uuid', 'reference', 'erased_at'])
      .where('contact_id', '=', contactId)
      .executeTakeFirst(),
  );
}
