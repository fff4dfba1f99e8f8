import { afterAll, beforeAll, beforeEach } from 'vitest';
import { verifyWorkspace } from '../../cli/admin/verify.ts';
import type { Workspace } from '../../database/workspace.ts';
import { listChanges } from '../../auditLog/listChanges.ts';
import { ALL } from '../testList.ts';
import { startTestService, type TestService } from '../testService.ts';
import { createToken, createWorkspace } from '../../workspaces/store.ts';

// A workspace with Anna, who is erased, and Bert, for tests of the operations.

export const ANNA = {
  email: 'Anna.Erased@x.test',
  phone: '+49 30 5550123',
  customer_id: 'C-100777',
  first_name: 'Anna',
};

export let service: TestService;
export let workspace: Workspace;
export let token: string;
export let anna: string;
export let bert: string;

export function setUpErasure(): void {
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service[Symbol.asyncDispose]());
  beforeEach(async () => {
    const { database, clock } = service;
    workspace = await createWorkspace(database, { name: 'Acme', identity_field: 'customer_id' }, clock.now);
    ({ token } = await createToken(workspace, database, { name: 'boss', role: 'admin' }, clock.now));
    anna = await addContact(ANNA);
    bert = await addContact({ email: 'bert@x.test' });
  });
}

type Answer = { status: number; body: unknown };

export async function call(path: string, json?: unknown): Promise<Answer> {
  const response = await service.call(path, { token, ...(json !== undefined && { method: 'POST', json }) });
  return { status: response.status, body: await response.json() };
}

export const at = (contact: string) => `/v1/contacts/${encodeURIComponent(contact)}`;
export const change = (contact: string, attributes: object) => call(at(contact), { attributes });

export async function addContact(attributes: object): Promise<string> {
  const { body } = await call('/v1/contacts', { attributes });
  return (body as { data: { uuid: string } }).data.uuid;
}

export const erase = (contact: string, more: object = {}) =>
  call(`${at(contact)}/erasure`, { identity: ANNA.email, ...more });
export const verify = () => verifyWorkspace(workspace, service.database);
export const changesOfBert = async () => ((await call(`${at(bert)}/changes`)).body as { data: object[] }).data;
export const lines = async () => (await listChanges(workspace, service.database, ALL)).data;
