import * as z from 'zod/mini';
import {
  filteredDomains,
  getContact,
  getDomainSummary,
  getWorkspace,
  listContacts,
  Workspace,
} from '#contract/additions.ts';
import { Actor, Change, FieldChange, listContactChanges, Resubscription, subscribeContact } from '#contract/change.ts';
import { additions } from './allAdditions.ts';
import { ContactActivity, filteredEvents, getContactActivity } from '#contract/activity.ts';
import { findErasure } from '#contract/erasure.ts';
import {
  createContact,
  EVENTS_MAX,
  NewContact,
  NewEvent,
  NewEventOfContact,
  recordEvent,
  recordEvents,
} from '#contract/ingest.ts';
import { listChanges, LogLine, recordExport } from '#contract/auditLog.ts';
import {
  ContactUpdate,
  getDomain,
  OwnResubscription,
  unsubscribeOwnContact,
  updateSubscribedContact,
} from '#contract/openapi/otherClients.ts';
import { getOverview, Overview } from '#contract/overview.ts';
import {
  createToken,
  removeMember,
  inviteMember,
  listMembers,
  listSessions,
  listTokens,
  Member,
  SignedIn,
  Token,
  updateMember,
} from '#contract/members.ts';
import {
  eraseContact,
  ErasureRequest,
  exportPerson,
  liftErasure,
  LiftRequest,
  previewErasure,
} from '#contract/privacy.ts';
import { Contact, ContactChange, ContactWithProvider } from '#contract/contact.ts';
import { CheckLine, Evidence, Finding, Fix } from '#contract/dnsCheck.ts';
import { DnsRecord, Domain, SenderAddress } from '#contract/domain.ts';
import { NDJSON_MEDIA_TYPE, type Endpoint, type Operation } from './endpoint.ts';
import { Event } from '#contract/event.ts';
import { findGaps, type Gap } from './gaps.ts';
import {
  listContactEvents,
  listDomainAddresses,
  listDomains,
  operations,
  unsubscribeContact,
  updateContact,
} from '#contract/interface.ts';
import {
  Meta,
  PAGE_MAX,
  PER_PAGE_DEFAULT,
  PER_PAGE_MAX,
  SEARCH_MAX,
  SORTING_MAX,
  type ListParameters,
} from '#contract/list.ts';
import { must } from '#contract/values/must.ts';
import { type OperationText, problemDescriptions, operationTexts, pathParameterTexts } from './operationTexts.ts';
import { Problem, PROBLEM_MEDIA_TYPE } from '#contract/problem.ts';
import { requiredRole } from '#contract/roles.ts';

type Json = { readonly [key: string]: unknown };

const interfaceSchemas = {
  Contact,
  ContactWithProvider,
  Event,
  DnsRecord,
  Domain,
  SenderAddress,
  Meta,
  Problem,
  UnsubscribedContact: unsubscribeContact.result,
  EventPage: listContactEvents.result,
  DomainPage: listDomains.result,
  SenderAddressPage: listDomainAddresses.result,
};

const additionSchemas = {
  Workspace,
  WorkspaceAnswer: getWorkspace.result,
  ContactPage: listContacts.result,
  ContactAnswer: getContact.result,
  FieldChange,
  Actor,
  Change,
  ChangePage: listContactChanges.result,
  ContactActivity,
  ContactActivityAnswer: getContactActivity.result,
  Overview,
  OverviewAnswer: getOverview.result,
  LogLine,
  LogPage: listChanges.result,
  Export: recordExport.body,
  ExportReceipt: recordExport.result,
  Resubscription,
  OwnResubscription,
  ContactUpdate,
  DomainAnswer: getDomain.result,
  SubscribedContact: subscribeContact.result,
  DomainSummaryAnswer: getDomainSummary.result,
  Fix,
  Evidence,
  Finding,
  CheckLine,
  NewContact,
  ContactReceipt: createContact.result,
  NewEvent,
  EventReceipt: recordEvent.result,
  NewEventOfContact,
  NewEvents: z.array(NewEventOfContact).check(z.maxLength(EVENTS_MAX)),
  EventOutcomes: recordEvents.result,
  Member,
  MemberPage: listMembers.result,
  Invitation: inviteMember.body,
  MemberAnswer: inviteMember.result,
  RemovedMember: removeMember.result,
  MemberChange: updateMember.body,
  Token,
  TokenPage: listTokens.result,
  NewToken: createToken.body,
  NewTokenAnswer: createToken.result,
  SignedIn,
  SessionPage: listSessions.result,
  PersonFile: exportPerson.result,
  ErasurePreviewAnswer: previewErasure.result,
  ErasureRequest,
  ErasureAnswer: eraseContact.result,
  LiftRequest,
  ErasureTime: findErasure.result,
  LiftAnswer: liftErasure.result,
};

type Offered = {
  additions: readonly Operation[];
  /** Whether tokens have roles. */
  hasRoles: boolean;
};

/**
 * The OpenAPI 3.1 document. `x-addition` marks additions, `x-required-role` says which role an operation needs, and `x-not-shown`
 * what the interface leaves open.
 */
export function openApi(offered: Offered): Json {
  const paths: Record<string, Record<string, Json>> = {};
  const served = operations.map((endpoint) => {
    if (endpoint === listDomains && offered.additions.includes(getDomainSummary)) return filteredDomains;
    if (endpoint === updateContact && offered.additions.includes(unsubscribeOwnContact)) return updateSubscribedContact;
    if (endpoint === listContactEvents && offered.additions.includes(getContactActivity)) return filteredEvents;
    return endpoint;
  });
  const endpoints = [...served, ...offered.additions];
  for (const endpoint of endpoints) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: createOperation(endpoint, offered),
    };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Sendroom',
      version: '1',
      summary: 'Contacts and their events, sending domains and sender addresses.',
      description:
        'Every path begins with `/v1`. A token belongs to one workspace, and nothing outside that workspace can be reached with it.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '.', description: 'The service that answered with this document.' }],
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
      schemas: createSchemas({
        ...interfaceSchemas,
        ...(offered.additions.length > 0 ? additionSchemas : { ContactChange }),
      }),
    },
    'x-not-shown': findGaps(null).map(notShown),
  };
}

const TAGS = {
  Contacts: 'Contacts, their subscription, and the rights of a person.',
  Events: 'What contacts did.',
  Domains: 'Sending domains, their DNS records and sender addresses.',
  Workspace: 'The workspace, its overview and its log.',
  Access: 'Members, tokens and sessions.',
};

/** A tag by the resource in the path; the last that is named counts. */
function tagOf(path: string): keyof typeof TAGS {
  if (path.endsWith('/events')) return 'Events';
  if (/\/(contacts|erasures|erased-identities)\b/.test(path)) return 'Contacts';
  if (path.includes('/domains')) return 'Domains';
  return /\/(members|tokens|sessions)\b/.test(path) ? 'Access' : 'Workspace';
}

function createOperation(endpoint: Operation, { hasRoles }: Offered): Json {
  const text = operationTexts[endpoint.id];
  if (text === undefined) throw new Error(`No words for the operation ${endpoint.id} in operationTexts.ts.`);
  const parameters = [
    ...pathParameters(endpoint.path),
    ...(endpoint.list ? listParameters(endpoint.list, text) : []),
    ...(endpoint.parameters ? queryParameters(endpoint.parameters, text.parameters) : []),
  ];
  const failures = [400, 401, 403, ...text.problemStatuses, 429];
  const gaps = findGaps(endpoint);
  return {
    operationId: endpoint.id,
    tags: [tagOf(endpoint.path)],
    summary: text.summary,
    description: text.description,
    ...(parameters.length > 0 && { parameters }),
    ...(text.body && { requestBody: createRequestBody(endpoint, text.body) }),
    responses: {
      ...(text.result === null
        ? { 204: { description: text.success } }
        : { 200: { description: text.success, content: createResultContent(endpoint, text.result) } }),
      ...Object.fromEntries(failures.map((status) => [status, { $ref: `#/components/responses/Failure${status}` }])),
      default: { $ref: '#/components/responses/Failure' },
    },
    ...(additions.includes(endpoint) && { 'x-addition': true }),
    ...(hasRoles && { 'x-required-role': requiredRole(endpoint.id) }),
    ...(gaps.length > 0 && { 'x-not-shown': gaps.map(notShown) }),
  };
}

function createRequestBody(endpoint: Endpoint, schema: string): Json {
  const { body, linesMax } = endpoint;
  const content = {
    'application/json': ref(endpoint === updateSubscribedContact ? 'ContactUpdate' : schema),
    ...(linesMax !== undefined && { [NDJSON_MEDIA_TYPE]: ref(schema) }),
  };
  return { required: !(body instanceof z.ZodMiniOptional), content };
}

function createResultContent({ isStream, isFile }: Endpoint, schema: string): Json {
  return {
    [isStream ? NDJSON_MEDIA_TYPE : 'application/json']: ref(schema),
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
      `Rows of one page. More than ${PER_PAGE_MAX} is answered as ${PER_PAGE_MAX}, and as fewer in a list of large rows; \`meta.per_page\` says so.`,
      {
        type: 'integer',
        minimum: 1,
        default: PER_PAGE_DEFAULT,
      },
    ),
    ...(list.search === undefined
      ? []
      : [
          query(
            'search',
            `Words in any order, each of which is a part of ${must(searched)}. What stands in double quotes is one word.`,
            { type: 'string', maxLength: SEARCH_MAX },
          ),
        ]),
    ...(list.filters ?? []).map((name) =>
      query(name, `Only rows with this value of \`${name}\`.`, { type: 'boolean' }),
    ),
    ...Object.entries(list.choices ?? {}).map(([name, words]) =>
      query(name, `Only rows in this \`${name}\`. An addition.`, { type: 'string', enum: words }),
    ),
    ...[...(list.texts ?? []), ...(list.times ?? [])].map((name) =>
      query(name, must(descriptions?.[name]), {
        type: 'string',
        ...(list.times?.includes(name) && { format: 'date-time' }),
      }),
    ),
    ...(list.sortable.length === 0 ? [] : [sortingParameter(list.sortable)]),
  ];
}

function queryParameters(parameters: z.ZodMiniObject, descriptions: Readonly<Record<string, string>> = {}): Json[] {
  const { properties = {} } = z.toJSONSchema(parameters);
  return Object.entries(properties).map(([name, schema]) => query(name, descriptions[name] ?? name, schema as Json));
}

function sortingParameter(columns: readonly string[]): Json {
  return {
    ...query(
      'sorting[]',
      'Sort descriptors, each a JSON object; repeat the parameter for several, the first counts most.',
      {
        type: 'array',
        maxItems: SORTING_MAX,
        items: {
          type: 'string',
          contentMediaType: 'application/json',
          contentSchema: {
            type: 'object',
            properties: {
              id: { type: 'string', enum: columns, description: 'Column name.' },
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

function notShown({ section, notShown, silent, choice }: Gap): Json {
  return { section, not_shown: notShown, silent, choice };
}

/** JSON Schemas that refer to each other by their names in the document. */
function createSchemas(named: Readonly<Record<string, z.core.$ZodType>>): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}` });
  // The dialect is stated once for the whole document, and a schema is identified by its place.
  for (const schema of Object.values(schemas)) {
    delete schema.$schema;
    delete schema.$id;
  }
  return schemas;
}
