import { randomUUID } from 'node:crypto';
import { must } from '#contract/values/must.ts';
import { filteredDomains } from '#contract/additions.ts';
import { filteredEvents } from '#contract/activity.ts';
import { additions } from '#contract/openapi/allAdditions.ts';
import { buildPath, type Endpoint } from '#contract/openapi/endpoint.ts';
import { listContactEvents, listDomains, operations } from '#contract/interface.ts';
import { addIndex } from '../contacts/attributeIndex/manageIndexes.ts';
import { putEvents } from '../contacts/events/putEvents.ts';
import { addRows, keepImport } from '../contacts/runs/imports.ts';
import { addEntries, keepRun } from '../contacts/runs/runs.ts';
import { putContacts, updateContact } from '../contacts/store.ts';
import { authorOf, COMMAND } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import type { WorkspaceTable } from '../database/scope.ts';
import { listTables, TABLE_DESCRIPTIONS } from '../database/schema/tableDescriptions.ts';
import { acceptFault } from '../domains/history/acceptances.ts';
import { getDomainReport } from '../domains/history/listReports.ts';
import { createSharedLink } from '../domains/share/sharedLinks.ts';
import { putAddresses } from '../domains/putAddresses.ts';
import { putDomains } from '../domains/putDomains.ts';
import { putVerdicts } from '../domains/putVerdicts.ts';
import type { Workspace } from '../database/workspace.ts';
import { createView } from '../contacts/views/savedViews.ts';
import { addEventRule } from '../contacts/events/eventRules.ts';
import { createDestination } from '../notifications/destinations.ts';
import { addDeliveries } from '../notifications/addDeliveries.ts';
import { planWorkspace } from '../notifications/planning/planWorkspace.ts';
import { inviteMember, newMember } from '../members/members.ts';
import { setRetention } from '../retention/settings.ts';
import { openSession } from '../sessions/store.ts';
import { createToken, createWorkspace } from '../workspaces/store.ts';
import { storeVerification } from '../workspaces/upkeep.ts';
import { adviceLine } from './testLooks.ts';

export type Tenant = {
  workspace: Workspace;
  token: string;
  canary: string;
  contact: string;
  domain: string;
  acceptance: string;
  /** A webhook, and a message that it hasn't got. */
  destination: string;
  message: string;
  /** Of the contact, approved. */
  run: string;
  /** That changed another contact. */
  importRun: string;
  /** The domain, with ACCEPTED_FAULT also after a check has found something else. */
  faultyDomain: () => Promise<string>;
  /** An event rule. */
  rule: string;
  newRule: () => Promise<string>;
  /** Saved, not shared. */
  view: string;
  newView: () => Promise<string>;
  newMember: () => Promise<string>;
  newToken: () => Promise<string>;
  newDestination: () => Promise<string>;
  newSession: () => Promise<string>;
  newLink: () => Promise<{ uuid: string; secret: string }>;
};

export const SHARED_IDENTITIES = {
  email: 'anna@example.com',
  phone: '+49 30 1234',
  custom: 'C-1',
  domain: 'mail.example.com',
};

/** What the last check of each tenant's domain found. */
export const ACCEPTED_FAULT = { subject: 'dmarc', code: 'TEST' };

export async function createTwinTenants(database: Database, now: number): Promise<[Tenant, Tenant]> {
  return [await createTenant(database, 'canaryalpha', now), await createTenant(database, 'canarybravo', now)];
}

async function createTenant(database: Database, canary: string, now: number): Promise<Tenant> {
  const workspace = await createWorkspace(database, { name: canary, identity_field: 'customer_id' }, now);
  const { uuid: tokenUuid, token } = await createToken(workspace, database, { name: canary, role: 'admin' }, now);
  const contact = randomUUID();
  const domain = randomUUID();
  const attributes = {
    email: SHARED_IDENTITIES.email,
    phone: SHARED_IDENTITIES.phone,
    customer_id: SHARED_IDENTITIES.custom,
    first_name: canary,
  };
  const unsubscribed = { subscribed: false, attributes: { email: `${canary}@gone.example` } };
  const events = Array.from({ length: 12 }, (_, index) => ({
    contact,
    event_name: `${canary} ${index % 3}`,
    attributes: { canary },
    created_at: now - index * 1000,
  }));
  const addresses = ['news', 'billing'].map((address) => ({ domain, address, display_name: canary, provider: canary }));
  const outcomes = await database.write(workspace, async (scope) => [
    ...(await putContacts(scope, [{ uuid: contact, attributes }, unsubscribed], now)),
    ...(await putEvents(scope, events, now)),
    ...(await putDomains(
      scope,
      [{ uuid: domain, name: SHARED_IDENTITIES.domain, provider: canary, status: canary }],
      now,
    )),
    ...(await putAddresses(scope, addresses, now)),
  ]);
  await addIndex(workspace, database, 'first_name', () => {});
  if (outcomes.some((outcome) => outcome !== 'added')) throw new Error(`Refused: ${JSON.stringify(outcomes)}`);
  const check = (result: 'ok' | 'warn', at: number) => {
    const line = adviceLine('dmarc', { result, cause: canary, found: [`${canary} ${at}`] });
    return putVerdicts(workspace, database, domain, [line], at, 3_600_000);
  };
  // An incident opens.
  await check('ok', now - 21 * 60_000);
  for (const minutes of [11, 1]) await check('warn', now - minutes * 60_000);
  const fault = { ...ACCEPTED_FAULT, reason: canary, until: now + 86_400_000 };
  const accepted = must(await acceptFault(workspace, database, domain, fault, COMMAND, now));
  if (accepted === 'other') throw new Error('The fault is another.');
  const caller = { token: { uuid: tokenUuid, name: canary }, requestId: randomUUID() };
  await updateContact(workspace, database, contact, { job_title: canary }, caller, now);
  const run = randomUUID();
  const by = { now, author: authorOf(caller) };
  await keepRun(workspace, database, { uuid: run, entries: 1, ticket: canary }, by);
  await addEntries(workspace, database, run, { from: 0, entries: [[contact]] }, by);
  await database.write(workspace, (scope) => scope.update('runs').set({ approved_at: now }).execute());
  const importRun = randomUUID();
  await keepImport(workspace, database, { uuid: importRun, rows: 1, source: canary }, by);
  const rows = [{ attributes: { email: `${canary}@gone.example`, company: canary } }];
  await addRows(workspace, database, importRun, { from: 0, rows }, by);
  const newRule = async (event_name: string) => {
    const rule = { event_name, condition: null, reason: 'other' } as const;
    return must((await addEventRule(workspace, database, rule, by)).at(-1)).uuid;
  };
  const rule = await newRule(canary);
  const newView = async (name: string) => {
    const saved = { name, query: `search=${canary}`, shared: false };
    return (await createView(workspace, database, saved, { ...by, isAdmin: true })).uuid;
  };
  const view = await newView(canary);
  const member = (email: string) => inviteMember(workspace, database, { email, role: 'read' }, now);
  // Without a line in the log.
  const invited = { email: `${canary}@example.com`, role: 'read', source: 'invited' } as const;
  const row = newMember({ ...invited, name: null, person_uuid: null, last_seen_at: null }, now);
  await setRetention(workspace, database, { event_days: 30 }, by);
  await storeVerification(workspace, database, now);
  const link = {
    uuid: randomUUID(),
    hash: domain,
    domain_uuid: domain,
    created_at: now,
    expires_at: now,
    revoked_at: null,
    opened_at: null,
    actor: tokenUuid,
    actor_name: canary,
  };
  await database.write(workspace, async (scope) => {
    await scope.insert('members', row).execute();
    await scope.insert('shared_links', link).execute();
  });
  return {
    workspace,
    token,
    canary,
    contact,
    domain,
    acceptance: accepted.uuid,
    run,
    importRun,
    rule,
    view,
    ...(await addDestination(workspace, database, canary, now)),
    faultyDomain: async () => {
      const { checked_at, verdicts } = must(await getDomainReport(workspace, database, domain));
      const { subject, code } = ACCEPTED_FAULT;
      if (!verdicts.some((verdict) => verdict.subject === subject && verdict.code === code)) {
        await check('warn', Date.parse(must(checked_at)) + 1);
      }
      return domain;
    },
    newRule: () => newRule(`${canary} ${randomUUID()}`),
    newView: () => newView(`${canary} ${randomUUID().slice(0, 8)}`),
    newMember: async () => must(await member(`${randomUUID()}.${canary}@example.com`)).uuid,
    newToken: async () => (await createToken(workspace, database, { name: canary, role: 'read' }, now)).uuid,
    newDestination: async () => (await addDestination(workspace, database, canary, now)).destination,
    newLink: async () => {
      const author = { ...COMMAND, actor: { ...COMMAND.actor, name: canary } };
      const created = await createSharedLink(workspace, database, domain, { now, author });
      if (created === null || created === 'tooMany') throw new Error('No link was created.');
      return { uuid: created.link.uuid, secret: created.secret };
    },
    newSession: async () => {
      const made = await createToken(workspace, database, { name: canary, role: 'read' }, now);
      const signedIn = { workspace, token: { uuid: made.uuid, name: canary }, statedWorkspace: null };
      return (await openSession(database, signedIn, { previousSecret: undefined, author: COMMAND }, now)).uuid;
    },
  };
}

async function addDestination(workspace: Workspace, database: Database, canary: string, now: number) {
  const { destination } = await createDestination(
    workspace,
    database,
    {
      kind: 'webhook',
      name: canary,
      // Nothing listens there, and the service under test refuses to call it.
      address: `https://127.0.0.1:9/${canary}`,
      // It gets nothing but its test message, so that the job of the service changes nothing.
      rules: { incidents: [], contact_changes: false, digest: false, heartbeat: false },
    },
    { mailer: null, isAllowed: () => true, consoleUrl: null },
    { author: COMMAND, now },
  );
  const message = randomUUID();
  await database.write(workspace, async (scope) => {
    const about = {
      about: message,
      incident_uuid: null,
      contact_uuid: null,
      log_number: null,
      planned_at: now,
      body: '{}',
    };
    await scope.insert('messages', { uuid: message, created_at: now, kind: 'test', ...about }).execute();
    await addDeliveries(scope, [{ message, destination: destination.uuid, state: 'dropped' }], now);
  });
  await planWorkspace(workspace, database, now);
  return { destination: destination.uuid, message };
}

function withFilters(endpoint: Endpoint): Endpoint {
  if (endpoint === listContactEvents) return filteredEvents;
  return endpoint === listDomains ? filteredDomains : endpoint;
}

export const LISTS = [...operations, ...additions]
  .map(withFilters)
  .flatMap((endpoint) => (endpoint.list === undefined ? [] : [{ ...endpoint, list: endpoint.list }]));

export function listPath(
  list: Pick<Endpoint, 'path'>,
  { contact, domain, destination, run }: Pick<Tenant, 'contact' | 'domain' | 'destination' | 'run'>,
): string {
  return buildPath(list, { contact, domain, destination, run });
}

export const WORKSPACE_TABLES = listTables(({ holds }) => holds !== 'system') as WorkspaceTable[];

const ACCESS_ACTIONS = new Set([
  'sign_in',
  'sign_in_refused',
  'sign_out',
  'token_create',
  'token_revoke',
  'member_invite',
  'member_join',
  'member_role',
  'member_remove',
  'session_end',
  'link_create',
  'link_revoke',
  'link_open',
]);

/** Detects any change. Without marks, which change alone, and log lines about access. */
export async function snapshotTenantData({ workspace }: Tenant, database: Database): Promise<string> {
  const about = await database.unscoped.kysely
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', workspace.id)
    .executeTakeFirstOrThrow();
  const heads = database.unscoped.kysely.selectFrom('workspace_heads').selectAll();
  const head = await heads.where('workspace_id', '=', workspace.id).executeTakeFirstOrThrow();
  const changing = { mark: null, log_count: null, log_hash: null, log_at: null };
  const lines = await readLog(workspace, database, (action) => !ACCESS_ACTIONS.has(action));
  return JSON.stringify([about, { ...head, ...changing }, await readRows(workspace, database, 'content'), lines]);
}

export async function snapshotTenantAccess(
  { workspace }: Tenant,
  database: Database,
  leftOut?: string,
): Promise<string> {
  const lines = await readLog(workspace, database, (action) => ACCESS_ACTIONS.has(action) && action !== leftOut);
  return JSON.stringify([await readRows(workspace, database, 'access'), lines]);
}

function readRows({ id }: Workspace, database: Database, kind: 'content' | 'access'): Promise<string[][]> {
  const tables = WORKSPACE_TABLES.filter(
    (table) =>
      TABLE_DESCRIPTIONS[table].holds === kind && !['workspace_heads', 'changes', 'change_values'].includes(table),
  );
  return Promise.all(
    tables.map(async (table) => {
      const rows = await database.unscoped.kysely
        .selectFrom(table)
        .selectAll()
        .where('workspace_id', '=', id)
        .execute();
      // PostgreSQL returns rows in any order.
      return rows.map((row) => JSON.stringify(row)).toSorted();
    }),
  );
}

async function readLog(
  { id }: Workspace,
  database: Database,
  isWanted: (action: string) => boolean,
): Promise<object[]> {
  const lines = await database.unscoped.kysely
    .selectFrom('changes')
    .leftJoin('change_values', (join) =>
      join
        .onRef('change_values.workspace_id', '=', 'changes.workspace_id')
        .onRef('change_values.number', '=', 'changes.number'),
    )
    .selectAll('changes')
    .select(['salt', 'summary', 'change_values.changes'])
    .where('changes.workspace_id', '=', id)
    .orderBy('changes.number')
    .execute();
  return lines.filter(({ action }) => isWanted(action));
}
