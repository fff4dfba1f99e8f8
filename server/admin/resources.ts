import type * as z from 'zod/mini';
import type { FieldError } from '#contract/list.ts';
import { putEvents } from '../contacts/putEvents.ts';
import { putContacts } from '../contacts/store.ts';
import { walkContacts } from '../contacts/walkContacts.ts';
import { walkEvents } from '../contacts/walkEvents.ts';
import type { Scope } from '../database/scope.ts';
import { putAddresses } from '../domains/putAddresses.ts';
import { putDomains } from '../domains/putDomains.ts';
import { walkAddresses, walkDomains } from '../domains/walkDomains.ts';
import type { Workspace } from '../database/workspace.ts';
import type { Fate, Prepare } from './importRows.ts';
import { AddressLine, checkLine, ContactLine, DomainLine, EventLine } from './lines.ts';
import { printable } from './printable.ts';
import type { Columns } from './row.ts';

export const RESOURCES = ['contacts', 'events', 'domains', 'addresses'] as const;
export type Resource = (typeof RESOURCES)[number];

/** How lines of one kind get into a workspace and out of it. */
type Way = {
  columns: (workspace: Workspace) => Columns;
  prepare: (now: number) => Prepare;
  batchRows: number;
  walk: (scope: Scope) => AsyncIterable<object>;
};

/** Attributes that the interface names (docs/interface.md, 2). */
const ATTRIBUTES = ['email', 'phone', 'first_name', 'last_name', 'company', 'job_title'];

export const ways: Record<Resource, Way> = {
  contacts: {
    columns: ({ identity_field }) => {
      const custom = identity_field === null ? [] : [identity_field];
      return {
        fields: Object.keys(ContactLine.shape),
        attributes: [...ATTRIBUTES, ...custom],
        needed: [['uuid', 'email', 'phone', ...custom, 'attributes']],
      };
    },
    prepare: (now) => checked(ContactLine, (scope, contacts) => putContacts(scope, contacts, now)),
    batchRows: 100,
    walk: walkContacts,
  },
  events: {
    columns: () => ({
      fields: Object.keys(EventLine.shape),
      attributes: [],
      needed: [['contact'], ['event_name']],
    }),
    prepare: (now) => checked(EventLine, (scope, events) => putEvents(scope, events, now)),
    batchRows: 20_000,
    walk: walkEvents,
  },
  domains: {
    columns: () => ({ fields: Object.keys(DomainLine.shape), attributes: null, needed: [['name']] }),
    prepare: (now) => checked(DomainLine, (scope, domains) => putDomains(scope, domains, now)),
    batchRows: 100,
    walk: walkDomains,
  },
  addresses: {
    columns: () => ({
      fields: Object.keys(AddressLine.shape),
      attributes: null,
      needed: [
        ['domain', 'domain_uuid'],
        ['address', 'full_address'],
      ],
    }),
    prepare: (now) => checked(AddressLine, (scope, addresses) => putAddresses(scope, addresses, now)),
    batchRows: 100,
    walk: walkAddresses,
  },
};

type StoreOutcome = Awaited<ReturnType<typeof putContacts>>[number];

/** Lines that `schema` takes go to the store. */
function checked<Line>(
  schema: z.ZodMiniType<Line>,
  put: (scope: Scope, lines: Line[]) => Promise<StoreOutcome[]>,
): Prepare {
  return (values) => {
    const results = values.map((value) => checkLine(schema, value));
    const lines = results.flatMap((result) => ('line' in result ? [result.line] : []));
    return async (scope) => {
      const outcomes = (await put(scope, lines)).values();
      return results.map((result) => ('fault' in result ? result : fateOf(outcomes.next().value ?? [])));
    };
  };
}

function fateOf(outcome: StoreOutcome): Fate {
  return typeof outcome === 'string' ? outcome : { fault: outcome.map(sentenceOf).join(' ') };
}

/** The message, with the field where it does not say it. */
function sentenceOf({ field, message }: FieldError): string {
  const name = field.split('.').at(-1) ?? field;
  return message.includes(name) ? message : `${printable(field)}: ${message}`;
}
