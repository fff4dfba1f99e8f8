import { type Command, InvalidArgumentError } from 'commander';
import { UUID } from '#contract/values/field.ts';
import { CONTROL_CHARACTERS } from '#contract/values/invisibleCharacters.ts';
import { inviteMember, TOKEN_NAME_MAX } from '#contract/members.ts';
import { parsePostgresUrl } from '../../database/postgres/postgresConnections.ts';
import { validateAttributes } from '../../contacts/attributes.ts';

// Parsers of arguments. They throw `InvalidArgumentError`, which commander prints.

const NAME_MAX = 200;

export function parseUuid(text: string): string {
  if (UUID.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('It must be a UUID.');
}

export function parseTokenName(text: string): string {
  return parseShortName(text, TOKEN_NAME_MAX);
}

export function parseName(text: string): string {
  return parseShortName(text, NAME_MAX);
}

function parseShortName(text: string, max: number): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new InvalidArgumentError('It is empty.');
  if (trimmed.length > max) throw new InvalidArgumentError(`It is longer than ${max} characters.`);
  if (CONTROL_CHARACTERS.test(trimmed)) throw new InvalidArgumentError('It has invisible characters.');
  return trimmed;
}

export function parseEmail(text: string): string {
  const parsed = inviteMember.body.shape.email.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError('It must be an email address.');
}

const LIFETIME_UNITS = { h: 3_600_000, d: 86_400_000 };
const LIFETIME_MAX = 3650 * LIFETIME_UNITS.d;

/** `12h` or `90d` in milliseconds. */
export function parseLifetime(text: string): number {
  const [, count, unit = ''] = /^(\d+)([hd])$/.exec(text) ?? [];
  const lifetime = Number(count) * LIFETIME_UNITS[unit as keyof typeof LIFETIME_UNITS];
  if (lifetime > 0 && lifetime <= LIFETIME_MAX) return lifetime;
  throw new InvalidArgumentError('It must be hours or days, such as 12h or 90d, and at most ten years.');
}

export function parseAttributeName(text: string): string {
  const attribute = parseName(text);
  if (attribute === 'email' || attribute === 'phone') throw new InvalidArgumentError("It's already an identity.");
  const [error] = validateAttributes({ [attribute]: '' });
  if (error !== undefined) throw new InvalidArgumentError(error.message);
  return attribute;
}

export function parseNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, like the field "number" of an entry.');
}

export function parsePostgresAddress(text: string): string {
  if (parsePostgresUrl(text) !== null) return text;
  throw new InvalidArgumentError('It must be like postgres://user@host/sendroom.');
}

/** The address of a service, without a slash at its end. */
export function parseServiceAddress(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '')
    return url.href.replace(/\/$/, '');
  throw new InvalidArgumentError('It must be like https://sendroom.example.com.');
}

/** A command about one workspace, which `--workspace` names. */
export function workspaceCommand(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).requiredOption('--workspace <uuid>', 'workspace ID', parseUuid);
}
