import { InvalidArgumentError } from 'commander';
import { UUID } from '#contract/field.ts';
import { attributeFaults } from '../contacts/attributes.ts';
import { STEERING } from './printable.ts';

// What an argument of a command may be. Each throws what commander turns into a sentence and the exit code for wrong use.

const NAME_MAX = 200;

export function uuid(text: string): string {
  if (UUID.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('It must be a UUID.');
}

/** A name for people. */
export function name(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new InvalidArgumentError('It is empty.');
  if (trimmed.length > NAME_MAX) throw new InvalidArgumentError(`It is longer than ${NAME_MAX} characters.`);
  if (STEERING.test(trimmed)) throw new InvalidArgumentError('It holds characters that nobody can see.');
  return trimmed;
}

/** Name of an attribute that can be the third kind of identity. */
export function attributeName(text: string): string {
  const attribute = name(text);
  if (attribute === 'email' || attribute === 'phone') throw new InvalidArgumentError('It is an identity already.');
  const [fault] = attributeFaults({ [attribute]: '' });
  if (fault !== undefined) throw new InvalidArgumentError(fault.message);
  return attribute;
}
