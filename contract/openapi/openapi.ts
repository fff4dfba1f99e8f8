import * as z from 'zod/mini';
import { ContactActivity, filteredEvents, getContactActivity } from '#contract/activity.ts';
import { AddressOfDomain } from '#contract/addresses.ts';
import { filteredDomains, getDomainSummary, Workspace } from '#contract/additions.ts';
import { Actor, Change, FieldChange } from '#contract/change.ts';
import { Contact, ContactWithProvider } from '#contract/contact.ts';
import { Evidence, Finding, Fix } from '#contract/domains/dnsCheck.ts';
import { DetailedDomainReport, DomainChange, Incident, Span } from '#contract/domains/domainHistory.ts';
import { Acceptance, DomainReport, Verdict } from '#contract/domains/domainReport.ts';
import { DnsRecord, Domain, SenderAddress } from '#contract/domains/domain.ts';
import { NDJSON_MEDIA_TYPE, type Endpoint, type Operation } from './endpoint.ts';
import { findErasure } from '#contract/erasure.ts';
import { Event } from '#contract/event.ts';
import { findGaps, type Gap } from './gaps.ts';
import { EVENTS_MAX, NewEventOfContact, recordEvents } from '#contract/ingest.ts';
import { listContactEvents, listDomains, operations, unsubscribeContact, updateContact } from '#contract/interface.ts';
import {
  Meta,
  PAGE_MAX,
  PER_PAGE_DEFAULT,
  PER_PAGE_MAX,
  SEARCH_MAX,
  SCANNED_MAX,
  SORTING_MAX,
  type ListParameters,
} from '#contract/list.ts';
import { LogLine } from '#contract/auditLog.ts';
import { must } from '#contract/values/must.ts';
import { type OperationText, problemDescriptions, operationTexts, pathParameterTexts } from './operationTexts.ts';
import { unsubscribeOwnContact, updateSubscribedContact } from './otherClients.ts';
import { Overview } from '#contract/overview.ts';
import { Member, SignedIn, Token } from '#contract/members.ts';
import { SharedLink } from '#contract/domains/sharedLinks.ts';
import { Problem, PROBLEM_MEDIA_TYPE } from '#contract/problem.ts';
import { requiredRole } from '#contract/roles.ts';
import { ImportRow } from '#contract/imports.ts';
import { BulkRun } from '#contract/runs/runs.ts';
import { EventRule } from '#contract/suppressions/eventRules.ts';
import { SavedView } from '#contract/savedViews.ts';
import { UnsubscribeBurst } from '#contract/suppressions/unsubscribeBursts.ts';
import { SuppressedContact } from '#contract/suppressions/suppressedContacts.ts';
import { explainedUnsubscribe, Suppression } from '#contract/suppressions/suppression.ts';

type Json = { readonly [key: string]: unknown };

const interfaceSchemas = { Contact, ContactWithProvider, Event, DnsRecord, Domain, SenderAddress, Meta, Problem };
const additionSchemas = {
  Workspace,
  FieldChange,
  Actor,
  Suppression,
  SuppressedContact,
  BulkRun,
  ImportRow,
  UnsubscribeBurst,
  EventRule,
  SavedView,
  Change,
  ContactActivity,
  AddressOfDomain,
  SharedLink,
  Overview,
  LogLine,
  Fix,
  Evidence,
  Finding,
  Acceptance,
  Incident,
  Verdict,
  DomainReport,
  DetailedDomainReport,
  Span,
  DomainChange,
  NewEventOfContact,
  Member,
  Token,
  SignedIn,
};

type Offered = { additions: readonly Operation[]; hasRoles: boolean };

export function openApi(offered: Offered): Json {
  const paths: Record<string, Record<string, Json>> = {};
  const served = operations.map((endpoint) => {
    if (endpoint === listDomains && offered.additions.includes(getDomainSummary)) return filteredDomains;
    if (endpoint === updateContact && offered.additions.includes(unsubscribeOwnContact)) return updateSubscribedContact;
    if (endpoint === unsubscribeContact && offered.additions.includes(unsubscribeOwnContact))
      return explainedUnsubscribe;
    if (endpoint === listContactEvents && offered.additions.includes(getContactActivity)) return filteredEvents;
    return endpoint;
  });
  const endpoints = [
    ...served,
    ...offered.additions.map((endpoint) => (endpoint === recordEvents ? events : endpoint)),
  ];
  const names = nameSchemas(endpoints, offered.additions.length > 0);
  for (const endpoint of endpoints) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: createOperation(endpoint, offered, names),
    };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Sendroom',
      version: '1',
      summary: 'Contacts and their events, sending domains and sender addresses.',
      description: 'Every path begins with `/v1`. A token belongs to one workspace and reaches nothing outside it.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '.', description: 'The service that sent this document.' }],
    security: [{ bearer: [] }],
    tags: Object.entries(TAGS)
      .filter(([tag]) => endpoints.some(({ path }) => tagOf(path) === tag))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The access token of a workspace.' },
      },
      responses: Object.fromEntries(Object.entries(problemDescriptions).map(createProblemResponse)),
      schemas: createSchemas(names),
    },
    'x-not-shown': findGaps(null).map(notShown),
  };
}

/** Each event of a body is checked by itself, so the operation requires less. */
const events: Operation = { ...recordEvents, body: z.array(NewEventOfContact).check(z.maxLength(EVENTS_MAX)) };

type SchemaNames = ReadonlyMap<z.core.$ZodType, string>;

function nameSchemas(endpoints: readonly Operation[], hasAdditions: boolean): SchemaNames {
  const named = Object.entries({ ...interfaceSchemas, ...(hasAdditions && additionSchemas) });
  const names = new Map<z.core.$ZodType, string>(named.map(([name, schema]) => [schema, name]));
  for (const { id, body, result } of endpoints) {
    const name = id.charAt(0).toUpperCase() + id.slice(1);
    if (body && !names.has(contentOf(body))) names.set(contentOf(body), `${name}Body`);
    if (!isEmpty(result) && !names.has(result)) names.set(result, `${name}Result`);
  }
  return names;
}

const contentOf = (body: z.ZodMiniType) => (body instanceof z.ZodMiniOptional ? body.def.innerType : body);
const isEmpty = (result: z.ZodMiniType) => result instanceof z.ZodMiniUndefined;

const TAGS = {
  Contacts: 'Contacts, their subscription and their privacy rights.',
  Events: 'What contacts did.',
  Domains: 'Sending domains, their DNS records and sender addresses.',
  Workspace: 'The workspace, its overview and its audit log.',
  Access: 'Members, tokens and sessions.',
};

/** A tag by the resource in the path; the last that is named counts. */
function tagOf(path: string): keyof typeof TAGS {
  if (path.endsWith('/events')) return 'Events';
  if (
    /\/(contacts|suppressions|runs|imports|run-settings|unsubscribe-bursts|event-names|event-rules|event-rule-previews|views|erasures|erased-identities)\b/.test(
      path,
    )
  )
    return 'Contacts';
  if (/\/(domains|addresses|domain-reports|domain-changes|incidents|acceptances)\b/.test(path)) return 'Domains';
  return /\/(members|tokens|sessions)\b/.test(path) ? 'Access' : 'Workspace';
}

function createOperation(endpoint: Operation, offered: Offered, names: SchemaNames): Json {
  const text = operationTexts[endpoint.id];
  if (text === undefined) throw new Error(`operationTexts.ts has no texts for ${endpoint.id}.`);
  const parameters = [
    ...pathParameters(endpoint.path),
    ...(endpoint.list ? listParameters(endpoint.list, text) : []),
    ...(endpoint.parameters ? queryParameters(endpoint.parameters, text.parameters) : []),
  ];
  const gaps = findGaps(endpoint);
  const description = text.success ?? (endpoint.list ? 'One page of the list.' : 'The result.');
  return {
    operationId: endpoint.id,
    tags: [tagOf(endpoint.path)],
    summary: text.summary,
    description: text.description,
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && { requestBody: createRequestBody(endpoint, endpoint.body, names) }),
    responses: {
      ...(isEmpty(endpoint.result)
        ? { 204: { description } }
        : { 200: { description, content: createResultContent(endpoint, names) } }),
      ...Object.fromEntries(
        failureStatuses(endpoint, text).map((status) => [status, { $ref: `#/components/responses/Failure${status}` }]),
      ),
      default: { $ref: '#/components/responses/Failure' },
    },
    ...(offered.additions.some(({ id }) => id === endpoint.id) && { 'x-addition': true }),
    ...(offered.hasRoles && { 'x-required-role': requiredRole(endpoint.id) }),
    ...(gaps.length > 0 && { 'x-not-shown': gaps.map(notShown) }),
  };
}

function failureStatuses({ id, method, path, body, list, parameters }: Endpoint, { conflicts }: OperationText) {
  return [
    400,
    401,
    403,
    ...(path.includes('{') && id !== findErasure.id ? [404] : []),
    ...(conflicts ? [409] : []),
    ...(method === 'POST' ? [413, 415] : []),
    ...(body || list || parameters ? [422] : []),
    429,
  ];
}

function createRequestBody({ linesMax }: Endpoint, body: z.ZodMiniType, names: SchemaNames): Json {
  const schema = ref(must(names.get(contentOf(body))));
  return {
    required: !(body instanceof z.ZodMiniOptional),
    content: { 'application/json': schema, ...(linesMax && { [NDJSON_MEDIA_TYPE]: schema }) },
  };
}

function createResultContent({ result, isStream, isFile }: Endpoint, names: SchemaNames): Json {
  return {
    [isStream ? NDJSON_MEDIA_TYPE : 'application/json']: ref(must(names.get(result))),
    ...(isFile && { 'text/html': { schema: { type: 'string' } } }),
  };
}

function createProblemResponse([status, description]: [string, string]): [string, Json] {
  return [
    status === 'default' ? 'Failure' : `Failure${status}`,
    {
      description,
      ...(status in failureHeaders && { headers: failureHeaders[status] }),
      content: { [PROBLEM_MEDIA_TYPE]: ref('Problem') },
    },
  ];
}

const failureHeaders: Readonly<Record<string, Json>> = {
  401: { 'WWW-Authenticate': { schema: { type: 'string', const: 'Bearer' } } },
  429: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } } },
};

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: pathParameterTexts[name],
    schema: { type: 'string', minLength: 1 },
  }));
}

function listParameters(list: ListParameters, { searched, parameters: descriptions }: OperationText): Json[] {
  return [
    query('page', 'Page number.', { type: 'integer', minimum: 1, maximum: PAGE_MAX, default: 1 }),
    // No `maximum`: a larger value is clamped, not refused.
    query(
      'per_page',
      `Rows per page. More than ${PER_PAGE_MAX} counts as ${PER_PAGE_MAX}, or as fewer if rows are large; see \`meta.per_page\`.`,
      { type: 'integer', minimum: 1, default: PER_PAGE_DEFAULT },
    ),
    ...(list.search === undefined
      ? []
      : [
          query(
            'search',
            `Words in any order, each a part of ${must(searched)}. Double quotes make several words one.`,
            { type: 'string', maxLength: SEARCH_MAX },
          ),
        ]),
    ...(list.filters ?? []).map((name) =>
      query(name, `Only rows with this value of \`${name}\`.`, { type: 'boolean' }),
    ),
    ...Object.entries(list.choices ?? {}).map(([name, words]) =>
      query(name, `Only rows with this \`${name}\`. An addition.`, { type: 'string', enum: words }),
    ),
    ...[...(list.texts ?? []), ...(list.times ?? [])].map((name) =>
      query(name, must(descriptions?.[name]), {
        type: 'string',
        ...(list.times?.includes(name) && { format: 'date-time' }),
      }),
    ),
    ...(list.sortable.length === 0 ? [] : [sortingParameter(list)]),
  ];
}

function queryParameters(parameters: z.ZodMiniObject, descriptions: Readonly<Record<string, string>> = {}): Json[] {
  const { properties = {} } = z.toJSONSchema(parameters);
  return Object.entries(properties).map(([name, schema]) => query(name, descriptions[name] ?? name, schema as Json));
}

function sortingParameter({ sortable, sortsAttributes = false }: ListParameters): Json {
  const columns = { type: 'string', enum: sortable };
  const id = sortsAttributes ? { anyOf: [columns, { type: 'string', pattern: String.raw`^attributes\..` }] } : columns;
  const attributes = ` An attribute, such as \`attributes.plan\`, sorts alone and at most ${SCANNED_MAX.toLocaleString('en')} rows: those without it come last.`;
  return {
    ...query(
      'sorting[]',
      `Sort descriptors, each a JSON object. Repeat the parameter for several, most important first.${sortsAttributes ? attributes : ''}`,
      {
        type: 'array',
        maxItems: SORTING_MAX,
        items: {
          type: 'string',
          contentMediaType: 'application/json',
          contentSchema: {
            type: 'object',
            properties: {
              id: { ...id, description: 'Column name.' },
              desc: { type: 'boolean', description: 'True for descending.' },
            },
            required: ['id', 'desc'],
            additionalProperties: false,
          },
          examples: ['{"id":"created_at","desc":true}'],
        },
      },
    ),
    style: 'form',
    explode: true,
  };
}

function query(name: string, description: string, schema: Json): Json {
  return { name, in: 'query', required: false, description, schema };
}

function ref(name: string): Json {
  return { schema: { $ref: `#/components/schemas/${name}` } };
}

function notShown({ section, silent, choice }: Gap): Json {
  return { section, silent, choice };
}

function createSchemas(names: SchemaNames): Json {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of names) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}` });
  for (const schema of Object.values(schemas)) {
    delete schema.$schema;
    delete schema.$id;
  }
  return schemas;
}
