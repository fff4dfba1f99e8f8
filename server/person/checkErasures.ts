import { sql } from 'kysely';
import type { Action } from '#contract/change.ts';
import { hashIdentity, readErasureKey } from '../contacts/erasedIdentities.ts';
import type { IdentityKind } from '../contacts/identity.ts';
import type { Database } from '../database/database.ts';
import { iteratePages, ITERATION_PAGE_SIZE } from '../database/iteratePages.ts';
import { lookUp } from '../database/lookUp.ts';
import type { Scope } from '../database/scope.ts';
import type { Workspace } from '../database/workspace.ts';

/** Gives one sentence for each erasure that is not as its line in the log says, and for whatever is there of an erased person. */
export function checkErasures(workspace: Workspace, db: Database): Promise<string[]> {
  return db.read(workspace, async (scope) => [
    ...(await findUnlogged(scope)),
    ...(await findStrayHashes(scope)),
    ...(await findErasedContacts(scope)),
  ]);
}

async function findUnlogged(scope: Scope): Promise<string[]> {
  const action: Action = 'person_erase';
  const rows = await scope.run(sql<{ uuid: string }>`
    select coalesce(erasures.contact_uuid, lines.contact_uuid) as uuid
    from (select contact_uuid from erasures where workspace_id = ${scope.id}) as erasures
    full join (
      select contact_uuid from changes where workspace_id = ${scope.id} and action = ${action}
    ) as lines on lines.contact_uuid = erasures.contact_uuid
    where erasures.contact_uuid is null or lines.contact_uuid is null`);
  return rows.map(
    ({ uuid }) => `Contact ${uuid}: the log and the list of erasures do not both say that it was erased.`,
  );
}

/** Each erasure that is not lifted has a hash for each identity, and no other has any. */
async function findStrayHashes(scope: Scope): Promise<string[]> {
  const rows = await scope.run(sql<{ uuid: string | null }>`
    select erasures.contact_uuid as uuid
    from (select * from erasures where workspace_id = ${scope.id}) as erasures
    full join (
      select contact_id, count(*) as hashes from erased_identities where workspace_id = ${scope.id} group by contact_id
    ) as found on found.contact_id = erasures.contact_id
    where erasures.contact_id is null
      or coalesce(hashes, 0) <> case when lifted_at is null then identity_count else 0 end`);
  return rows.map(({ uuid }) =>
    uuid === null
      ? 'Identities are refused whose erasure is not known.'
      : `Contact ${uuid}: it was erased, and is refused by more or fewer identities than it had.`,
  );
}

type OwnedIdentity = { kind: IdentityKind; key: string; uuid: string };

/** Contacts with an identity that is refused, or the UUID of one that was erased. */
async function findErasedContacts(scope: Scope): Promise<string[]> {
  const errors: string[] = [];
  const again = await scope.run(sql<{ uuid: string }>`
    select uuid from contacts where workspace_id = ${scope.id} and (
      uuid in (select contact_uuid from erasures where workspace_id = ${scope.id})
      or id in (select contact_id from erasures where workspace_id = ${scope.id})
    )`);
  for (const { uuid } of again) errors.push(`Contact ${uuid}: it was erased, and is there.`);
  const key = await readErasureKey(scope);
  if (key === '') return errors;
  let page: OwnedIdentity[] = [];
  const compare = async () => {
    const hashes = new Map(page.map((one) => [hashIdentity(key, one), one.uuid]));
    const table = { table: 'erased_identities', fixed: {}, key: 'hash' } as const;
    for (const hash of (await lookUp(scope, table, 'contact_id', hashes.keys())).keys()) {
      errors.push(`Contact ${hashes.get(hash)}: it has an identity of a person who was erased.`);
    }
    page = [];
  };
  for await (const identity of readIdentities(scope)) {
    page.push(identity);
    if (page.length === ITERATION_PAGE_SIZE) await compare();
  }
  await compare();
  return errors;
}

function readIdentities(scope: Scope): AsyncGenerator<OwnedIdentity> {
  return iteratePages<OwnedIdentity>((last) =>
    scope.run(sql<OwnedIdentity>`
      select kind, key, uuid from identities
      join contacts on contacts.workspace_id = ${scope.id} and contacts.id = contact_id
      where identities.workspace_id = ${scope.id} and (kind, key) > (${last?.kind ?? ''}, ${last?.key ?? ''})
      order by kind, key limit ${sql.lit(ITERATION_PAGE_SIZE)}`),
  );
}
