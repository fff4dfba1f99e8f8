import { type Attributes, UUID } from '#contract/values/field.ts';
import type { FieldError } from '#contract/list.ts';
import type { Workspace } from '../database/workspace.ts';
import { ATTRIBUTES_MAX, tooManyAttributesError, validateAttributes, validateAttributesSize } from './attributes.ts';
import { InvalidAttributesError } from './contactErrors.ts';
import { validateIdentities } from './identities/identity.ts';

/** Throws `InvalidAttributesError`. */
export function mergeAttributes(workspace: Workspace, before: Attributes, changes: Attributes): Attributes {
  const errors = validateContactAttributes(workspace, changes);
  if (errors.length > 0) throw new InvalidAttributesError(errors);
  const merged = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null && value !== undefined);
  if (merged.length > ATTRIBUTES_MAX) throw new InvalidAttributesError([tooManyAttributesError()]);
  const attributes = Object.fromEntries(merged);
  const tooLarge = validateAttributesSize(attributes, before);
  if (tooLarge !== null) throw new InvalidAttributesError([tooLarge]);
  return attributes;
}

/** Why no contact can be added or merged that has this UUID and these attributes. */
export function validateNewContact(
  workspace: Pick<Workspace, 'identity_field'>,
  { uuid, attributes }: { uuid?: string; attributes: Attributes },
): FieldError[] {
  if (uuid !== undefined && !UUID.test(uuid)) return [{ field: 'uuid', message: 'uuid is not a UUID.' }];
  return validateContactAttributes(workspace, attributes);
}

export function validateContactAttributes(
  workspace: Pick<Workspace, 'identity_field'>,
  attributes: Attributes,
): FieldError[] {
  return [...validateAttributes(attributes), ...validateIdentities(attributes, workspace.identity_field)];
}
