import { createHmac } from 'node:crypto';
import { must } from '#contract/must.ts';
import type { FieldError } from '#contract/list.ts';
import { lookUp } from '../database/lookUp.ts';
import type { Scope } from '../database/scope.ts';
import { type Identity, identityField } from './identity.ts';

// Whom a workspace has erased: by keyed hashes, so that what is left of a person names nobody (docs/decisions/0035-erasure.md).

/** The hash of an identity under the key of its workspace. */
export function hashIdentity(erasureKey: string, { kind, key }: Identity): string {
  return createHmac('sha256', Buffer.from(erasureKey, 'hex')).update(`${kind}\n${key}`).digest('hex');
}

/** Empty where nobody was erased. */
export async function readErasureKey(scope: Scope): Promise<string> {
  return (await scope.selectOwn().select('erasure_key').executeTakeFirstOrThrow()).erasure_key;
}

/** For each of `identities` whose person was erased, a sentence that says so. */
export async function findErasedIdentities<One extends Identity>(
  scope: Scope,
  identities: readonly One[],
): Promise<Map<One, string>> {
  const key = identities.length === 0 ? '' : await readErasureKey(scope);
  if (key === '') return new Map();
  const hashes = new Map(identities.map((identity) => [identity, hashIdentity(key, identity)]));
  const table = { table: 'erased_identities', fixed: {}, key: 'hash' } as const;
  const erased = await lookUp<string, number>(scope, table, 'contact_id', hashes.values());
  const sentences = await describeErasures(scope, erased.values());
  return new Map(
    Array.from(hashes).flatMap(([identity, hash]) => {
      const contactId = erased.get(hash);
      return contactId === undefined ? [] : [[identity, must(sentences.get(contactId))] as const];
    }),
  );
}

/** For each of `identities` whose person was erased, the error of its attribute. */
export async function findErasureErrors(scope: Scope, identities: readonly Identity[]): Promise<FieldError[]> {
  const erased = await findErasedIdentities(scope, identities);
  return Array.from(erased, ([{ kind }, message]) => {
    return { field: `attributes.${must(identityField(kind, scope.workspace.identity_field))}`, message };
  });
}

/** Those of `uuids`, in lower case, that are of erased contacts. Their lines in the log are numbered, so that no other contact may have them, also later. */
export async function findErasedUuids(scope: Scope, uuids: readonly string[]): Promise<Set<string>> {
  if (uuids.length === 0) return new Set();
  const table = { table: 'erasures', fixed: {}, key: 'contact_uuid' } as const;
  return new Set((await lookUp<string, number>(scope, table, 'contact_id', uuids)).keys());
}

export const ERASED_UUID: FieldError = {
  field: 'uuid',
  message: 'The contact with this uuid was erased. No other contact may have it.',
};

async function describeErasures(scope: Scope, contactIds: Iterable<number>): Promise<Map<number, string>> {
  const ids = [...new Set(contactIds)];
  if (ids.length === 0) return new Map();
  const rows = await scope
    .select('erasures')
    .select(['contact_id', 'erased_at', 'reference'])
    .where('contact_id', 'in', ids)
    .execute();
  return new Map(
    rows.map(({ contact_id, erased_at, reference }) => {
      const request = reference === null ? '' : ` (request ${reference})`;
      return [contact_id, `This person was erased on ${spellDate(erased_at)}${request}. An admin can lift that.`];
    }),
  );
}

const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** As in "3 May 2026", in UTC. */
export function spellDate(time: number): string {
  return DATE.format(time);
}
