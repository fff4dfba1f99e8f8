import * as z from 'zod/mini';
import { ContactWithProvider } from '#contract/contact.ts';
import { Domain, SenderAddress } from '#contract/domains/domain.ts';
import { Event } from '#contract/event.ts';
import type { Attributes } from '#contract/values/field.ts';
import type { FieldError } from '#contract/list.ts';
import { must } from '#contract/values/must.ts';
import {
  SUPPRESSION_ORIGINS,
  SUPPRESSION_REASONS,
  TICKET_MAX,
  Unsubscription,
} from '#contract/suppressions/suppression.ts';
import { parseInstant } from '#contract/values/instant.ts';
import { isObject } from '#contract/values/json.ts';
import { toPrintable } from '../../terminal/printable.ts';

// docs/admin.md says which fields are optional, and their defaults.

const Instant = z.pipe(
  z.string(),
  z.transform((text: string, context) => {
    const instant = parseInstant(text);
    if (instant !== null) return instant;
    context.issues.push({ code: 'custom', input: text });
    return z.NEVER;
  }),
);
/** Not the schema of the contract, which drops a key `__proto__` silently: the stores reject it with a message. */
const RawAttributes = z.prefault(z.custom<Attributes>(isObject), {});
const created = { created_at: z.optional(Instant) };
const times = { ...created, updated_at: z.optional(Instant) };

export const ContactLine = z
  .strictObject({
    ...z.partial(ContactWithProvider).shape,
    ...times,
    attributes: RawAttributes,
    /** Why, where that comes from, and since when, it isn't subscribed. */
    suppression: z.optional(z.strictObject({ ...Unsubscription.shape, since: z.optional(Instant) })),
  })
  .check(
    z.refine(
      ({ subscribed, suppression }) => suppression === undefined || subscribed === false,
      'A suppression needs subscribed to be false.',
    ),
  );

export const EventLine = z
  .strictObject({
    ...z.partial(Event, { uuid: true }).shape,
    ...created,
    attributes: RawAttributes,
    /** UUID or identity of the contact. */
    contact: z.string(),
  })
  .check(
    z.refine(
      ({ uuid, created_at }) => uuid !== undefined || created_at !== undefined,
      'An event needs a created_at or a uuid. Without them, each import would add it again.',
    ),
  );

export const DomainLine = z.strictObject({ ...z.partial(Domain).shape, ...times, name: z.string() });

export const AddressLine = z
  .strictObject({
    ...z.partial(SenderAddress).shape,
    ...times,
    /** UUID or name of the domain; `domain_uuid` is accepted too. */
    domain: z.optional(z.string()),
  })
  .check(
    z.refine(
      ({ domain, domain_uuid }) => domain !== undefined || domain_uuid !== undefined,
      'An address needs a domain or a domain_uuid.',
    ),
    z.refine(
      ({ address, full_address }) => address !== undefined || full_address !== undefined,
      'An address needs an address or a full_address.',
    ),
    z.refine(
      ({ address, full_address }) =>
        address === undefined || full_address === undefined || full_address.trim().startsWith(`${address.trim()}@`),
      'full_address must begin with address and @.',
    ),
  );

const FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  domain_uuid: 'a UUID',
  created_at: 'a time with its zone, like 2026-01-31T09:30:00.000Z',
  updated_at: 'a time with its zone, like 2026-01-31T09:30:00.000Z',
  subscribed: 'true or false',
  verified: 'true or false',
  mail_from_verified: 'true or false',
  is_valid: 'true or false',
  attributes: 'an object of keys and values',
  suppression: 'an object with reason, ticket, origin and since',
  reason: `one of ${SUPPRESSION_REASONS.join(', ')}`,
  ticket: `text of at most ${TICKET_MAX} characters`,
  origin: `one of ${SUPPRESSION_ORIGINS.join(', ')}`,
  since: 'a time with its zone, like 2026-01-31T09:30:00.000Z',
  dns: 'a list of DNS records',
};

/** Null fields count as missing. */
export function parseLine<Line>(schema: z.ZodMiniType<Line>, value: object): { line: Line } | { fault: string } {
  const fields = Object.values(value).includes(null)
    ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null))
    : value;
  const result = z.safeParse(schema, fields);
  if (result.success) return { line: result.data };
  return { fault: [...new Set(result.error.issues.flatMap((issue) => describeIssue(issue, fields)))].join(' ') };
}

function describeIssue(issue: z.core.$ZodIssue, value: object): string[] {
  if (issue.path.length === 0 && issue.code === 'custom') return [issue.message];
  const place = issue.path.map((key) => (typeof key === 'number' ? `record ${key + 1}` : String(key))).join(', ');
  if (issue.code === 'unrecognized_keys') {
    const where = place === '' ? '' : ` in ${place}`;
    return issue.keys.map((key) => `There is no field "${toPrintable(key)}"${where}.`);
  }
  if (issue.path.length === 1 && !Object.hasOwn(value, place)) return [`${place} is missing.`];
  const last = issue.path.at(-1);
  return [
    `${toPrintable(place)} must be ${typeof last === 'number' ? 'an object' : (FIELD_DESCRIPTIONS[String(last)] ?? 'text')}.`,
  ];
}

export function describeFieldErrors(errors: readonly FieldError[]): string {
  return errors.map(describeFieldError).join(' ');
}

function describeFieldError({ field, message }: FieldError): string {
  const name = must(field.split('.').at(-1));
  return message.includes(name) ? message : `${toPrintable(field)}: ${message}`;
}
