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
import { ITERATION_PAGE_SIZE } from '../database/paging/iteratePages.ts';
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
      ...(await findHashErrors(scope, erasures, logged)),
      ...(await findErasedContacts(scope)),
    ];
  });
}

/** What the log says of an erasure. `reference` is undefined if its values were removed, which verifyLog.ts reports. */
type LoggedLines = Partial<LoggedErasure> & {
  erased_at: number | null;
  lifted_at: number | null;
  reference?: unknown;
};

async function readLogged(scope: Scope): Promise<Map<string, LoggedLines>> {
  const [erase, lift]: Action[] = ['person_erase', 'erasure_lift'];
  const lines = await scope.run(
    sql<{ action: Action; contact_uuid: string; created_at: number; erasure: string | null; summary: string | null }>`
      select action, contact_uuid, created_at, erasure, summary from changes left join change_values
        on change_values.workspace_id = changes.workspace_id and change_values.number = changes.number
      where changes.workspace_id = ${scope.id} and action in (${erase}, ${lift})`,
  );
  const found = new Map<string, LoggedLines>();
  for (const line of lines) {
    const known = found.get(line.contact_uuid) ?? { erased_at: null, lifted_at: null };
    const { details } = (parseJson(line.summary ?? 'null') ?? {}) as Partial<LineSummary>;
    const reference = details && (details['reference'] ?? null);
    const news =
      line.action === lift
        ? { lifted_at: line.created_at }
        : { ...readErasure(line), erased_at: line.created_at, reference };
    found.set(line.contact_uuid, { ...known, ...news });
  }
  return found;
}

type Logged = ReadonlyMap<string, LoggedLines>;

function compareWithLog(erasures: readonly Tables['erasures'][], logged: Logged): string[] {
  const stored = new Map(erasures.map((erasure) => [erasure.contact_uuid, erasure]));
  return [...new Set([...stored.keys(), ...logged.keys()])].flatMap((uuid) => {
    const [erasure, line] = [stored.get(uuid), logged.get(uuid)];
    if (erasure === undefined) return `Contact ${uuid}: its erasure is in the log only.`;
    if (line === undefined) return `Contact ${uuid}: its erasure isn't in the log.`;
    const isSame =
      erasure.erased_at === line.erased_at &&
      erasure.lifted_at === line.lifted_at &&
      erasure.identity_count === (line.identities ?? erasure.identity_count) &&
      (line.reference === undefined || erasure.reference === line.reference);
    return isSame ? [] : `Contact ${uuid}: its erasure differs from the log.`;
  });
}

/** Each erasure that isn't lifted has a hash for each identity, as its entry in the log says. */
async function findHashErrors(
  scope: Scope,
  erasures: readonly Tables['erasures'][],
  logged: Logged,
): Promise<string[]> {
  const rows = await scope.select('erased_identities').select(['contact_id', 'hash']).execute();
  const found = Map.groupBy(rows, ({ contact_id }) => contact_id);
  const errors = erasures.flatMap(({ contact_id, contact_uuid: uuid, identity_count, lifted_at }) => {
    const hashes = (found.get(contact_id) ?? []).map(({ hash }) => hash);
    const digest = logged.get(uuid)?.refused ?? null;
    if (hashes.length !== (lifted_at === null ? identity_count : 0)) {
      return `Contact ${uuid}: its erasure refuses more or fewer identities than it had.`;
    }
    const isSame = lifted_at !== null || digest === null || digest === digestHashes(hashes);
    return isSame ? [] : `Contact ${uuid}: its erasure refuses other identities than it had.`;
  });
  const key = await readErasureKey(scope);
  const digests = [...logged.values()].flatMap((line) => line.key ?? []);
  const isKey =
    key === '' ? rows.length === 0 && digests.length === 0 : digests.every((digest) => digest === digestKey(key));
  // Under another key nobody would be refused.
  return isKey ? errors : [...errors, "The workspace's key for erased identities isn't the one in the log."];
}

type OwnedIdentity = Identity & { uuid: string };

/** Contacts with a refused identity. */
async function findErasedContacts(scope: Scope): Promise<string[]> {
  const key = await readErasureKey(scope);
  if (key === '') return [];
  const errors: string[] = [];
  let page = await readIdentitiesAfter(scope, null);
  while (page.length > 0) {
    const hashes = new Map(
      page.flatMap((one) => refusedAs(one).map((refused) => [hashIdentity(key, refused), one.uuid])),
    );
    for (const hash of (await lookUp(scope, ERASED_BY_HASH, 'contact_id', hashes.keys())).keys()) {
      errors.push(`Contact ${hashes.get(hash)}: it has an identity of an erased person.`);
    }
    page = await readIdentitiesAfter(scope, page.at(-1) ?? null);
  }
  return errors;
}

/** Not as another kind: a contact that had the same in another field before the erasure keeps it. */
function refusedAs({ kind, key }: Identity): RefusedIdentity[] {
  const digits = kind === 'phone' ? toPhoneDigits(key) : null;
  return [{ kind, key }, ...(digits === null ? [] : [{ kind: 'digits' as const, key: digits }])];
}

const readIdentitiesAfter = (scope: Scope, last: OwnedIdentity | null): Promise<OwnedIdentity[]> =>
  scope.run(sql<OwnedIdentity>`
    select kind, key, uuid from identities
    join contacts on contacts.workspace_id = ${scope.id} and contacts.id = contact_id
    where identities.workspace_id = ${scope.id} and (kind, key) > (${last?.kind ?? ''}, ${last?.key ?? ''})
    order by kind, key limit ${sql.lit(ITERATION_PAGE_SIZE)}`);
