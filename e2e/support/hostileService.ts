import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod/mini';
import { additions } from '#contract/openapi/allAdditions.ts';
import { findPathSegmentError, type Endpoint } from '#contract/openapi/endpoint.ts';
import { listDomains, operations } from '#contract/interface.ts';
import { Problem } from '#contract/problem.ts';
import { requiredRole } from '#contract/roles.ts';
import { getSession, signIn, signOut } from '#contract/session.ts';
import { forward } from './hostileProxy.ts';
import { test as base } from './literal.ts';
import { PAYLOADS } from './payloads.ts';

// Every string of every response has a payload. Responses are generated from the contract.

const TEXTS = Object.values(PAYLOADS);
/** The console does not call operations of programs. */
const CALLED = [...operations, ...additions].filter(({ id }) => requiredRole(id) !== 'ingest');
const ENDPOINTS: readonly Endpoint[] = [...CALLED, getSession, signIn, signOut];

/** Prefixes of field names, by response. */
const NOUNS: Readonly<Record<string, string>> = {
  updateContact: 'contact',
  unsubscribeContact: 'contact',
  subscribeContact: 'contact',
  unsubscribeOwnContact: 'contact',
  subscribeOwnContact: 'contact',
  getContact: 'contact',
  listContacts: 'contact',
  listContactEvents: 'event',
  listContactChanges: 'change',
  listSuppressions: 'suppressed',
  startRun: 'run',
  addRunEntries: 'runEntries',
  listRuns: 'run',
  listRunContacts: 'runContact',
  approveRun: 'run',
  getRunCounts: 'runCounts',
  getRunSettings: 'runSettings',
  updateRunSettings: 'runSettings',
  previewImport: 'imported',
  startImport: 'run',
  importRows: 'imported',
  undoImport: 'undone',
  listUnsubscribeBursts: 'burst',
  listEventNames: 'eventName',
  listEventRules: 'eventRule',
  previewEventRule: 'rulePreview',
  createEventRule: 'eventRule',
  removeEventRule: 'eventRule',
  listViews: 'view',
  createView: 'view',
  updateView: 'view',
  removeView: 'view',
  getContactActivity: 'activity',
  getOverview: 'overview',
  listChanges: 'log',
  getRetention: 'retention',
  recordExport: 'export',
  listDomains: 'domain',
  getDomain: 'domain',
  listDomainAddresses: 'address',
  getDomainSummary: 'summary',
  listDomainReports: 'report',
  getDomainReport: 'report',
  updateDomain: 'report',
  getDomainHistory: 'span',
  listDomainChanges: 'domainChange',
  listIncidents: 'incident',
  acceptFault: 'acceptance',
  listAcceptances: 'acceptance',
  listAddresses: 'address',
  checkDomain: 'check',
  getWorkspace: 'session',
  listMembers: 'member',
  inviteMember: 'member',
  updateMember: 'member',
  listTokens: 'token',
  createToken: 'token',
  listSessions: 'signedIn',
  listSharedLinks: 'link',
  createSharedLink: 'newLink',
  revokeSharedLink: 'endedLink',
  getSession: 'session',
  signIn: 'session',
  exportPerson: 'person',
  liftErasure: 'lift',
  previewErasure: 'erasure',
  eraseContact: 'erasure',
  findErasure: 'erased',
  removeMember: 'removed',
  listDestinations: 'destination',
  createDestination: 'created',
  updateDestination: 'destination',
  rotateSecret: 'created',
  testDestination: 'tested',
  listDeliveries: 'delivery',
  replayDelivery: 'delivery',
};

export const plainId = (index: number) => `00000000-0000-4000-8000-0000000000${String(index).padStart(2, '0')}`;

/** Each field has the payload after that of the previous field, so a few resources show all payloads. */
export function plantedText(index: number, field: string): string {
  const payload = TEXTS[(index + (FIELDS.get(field) ?? 0)) % TEXTS.length];
  const text = `${payload} ${field} ${String(index).padStart(2, '0')}`;
  return field.endsWith('uuid') && findPathSegmentError(text) !== null ? plainId(index) : text;
}

type Schema = {
  type?: string | [string, 'null'];
  format?: string;
  enum?: string[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
};
type Plant = (field: string) => string;
type TextAt = (index: number, field: string) => string;
type Row = Record<string, unknown>;

const KNOWN = ['first_name', 'last_name', 'email', 'phone', 'company', 'job_title'];

function attributes(field: string, plant: Plant): Row {
  return Object.fromEntries([
    ...KNOWN.map((name) => [name, plant(`${field}.${name}`)]),
    [plant(`${field} name`), plant(`${field} value`)],
    ['nested', { [plant(`${field} name within`)]: [plant(`${field} value within`), { deeper: [[]] }] }],
    ['__proto__', { hit: 1 }],
    ['constructor', { prototype: { hit: 1 } }],
    ['toString', 'hit'],
  ]);
}

/** Fields that the console requires have valid values. */
function fill(schema: Schema, field: string, plant: Plant): unknown {
  const [option] = schema.anyOf ?? schema.oneOf ?? [];
  if (option !== undefined) return fill(option, field, plant);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum.includes('fail') ? 'fail' : schema.enum[0];
  const [type] = [schema.type].flat();
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'array') return [fill(schema.items ?? {}, field, plant)];
  if (type === 'object') {
    if (schema.properties === undefined) return attributes(field, plant);
    const fields = Object.entries(schema.properties);
    return Object.fromEntries(fields.map(([name, inner]) => [name, fill(inner, `${field}.${name}`, plant)]));
  }
  if (schema.format === 'date-time') return new Date(Date.now() + 60_000).toISOString();
  return schema.format === 'uuid' ? plainId(0) : plant(field);
}

const schemaOf = (schema: z.ZodMiniType) => z.toJSONSchema(schema) as Schema;
const SCHEMAS = new Map(
  ENDPOINTS.filter(({ id }) => NOUNS[id] !== undefined).map(({ id, reading }) => [id, schemaOf(reading)]),
);
const PROBLEM = schemaOf(Problem);

/** A list has a row per resource, from `index` on, up to `total`. */
function createAnswer({ id, isStream }: Endpoint, index: number, textAt: TextAt, total = TEXTS.length) {
  const noun = NOUNS[id] ?? '';
  const schema = SCHEMAS.get(id) ?? {};
  const plantAt = (at: number) => (field: string) => textAt(at, field);
  if (isStream) return checkLines(schema, index, textAt);
  const { data, meta } = schema.properties ?? {};
  if (data === undefined) return fill(schema, noun, plantAt(index));
  if (meta === undefined) {
    const row = fill(data, noun, plantAt(index)) as Row;
    return { data: noun === 'report' ? withListedDomain(row, index, textAt) : withCapabilities(row) };
  }
  return {
    data: Array.from({ length: total }, (_, at) => {
      const place = (index + at) % TEXTS.length;
      const row = fill(data.items ?? {}, noun, plantAt(place));
      return noun === 'report' ? withListedDomain(row as Row, place, textAt) : row;
    }),
    meta: { current_page: 1, per_page: total, total, last_page: 1, has_next: false },
  };
}

/** Without capabilities the console calls fewer operations. With workspaces, its paths differ. */
const withCapabilities = (row: Row) =>
  Array.isArray(row.capabilities)
    ? {
        ...row,
        ...(Array.isArray(row.workspaces) && { workspaces: [] }),
        capabilities: [...(row.capabilities as string[]), ...additions.map(({ id }) => id)],
      }
    : row;

/** A report is older than any check, and about the domain and record that are listed. */
function withListedDomain(row: Row, index: number, textAt: TextAt): Row {
  const { data } = createAnswer(listDomains, index, textAt, 1) as { data: Row[] };
  const verdicts = row.verdicts as (Row & { finding?: Row })[];
  return {
    ...row,
    domain: data[0],
    checked_at: new Date(0).toISOString(),
    verdicts: verdicts.map((verdict) => ({ ...verdict, index: 0, code: verdict.finding?.code ?? verdict.code })),
  };
}

/** The record is the domain's; another would be ignored. */
function checkLines(schema: Schema, index: number, textAt: TextAt): Row[] {
  const { data: rows } = createAnswer(listDomains, index, textAt, 1) as { data: (Row & { dns: Row[] })[] };
  const [domain] = rows;
  const options = schema.oneOf ?? schema.anyOf ?? [];
  const lines = options.map((option) => fill(option, 'check', (field) => textAt(index, field)) as Row);
  return lines.map((line) => ({
    ...line,
    ...('record' in line && { index: 0, record: domain?.dns[0] }),
    ...('domain' in line && { domain }),
  }));
}

export function everyField(): Set<string> {
  const fields = new Set<string>();
  const textAt: TextAt = (_, field) => {
    fields.add(field);
    return field;
  };
  for (const endpoint of ENDPOINTS.filter(({ method }) => method !== 'DELETE')) createAnswer(endpoint, 0, textAt, 1);
  fill(PROBLEM, 'problem', (field) => textAt(0, field));
  for (const field of fields) if (/^check\.(record|domain)\./.test(field)) fields.delete(field);
  return fields;
}

const FIELDS: ReadonlyMap<string, number> = new Map([...everyField()].map((field, at) => [field, at]));

export type HostileService = {
  url: string;
  /** Responds about this resource, unless a path names one. */
  turnTo: (index: number) => void;
  /** Refuses such calls (`GET /v1/domains`); `says` selects the fields of the problem. */
  refuse: (calls: RegExp, status?: number, says?: readonly string[]) => void;
  obey: () => void;
};

async function startHostileService(page: string): Promise<HostileService & { close: () => Promise<void> }> {
  let present = 0;
  let refusal: { calls: RegExp; status: number; says: readonly string[] } | null = null;

  // An ID has thousands of characters.
  const server = createServer({ maxHeaderSize: 256 * 1024 }, (incoming, response) => {
    const [pathname = '/'] = (incoming.url ?? '/').split('?');
    if (!/^\/(v1|session)\b/.test(pathname)) {
      forward(page, incoming).then(
        ({ status, headers, body }) => response.writeHead(status, headers).end(body),
        () => response.destroy(),
      );
      return;
    }
    incoming.resume();
    const { endpoint, index, rows } = matchCall(incoming.method ?? '', pathname, present);
    const id = plantedText(index, 'request id');
    const headers = { 'x-request-id': /^[ -~]{1,200}$/.test(id) ? id : plainId(index) };
    if (refusal?.calls.test(`${incoming.method} ${pathname}`)) {
      const problem = fill(PROBLEM, 'problem', (field) => plantedText(index, field)) as Row;
      const said = Object.entries(problem).filter(([name]) => refusal?.says.includes(name));
      response.writeHead(refusal.status, { 'content-type': 'application/problem+json', ...headers });
      return void response.end(JSON.stringify(Object.fromEntries(said)));
    }
    if (endpoint === signOut) return void response.writeHead(204, headers).end();
    const answer = createAnswer(endpoint, index, plantedText, rows);
    const lines = endpoint.isStream ? (answer as Row[]) : [withSubscription(endpoint, answer)];
    const type = endpoint.isStream ? 'application/x-ndjson' : 'application/json';
    response.writeHead(200, { 'content-type': type, ...headers });
    response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    turnTo: (index) => {
      present = index;
    },
    refuse: (calls, status = 422, says = ['type', 'detail', 'errors']) => {
      refusal = { calls, status, says };
    },
    obey: () => {
      refusal = null;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The operation and resource of a call: every ID ends with a number. Only lists of the first resource are complete, to save time. */
function matchCall(
  method: string,
  pathname: string,
  present: number,
): { endpoint: Endpoint; index: number; rows?: number } {
  for (const endpoint of ENDPOINTS) {
    const pattern = new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`);
    const params = endpoint.method === method ? pattern.exec(pathname) : null;
    if (params === null) continue;
    const index = Number(/\d\d$/.exec(params.slice(1).at(-1) ?? '')?.[0] ?? present);
    return { endpoint, index, ...(params.length > 1 && index > 0 && { rows: 1 }) };
  }
  throw new Error(`The contract has no ${method} ${pathname}.`);
}

const withSubscription = ({ id }: Endpoint, answer: unknown) =>
  id === 'unsubscribeContact' ? { data: { ...(answer as { data: Row }).data, subscribed: false } } : answer;

/** The console comes from the real service; its calls go to the malicious one. */
export const test = base.extend<{ stranger: HostileService }>({
  stranger: async ({ sendroom }, provide) => {
    const stranger = await startHostileService(sendroom.url);
    await provide(stranger);
    await stranger.close();
  },
  baseURL: async ({ stranger }, provide) => provide(stranger.url),
});
