import type * as z from 'zod/mini';
import type { FieldError } from '#contract/list.ts';
import { checkEvent } from '../../../contacts/events/checkEvent.ts';
import { validateNewContact } from '../../../contacts/mergeAttributes.ts';
import type { Workspace } from '../../../database/workspace.ts';
import { AddressLine, ContactLine, describeFieldErrors, DomainLine, EventLine, parseLine } from './lineSchemas.ts';
import type { CsvColumns } from './readRows.ts';

// What the lines of each resource are. It loads no store, so that the thread that reads lines starts quickly.

export const RESOURCES = ['contacts', 'events', 'domains', 'addresses'] as const;
export type Resource = (typeof RESOURCES)[number];

/** `attributes`: names of attributes that the workspace has. */
export type LineContext = Pick<Workspace, 'identity_field'> & { attributes?: readonly string[] };

/** What is written of a line, equal to what its JSON says; or why it cannot be written. */
export type CheckedLine = { line: object } | { fault: string };

type LineKind = {
  columns: (context: LineContext) => CsvColumns;
  check: (value: object, context: LineContext) => CheckedLine;
};

/** Attributes named in the interface (docs/interface.md, 2). */
const ATTRIBUTES = ['email', 'phone', 'first_name', 'last_name', 'company', 'job_title'];

export const lineKinds: Record<Resource, LineKind> = {
  contacts: {
    columns: ({ identity_field }) => {
      const custom = identity_field === null ? [] : [identity_field];
      return {
        fields: Object.keys(ContactLine.shape),
        attributes: [...ATTRIBUTES, ...custom],
        requiredOneOf: [['uuid', 'email', 'phone', ...custom, 'attributes']],
      };
    },
    check: createCheck(ContactLine, (contact, context) => {
      const errors = validateNewContact(context, contact);
      return errors.length > 0 ? errors : contact;
    }),
  },
  events: {
    columns: () => ({
      fields: Object.keys(EventLine.shape),
      attributes: [],
      requiredOneOf: [['contact'], ['event_name']],
    }),
    check: createCheck(EventLine, checkEvent),
  },
  domains: {
    columns: () => ({ fields: Object.keys(DomainLine.shape), attributes: null, requiredOneOf: [['name']] }),
    check: createCheck(DomainLine, (domain) => domain),
  },
  addresses: {
    columns: () => ({
      fields: Object.keys(AddressLine.shape),
      attributes: null,
      requiredOneOf: [
        ['domain', 'domain_uuid'],
        ['address', 'full_address'],
      ],
    }),
    check: createCheck(AddressLine, (address) => address),
  },
};

function createCheck<Line>(
  schema: z.ZodMiniType<Line>,
  check: (line: Line, context: LineContext) => object | FieldError[],
): LineKind['check'] {
  return (value, context) => {
    const parsed = parseLine(schema, value);
    if ('fault' in parsed) return parsed;
    const line = check(parsed.line, context);
    return Array.isArray(line) ? { fault: describeFieldErrors(line as FieldError[]) } : { line };
  };
}
