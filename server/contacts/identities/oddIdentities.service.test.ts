import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Contact } from '#contract/contact.ts';
import { startTestService, type TestService } from '../../testing/testService.ts';
import type { Workspace } from '../../database/workspace.ts';
import { createToken, createWorkspace } from '../../workspaces/store.ts';
import type { ImportedContact } from '../addContacts.ts';
import { putContacts } from '../store.ts';

// Identities that look like something else, and attributes that every JavaScript object has.

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

const path = (contact: string) => `/v1/contacts/${encodeURIComponent(contact)}`;

/** A workspace whose custom identity has this name, and operations in it. */
async function workspaceWith(identity_field: string) {
  const { database, clock } = service;
  const workspace: Workspace = await createWorkspace(database, { name: 'Acme', identity_field }, clock.now);
  const { token } = await createToken(workspace, database, { name: 'test', role: 'admin' }, clock.now);
  return {
    put: (contact: ImportedContact) =>
      database.write(workspace, async (scope) => (await putContacts(scope, [contact], clock.now))[0]),
    find: async (contact: string) => {
      const response = await service.call(path(contact), { token });
      return response.ok ? ((await response.json()) as { data: Contact }).data : response.status;
    },
    record: async (events: readonly object[]) => {
      const response = await service.call('/v1/events', { method: 'POST', token, json: events });
      const { data } = (await response.json()) as { data: { outcome: string }[] };
      return data.map(({ outcome }) => outcome);
    },
    update: async (contact: string, attributes: string) => {
      const headers = { 'content-type': 'application/json' };
      const body = `{"attributes":${attributes}}`;
      return service.call(path(contact), { method: 'POST', token, headers, body });
    },
  };
}

test.each(['constructor', 'toString'])(
  '%s may be the identity of a workspace, and an attribute like any other, which changes no object',
  async (name) => {
    const { put, find, update } = await workspaceWith(name);
    await put({ attributes: { email: 'ann@example.com' } });
    for (const value of ['"C-1"', 'null', '"C-2"'])
      expect((await update('ann@example.com', `{"${name}":${value}}`)).status).toBe(200);
    expect(await find('C-1')).toBe(404);
    expect(await find('C-2')).toMatchObject({ attributes: { [name]: 'C-2' } });

    const elsewhere = await workspaceWith('customer_id');
    await elsewhere.put({ attributes: { customer_id: 'C-1', [name]: { polluted: true } } });
    expect((await elsewhere.update('C-1', `{"${name}":{"polluted":"yes"}}`)).status).toBe(200);
    expect(await elsewhere.find('C-1')).toMatchObject({ attributes: { [name]: { polluted: 'yes' } } });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  },
);

test('a custom identity that looks like the UUID of somebody never leads to somebody else', async () => {
  const { put, find, update } = await workspaceWith('customer_id');
  const ann = randomUUID();
  const bob = randomUUID();
  await put({ uuid: ann, attributes: { email: 'ann@example.com' } });
  await put({ uuid: bob, attributes: { email: 'bob@example.com' } });
  const dresses = [
    ann,
    `\u00a0${ann.toUpperCase()}\ufeff`,
    `{${ann}}`,
    `${ann}\u200b`,
    ann.replaceAll('-', ''),
    ann.replace(/\d/, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)),
  ];
  for (const dress of dresses) {
    const isUuid = dress.trim().toLowerCase() === ann;
    expect((await update(bob, JSON.stringify({ customer_id: dress }))).status).toBe(isUuid ? 422 : 200);
    expect(await find(dress)).toMatchObject({ uuid: isUuid ? ann : bob });
    expect(await find(ann)).toMatchObject({ uuid: ann });
    expect(await find(bob)).toMatchObject({ uuid: bob });
    expect((await update(bob, JSON.stringify({ phone: dress }))).status).toBe(isUuid ? 422 : 200);
    await update(bob, '{"customer_id":null,"phone":null}');
  }
  // The same for a contact that is added later, with the UUID that an identity contains.
  expect(await put({ attributes: { customer_id: randomUUID() } })).toEqual([
    { field: 'attributes.customer_id', message: 'customer_id cannot have the form of a UUID.' },
  ]);
});

test('an international phone number is found, also for events, however its digits are grouped, while it is there', async () => {
  const { put, find, record, update } = await workspaceWith('customer_id');
  const uuid = randomUUID();
  await put({ uuid, attributes: { phone: '+49 30 9018 2233' } });
  expect(await find(' +49 (0)30 / 9018-22.33 ')).toMatchObject({ uuid });
  expect(await find('030 90182233')).toBe(404);
  const event = { contact: '+49 (0)30 90182233', event_name: 'call' };
  expect(await record([{ ...event, uuid: randomUUID() }])).toEqual(['recorded']);
  const nobodys = { ...event, contact: '+49 30 1', uuid: randomUUID() };
  expect(await record([nobodys, { ...event, uuid: randomUUID() }])).toEqual(['refused', 'recorded']);
  await update(uuid, '{"phone":"+1 (212) 555-0123"}');
  expect(await find('+12125550123')).toMatchObject({ uuid });
  expect(await find('+493090182233')).toBe(404);
  await update(uuid, '{"phone":null}');
  expect(await find('+12125550123')).toBe(404);
});

test("a phone number that one contact has exactly so is theirs, and one that several have otherwise is nobody's", async () => {
  const { put, find } = await workspaceWith('customer_id');
  const [exact, grouped] = [randomUUID(), randomUUID()];
  await put({ uuid: grouped, attributes: { phone: '+49 30 90182233' } });
  await put({ uuid: exact, attributes: { phone: '+493090182233' } });
  expect(await find('+493090182233')).toMatchObject({ uuid: exact });
  expect(await find('+49 30 90182233')).toMatchObject({ uuid: grouped });
  expect(await find('+49 30 9018-2233')).toBe(404);
});
