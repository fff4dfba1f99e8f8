import type { Contact, ContactWithProvider } from '#contract/contact.ts';
import type { Attributes } from '#contract/field.ts';
import type { CheckedListQuery, FieldError, Page } from '#contract/list.ts';
import type { Database } from '../database/database.ts';
import type { Workspace } from '../workspaces/store.ts';

/** Attributes that no contact may have; nothing was changed. */
export class InvalidAttributes extends Error {
  override readonly name = 'InvalidAttributes';
  readonly errors: FieldError[];

  constructor(errors: FieldError[]) {
    super(errors.map((error) => error.message).join(' '));
    this.errors = errors;
  }
}

/** An identity that another contact of the workspace already has; nothing was changed. */
export class IdentityTaken extends Error {
  override readonly name = 'IdentityTaken';
  /** Name of the attribute. */
  readonly field: string;

  constructor(field: string) {
    super(`Another contact of this workspace already has this ${field}.`);
    this.field = field;
  }
}

/** The contact that `value`, a UUID or an identity, names in `workspace`; null when there is none. */
export async function findContact(_workspace: Workspace, _db: Database, _value: string): Promise<Contact | null> {
  throw new Error('not written yet');
}

/**
 * Merges `changes` into the attributes: a key given changes, null removes it, every other key stays. `updated_at`
 * moves only when something changed. Null when there is no such contact; throws `InvalidAttributes`, `IdentityTaken`.
 */
export async function updateContact(
  _workspace: Workspace,
  _db: Database,
  _value: string,
  _changes: Attributes,
  _now: number,
): Promise<Contact | null> {
  throw new Error('not written yet');
}

/** Sets `subscribed` to false; a repeat changes nothing, no timestamp either. Null when there is no such contact. */
export async function unsubscribeContact(
  _workspace: Workspace,
  _db: Database,
  _value: string,
  _now: number,
): Promise<ContactWithProvider | null> {
  throw new Error('not written yet');
}

export async function listContacts(
  _workspace: Workspace,
  _db: Database,
  _query: CheckedListQuery,
): Promise<Page<Contact>> {
  throw new Error('not written yet');
}
