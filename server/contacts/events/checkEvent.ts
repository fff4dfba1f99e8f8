import { type Attributes, isStorable, UUID } from '#contract/values/field.ts';
import type { FieldError } from '#contract/list.ts';
import { validateAttributes, validateAttributesText } from '../attributes.ts';

/** An event to import. `contact` is a UUID or an identity; `created_at` is milliseconds, now when it is missing. */
export type ImportedEvent = {
  contact: string;
  uuid?: string;
  event_name: string;
  attributes: Attributes;
  created_at?: number;
};

/** An event that may be stored once its contact is found. `attributes` are the JSON that is stored. */
export type CheckedEvent = Omit<ImportedEvent, 'attributes'> & {
  attributes: string;
  /** The contact, where it was looked up before (`arrangeEvents`). */
  contact_id?: number;
};

const NAME_MAX = 255;

/** Gives why it cannot be stored otherwise. */
export function checkEvent(event: ImportedEvent): CheckedEvent | FieldError[] {
  const { uuid, event_name } = event;
  const errors = validateAttributes(event.attributes);
  // Values that are nested too deep have no text.
  const attributes = errors.length === 0 ? JSON.stringify(event.attributes) : '';
  const tooLarge = validateAttributesText(attributes);
  if (tooLarge !== null) errors.push(tooLarge);
  if (uuid !== undefined && !UUID.test(uuid)) errors.push({ field: 'uuid', message: 'uuid is not a UUID.' });
  const nameError = findNameError(event_name);
  if (nameError !== null) errors.push({ field: 'event_name', message: `event_name ${nameError}` });
  return errors.length > 0 ? errors : { ...event, attributes };
}

function findNameError(name: string): string | null {
  if (name.trim() === '') return 'is empty.';
  if (name.length > NAME_MAX) return `is longer than ${NAME_MAX} characters.`;
  return isStorable(name) ? null : 'contains a character that no name can hold.';
}
