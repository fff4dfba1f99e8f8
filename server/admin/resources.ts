import type * as z from 'zod/mini';
import type { FieldError } from '#contract/list.ts';
import { must } from '#contract/must.ts';
import { putEvents } from '../contacts/putEvents.ts';
import { putContacts } from '../contacts/store.ts';
import type { LogAuthor } from '../database/author.ts';
import type { Scope } from '../database/scope.ts';
import { putAddresses } from '../domains/putAddresses.ts';
import { putDomains } from '../domains/putDomains.ts';
import type { Workspace } from '../database/workspace.ts';
import type { ImportLineResult, PrepareRows } from './importRows.ts';
import { AddressLine, parseLine, ContactLine, DomainLine, EventLine } from './lineSchemas.ts';
import { toPrintable } from '../terminal/printable.ts';
import { exportAddresses, exportDomains } from '../domains/store.ts';
import { exportContacts } from '../contacts/listContacts.ts';
import { exportEvents } from '../contacts/events.ts';
import type { CsvColumns } from './readRows.ts';

export const RESOURCES = ['contacts', 'events', 'domains', 'addresses'] as const;
export type Resource = (typeof RESOURCES)[number];

/** How one kind of resource is imported and exported. */
type ResourceTransfer = {
  columns: (workspace: Workspace) => CsvColumns;
  prepare: (now: number, author: LogAuthor) => PrepareRows;
  /** All of them as lines of JSON, a page at a time. */
  exportLines: (scope: Scope) => AsyncIterable<readonly string[]>;
};

/** Attributes named in the interface (docs/interface.md, 2). */
const ATTRIBUTES = ['email', 'phone', 'first_name', 'last_name', 'company', 'job_title'];

export const resourceTransfers: Record<Resource, ResourceTransfer> = {
  contacts: {
    columns: ({ identity_field }) => {
      const custom = identity_field === null ? [] : [identity_field];
      return {
        fields: Object.keys(ContactLine.shape),
        attributes: [...ATTRIBUTES, ...custom],
        requiredOneOf: [['uuid', 'email', 'phone', ...custom, 'attributes']],
      };
    },
    prepare: (now, author) =>
      createPrepare(ContactLine, (scope, contacts) => putContacts(scope, contacts, now, author)),
    exportLines: exportContacts,
  },
  events: {
    columns: () => ({
      fields: Object.keys(EventLine.shape),
      attributes: [],
      requiredOneOf: [['contact'], ['event_name']],
    }),
    prepare: (now) => createPrepare(EventLine, (scope, events) => putEvents(scope, events, now)),
    exportLines: exportEvents,
  },
  domains: {
    columns: () => ({ fields: Object.keys(DomainLine.shape), attributes: null, requiredOneOf: [['name']] }),
    prepare: (now, author) => createPrepare(DomainLine, (scope, domains) => putDomains(scope, domains, now, author)),
    exportLines: exportDomains,
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
    prepare: (now) => createPrepare(AddressLine, (scope, addresses) => putAddresses(scope, addresses, now)),
    exportLines: exportAddresses,
  },
};

type StoreOutcome = Awaited<ReturnType<typeof putContacts>>[number];

/** Validates lines with `schema`, and writes the valid ones with `put`. */
function createPrepare<Line>(
  schema: z.ZodMiniType<Line>,
  put: (scope: Scope, lines: Line[]) => Promise<StoreOutcome[]>,
): PrepareRows {
  return (values) => {
    const results = values.map((value) => parseLine(schema, value));
    const lines = results.flatMap((result) => ('line' in result ? [result.line] : []));
    return async (scope) => {
      const outcomes = (await put(scope, lines)).values();
      return results.map((result) => ('fault' in result ? result : toLineResult(must(outcomes.next().value))));
    };
  };
}

function toLineResult(outcome: StoreOutcome): ImportLineResult {
  return typeof outcome === 'string' ? outcome : { fault: outcome.map(describeFieldError).join(' ') };
}

/** The message, with the name of the field if the message does not contain it. */
function describeFieldError({ field, message }: FieldError): string {
  const name = must(field.split('.').at(-1));
  return message.includes(name) ? message : `${toPrintable(field)}: ${message}`;
}
