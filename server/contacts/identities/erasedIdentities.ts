import { createHmac, hash } from 'node:crypto';
import { must } from '#contract/values/must.ts';
import type { FieldError } from '#contract/list.ts';
import { lookUp } from '../../database/lookUp.ts';
import type { Scope } from '../../database/scope.ts';
import {
  addressForms,
  foldIdentity,
  type Identity,
  identityField,
  type IdentityKind,
  IDENTITY_KINDS,
  toPhoneDigits,
} from './identity.ts';

// The people a workspace has erased, as keyed hashes that identify nobody (docs/decisions/0035-erasure.md).

/** An identity, or the digits of a phone number, which are the same however they are grouped. */
export type RefusedIdentity = { kind: IdentityKind | 'digits'; key: string };

/** The hash of an identity under the key of its workspace. */
export function hashIdentity(erasureKey: string, { kind, key }: RefusedIdentity): string {
  return createHmac('sha256', Buffer.from(erasureKey, 'hex')).update(`${kind}\n${key}`).digest('hex');
}

/** The hashes by which `text` is refused: what it is as an identity of each kind, because a person is who they are in any field. */
export function hashesOf(erasureKey: string, text: string): string[] {
  const identities: RefusedIdentity[] = IDENTITY_KINDS.map((kind) => ({ kind, key: foldIdentity(kind, text) }));
  for (const key of addressForms(text) ?? []) identities.push({ kind: 'email', key });
  const digits = toPhoneDigits(text);
  if (digits !== null) identities.push({ kind: 'digits', key: digits }, { kind: 'phone', key: digits });
  return identities.map((identity) => hashIdentity(erasureKey, identity));
}

/** One for all `hashes` by which a person is refused, in any order. */
export function digestHashes(hashes: Iterable<string>): string {
  return hash('sha256', [...hashes].toSorted().join('\n'));
}

/** By which a key is known again that was lost or replaced. */
export function digestKey(erasureKey: string): string {
  return hash('sha256', Buffer.from(erasureKey, 'hex'));
}

/** Where `lookUp` finds the contact that is refused by a hash. */
export const ERASED_BY_HASH = { table: 'erased_identities', fixed: {}, key: 'hash' } as const;

/** Empty where nobody was erased. */
export async function readErasureKey(scope: Scope): Promise<string> {
  return (await scope.select('workspace_heads').select('erasure_key').executeTakeFirstOrThrow()).erasure_key;
}

/** For each of `texts` that is an identity of a person who was erased, of whatever kind, a sentence that says so. */
export async function findErasedIdentities(scope: Scope, texts: readonly string[]): Promise<Map<string, string>> {
  const key = texts.length === 0 ? '' : await readErasureKey(scope);
  if (key === '') return new Map();
  const hashes = new Map(texts.map((text) => [text, hashesOf(key, text)]));
  const erased = await lookUp<string, number>(scope, ERASED_BY_HASH, 'contact_id', Array.from(hashes.values()).flat());
  const sentences = await describeErasures(scope, erased.values());
  return new Map(
    Array.from(hashes).flatMap(([text, ofText]) => {
      const contactId = ofText.map((hash) => erased.get(hash)).find((id) => id !== undefined);
      return contactId === undefined ? [] : [[text, must(sentences.get(contactId))] as const];
    }),
  );
}

/** For each of `identities` whose person was erased, the error of its attribute. */
export async function findErasureErrors(scope: Scope, identities: readonly Identity[]): Promise<FieldError[]> {
  const erased = await findErasedIdentities(
    scope,
    identities.map(({ key }) => key),
  );
  return identities.flatMap(({ kind, key }) => {
    const message = erased.get(key);
    const field = `attributes.${must(identityField(kind, scope.workspace.identity_field))}`;
    return message === undefined ? [] : [{ field, message }];
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
