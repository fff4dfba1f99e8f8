import { InvalidArgumentError } from 'commander';
import { UUID } from '#contract/field.ts';
import { validateAttributes } from '../contacts/attributes.ts';
import { CONTROL_CHARACTERS } from '../terminal/printable.ts';

// What an argument of a command may be. Each throws what commander turns into a sentence and the exit code for wrong use.

const NAME_MAX = 200;

export function parseUuid(text: string): string {
  if (UUID.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('It must be a UUID.');
}

/** A name for people. */
export function parseName(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new InvalidArgumentError('It is empty.');
  if (trimmed.length > NAME_MAX) throw new InvalidArgumentError(`It is longer than ${NAME_MAX} characters.`);
  if (CONTROL_CHARACTERS.test(trimmed)) throw new InvalidArgumentError('It holds characters that nobody can see.');
  return trimmed;
}

/** Name of an attribute that can be the third kind of identity. */
export function parseAttributeName(text: string): string {
  const attribute = parseName(text);
  if (attribute === 'email' || attribute === 'phone') throw new InvalidArgumentError('It is an identity already.');
  const [fault] = validateAttributes({ [attribute]: '' });
  if (fault !== undefined) throw new InvalidArgumentError(fault.message);
  return attribute;
}
