import { sql } from 'kysely';
import type { Action } from '#contract/change.ts';
import { parseJson } from '#contract/values/json.ts';
import {
  digestHashes,
  digestKey,
  ERASED_BY_HASH,
  hashIdentity,
  readErasureKey,
  type RefusedIdentity,
} from '../contacts/identities/erasedIdentities.ts';
import { type Identity, toPhoneDigits } from '../contacts/identities/identity.ts';
import type { Database } from '../database/database.ts';
import { iteratePages, ITERATION_PAGE_SIZE } from '../database/paging/iteratePages.ts';
import { lookUp } from '../database/lookUp.ts';
import type { Scope } from '../database/scope.ts';
import type { Tables } from '../database/schema/tables.ts';
import type { Workspace } from '../database/workspace.ts';
import type { LineSummary } from '../database/changeLog/lineSummary.ts';
import { type LoggedErasure, readErasure } from '../database/changeLog/loggedErasure.ts';

/** One sentence for each erasure that differs from its entries in the log, and for each contact with a refused identity. */
export function verifyErasures(workspace: Workspace, db: Database): Promise<string[]> {
  return db.read(workspace, async (scope) => {
    const logged = await readLogged(scope);
    const erasures = await scope.select('erasures').selectAll().execute();
    return [
      ...compareWithLog(erasures, logged),
      ...(await findStrayHashes(scope, erasures, logged)),
      ...(await findKeyErrors(scope, logged)),
      ...(await findErasedContacts(scope)),
    ];
  });
}

/** What the log says of an erasure; `details` are null where that was removed, which the check of the log tells. */
type ErasureLines = {
  erased_at: number | null;
  lifted_at: number | null;
  details: LineSummary['details'];
  logged: LoggedErasure;
};

async function readLogged(scope: Scope): Promise<Map<string, ErasureLines>> {
  const [erase, lift]: Action[] = ['person_erase', 'erasure_lift'];
  const lines = await scope.run(
    sql<{ action: Action; contact_uuid: string; created_at: number; erasure: string | null; summary: string | null }>`
      select action, contact_uuid, created_at, erasure, summary from changes left join change_values
        on change_values.workspace_id = changes.workspace_id and change_values.number = changes.number
      where changes.workspace_id = ${scope.id} and action in (${erase}, ${lift})`,
  );
  const found = new Map<string, ErasureLines>();
  for (const line of lines) {
    const { action, contact_uuid, created_at, summary } = line;
    const none = { erased_at: null, lifted_at: null, details: null };
    const one = found.get(contact_uuid) ?? { ...none, logged: readErasure({ erasure: null }) };
    if (action === lift) one.lifted_at = created_at;
    else {
      one.erased_at = created_at;
      one.logged = readErasure(line);
      one.details = ((parseJson(summary ?? 'null') ?? {}) as Partial<LineSummary>).details ?? null;
    }
    found.set(contact_uuid, one);
  }
  return found;
}

type Erasure = Tables['erasures'];
type Logged = ReadonlyMap<string, ErasureLines>;

function compareWithLog(erasures: readonly Erasure[], logged: Logged): string[] {
  const known = new Set(erasures.map(({ contact_uuid }) => contact_uuid));
  const unknown = [...logged.keys()].filter((uuid) => !known.has(uuid));
  const unlogged = erasures.flatMap(({ contact_uuid }) => (logged.has(contact_uuid) ? [] : contact_uuid));
  const others = erasures.filter((erasure) => {
    const line = logged.get(erasure.contact_uuid);
    return line !== undefined && !isAsLogged(erasure, line);
  });
  return [
    ...[...unlogged, ...unknown].map(
      (uuid) => `Contact ${uuid}: the log and the list of erasures do not both say that it was erased.`,
    ),
    ...others.map(
      ({ contact_uuid: uuid }) => `Contact ${uuid}: the list of erasures and the log say different things.`,
    ),
  ];
}

function isAsLogged(erasure: Erasure, { erased_at, lifted_at, details, logged }: ErasureLines): boolean {
  if (erasure.erased_at !== erased_at || erasure.lifted_at !== lifted_at) return false;
  if (logged.identities !== null && erasure.identity_count !== logged.identities) return false;
  return details === null || erasure.reference === (details['reference'] ?? null);
}

/** Each erasure that is not lifted has a hash for each identity, those of its line in the log, and no other has any. */
async function findStrayHashes(scope: Scope, erasures: readonly Erasure[], logged: Logged): Promise<string[]> {
  const rows = await scope.select('erased_identities').select(['contact_id', 'hash']).execute();
  const found = Map.groupBy(rows, ({ contact_id }) => contact_id);
  const errors: string[] = [];
  for (const { contact_id, contact_uuid, identity_count, lifted_at } of erasures) {
    const hashes = (found.get(contact_id) ?? []).map(({ hash }) => hash);
    const digest = logged.get(contact_uuid)?.logged.refused ?? null;
    if (hashes.length !== (lifted_at === null ? identity_count : 0)) {
      errors.push(`Contact ${contact_uuid}: it was erased, and is refused by more or fewer identities than it had.`);
    } else if (lifted_at === null && digest !== null && digest !== digestHashes(hashes)) {
      errors.push(`Contact ${contact_uuid}: it was erased, and is refused by other identities than it had.`);
    }
  }
  return errors;
}

/** Under another key nobody would be refused. */
async function findKeyErrors(scope: Scope, logged: Logged): Promise<string[]> {
  const key = await readErasureKey(scope);
  const { hashes } = await scope
    .select('erased_identities')
    .select(({ fn }) => fn.countAll<number>().as('hashes'))
    .executeTakeFirstOrThrow();
  const digests = new Set(Array.from(logged.values(), (one) => one.logged.key).filter((digest) => digest !== null));
  const isKey =
    key === '' ? hashes === 0 && digests.size === 0 : digests.difference(new Set([digestKey(key)])).size === 0;
  return isKey
    ? []
    : ['The key of the workspace by which erased persons are refused is not the one that the log says.'];
}

type OwnedIdentity = Identity & { uuid: string };

/** Contacts with an identity that is refused, or the UUID of one that was erased. */
async function findErasedContacts(scope: Scope): Promise<string[]> {
  const errors: string[] = [];
  const key = await readErasureKey(scope);
  if (key === '') return errors;
  let page: OwnedIdentity[] = [];
  const compare = async () => {
    const hashes = new Map(
      page.flatMap((one) => refusedAs(one).map((refused) => [hashIdentity(key, refused), one.uuid])),
    );
    for (const hash of (await lookUp(scope, ERASED_BY_HASH, 'contact_id', hashes.keys())).keys()) {
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

/** Not as another kind: a contact that had the same in another field before the erasure keeps it. */
function refusedAs({ kind, key }: Identity): RefusedIdentity[] {
  const digits = kind === 'phone' ? toPhoneDigits(key) : null;
  return [{ kind, key }, ...(digits === null ? [] : [{ kind: 'digits' as const, key: digits }])];
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
