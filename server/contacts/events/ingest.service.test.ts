import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Problem } from '#contract/problem.ts';
import { startTestService, type TestService } from '../../testing/testService.ts';
import { verifyWorkspace } from '../../cli/admin/verify.ts';
import { createToken, createWorkspace } from '../../workspaces/store.ts';
import type { Workspace } from '../../database/workspace.ts';

// Programs that create contacts and record events, with a token that reads nothing.

let service: TestService;
let workspace: Workspace;
/** Of the role ingest. */
let writes: string;
/** Of the role admin. */
let reads: string;
beforeAll(async () => {
  service = await startTestService();
  workspace = await createWorkspace(service.database, { name: 'Acme', identity_field: 'customer_id' }, 0);
  const tokenOf = async (role: 'ingest' | 'admin') =>
    (await createToken(workspace, service.database, { name: `as ${role}`, role }, 0)).token;
  [writes, reads] = [await tokenOf('ingest'), await tokenOf('admin')];
});
afterAll(() => service[Symbol.asyncDispose]());

const post = (path: string, json: unknown) => service.call(path, { method: 'POST', json, token: writes });
const record = (contact: string, event: object) =>
  post(`/v1/contacts/${contact}/events`, { event_name: 'a', ...event });
const postLines = (path: string, body: string) =>
  service.call(path, { method: 'POST', body, token: writes, headers: { 'content-type': 'application/x-ndjson' } });
const get = async (path: string) => (await (await service.call(path, { token: reads })).json()) as never;
const contactOf = async (value: string) =>
  ((await get(`/v1/contacts/${encodeURIComponent(value)}`)) as { data: Record<string, unknown> }).data;
const changesOf = async (value: string) =>
  ((await get(`/v1/contacts/${encodeURIComponent(value)}/changes`)) as { data: Record<string, unknown>[] }).data;
const eventsOf = async (value: string) =>
  ((await get(`/v1/contacts/${encodeURIComponent(value)}/events?per_page=100`)) as { data: { uuid: string }[] }).data;

async function expectProblem(response: Response, status: number, field?: string): Promise<string> {
  expect(response.status).toBe(status);
  const problem = Problem.parse(await response.json());
  if (field !== undefined) expect(problem.errors?.map((error) => error.field)).toEqual([field]);
  return problem.detail ?? '';
}

let made = 0;
const newEmail = () => `person${made++}@example.com`;

describe('creating a contact', () => {
  test('makes it, findable by each identity, and tells its UUID only', async () => {
    const email = newEmail();
    const response = await post('/v1/contacts', { attributes: { email, customer_id: 'C-1', first_name: 'Åse' } });
    expect(response.status).toBe(200);
    const { data } = (await response.json()) as { data: { uuid: string; created: boolean } };
    expect(Object.keys(data).toSorted()).toEqual(['created', 'uuid']);
    expect(data.created).toBe(true);
    for (const value of [email.toUpperCase(), 'C-1', data.uuid]) {
      expect(await contactOf(value)).toMatchObject({
        uuid: data.uuid,
        subscribed: true,
        attributes: { first_name: 'Åse' },
      });
    }
    expect(await get('/v1/contacts?search=ase')).toMatchObject({ data: [{ uuid: data.uuid }] });
  });

  test('is in the log: who and in which request, without what it was created with', async () => {
    const email = newEmail();
    const response = await post('/v1/contacts?upsert', { attributes: { email, plan: 'gold' } });
    const { uuid } = ((await response.json()) as { data: { uuid: string } }).data;
    const actor = { kind: 'token', name: 'as ingest' };
    const line = { action: 'create', actor, request_id: response.headers.get('x-request-id') };
    for (const attributes of [{ email }, { email: 7 }]) await post('/v1/contacts', { attributes });
    expect(await changesOf(email)).toMatchObject([{ ...line, changes: [] }]);
    expect(await get('/v1/changes?action=create&per_page=1')).toMatchObject({
      data: [{ ...line, contact: { uuid, address: email }, fields: [], details: null }],
    });
    expect(await verifyWorkspace(workspace, service.database)).toEqual([]);
  });

  test('is refused for an identity that a contact has, however it is written, and changes nothing', async () => {
    const email = newEmail();
    const phone = '+44 20 7946 0001';
    await post('/v1/contacts', { attributes: { email, phone } });
    const before = await contactOf(email);
    const again = await post('/v1/contacts', { attributes: { email: ` ${email.toUpperCase()}`, plan: 'gold' } });
    expect(await expectProblem(again, 409, 'attributes.email')).toBe(
      'Another contact of this workspace already has this email.',
    );
    await expectProblem(await post('/v1/contacts', { attributes: { phone: ` ${phone}` } }), 409, 'attributes.phone');
    await expectProblem(await post('/v1/contacts', { uuid: before.uuid, attributes: {} }), 409, 'uuid');
    const other = newEmail();
    await post('/v1/contacts', { attributes: { email: other } });
    const merged = await post('/v1/contacts?upsert', { attributes: { email: other, phone } });
    await expectProblem(merged, 409, 'attributes.phone');
    expect(await contactOf(email)).toEqual(before);
  });

  test('with ?upsert merges, never subscribes anybody again, and the log names the token', async () => {
    const email = newEmail();
    await post('/v1/contacts', { attributes: { email, plan: 'free', city: 'Oslo' }, subscribed: false });
    const response = await post('/v1/contacts?upsert=true', { attributes: { email, plan: 'gold' }, subscribed: true });
    expect(await response.json()).toEqual({ data: { uuid: (await contactOf(email)).uuid, created: false } });
    expect(await contactOf(email)).toMatchObject({ subscribed: false, attributes: { plan: 'gold', city: 'Oslo' } });
    expect(await changesOf(email)).toMatchObject([
      {
        action: 'update',
        actor: { kind: 'token', name: 'as ingest' },
        changes: [{ field: 'attributes.plan', before: 'free', after: 'gold' }],
      },
      { action: 'create' },
    ]);
  });

  test.each<[string, unknown, string]>([
    ['no identity', { attributes: { first_name: 'Ann' } }, 'attributes'],
    ['an email that is none', { attributes: { email: 7 } }, 'attributes.email'],
    ['a field of another operation', { attributes: { email: 'x@example.com' }, name: 'x' }, 'name'],
  ])('needs what a contact needs: %s', async (_, body, field) => {
    await expectProblem(await post('/v1/contacts', body), 422, field);
  });
});

describe('recording one event', () => {
  test('counts once, however often it is sent', async () => {
    const email = newEmail();
    await post('/v1/contacts', { attributes: { email } });
    const event = { uuid: randomUUID(), event_name: 'signed up', attributes: { plan: 'gold' } };
    for (const recorded of [true, false])
      expect(await (await record(email, event)).json()).toEqual({ data: { recorded } });
    expect(await eventsOf(email)).toMatchObject([event]);
    const timed = { event_name: 'opened', created_at: '2026-01-31T09:30:00+01:00' };
    for (const recorded of [true, false])
      expect(await (await record(email, timed)).json()).toEqual({ data: { recorded } });
    expect(await get(`/v1/contacts/${email}/events?search=opened`)).toMatchObject({
      data: [{ created_at: '2026-01-31T08:30:00.000Z' }],
      meta: { total: 1 },
    });
  });

  test('changes the tag of the list of events, which else says in no bytes that it has not changed', async () => {
    const email = newEmail();
    await post('/v1/contacts', { attributes: { email } });
    const list = (known: string) =>
      service.call(`/v1/contacts/${email}/events`, { token: reads, headers: { 'if-none-match': known } });
    const tag = (await list('"something else"')).headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]{20,}"$/);
    const same = await list(tag);
    expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', tag]);
    await record(email, {});
    expect(await (await list(tag)).json()).toMatchObject({ meta: { total: 1 } });
  });

  test('is refused where it cannot be', async () => {
    const [email, other] = [newEmail(), newEmail()];
    for (const each of [email, other]) await post('/v1/contacts', { attributes: { email: each } });
    const uuid = randomUUID();
    await record(email, { uuid });
    await expectProblem(await record(other, { uuid }), 409, 'uuid');
    await expectProblem(await record('nobody@example.com', {}), 404);
    for (const event_name of [' ', 'n'.repeat(256), 'a\u0000'])
      await expectProblem(await record(email, { event_name }), 422, 'event_name');
    await expectProblem(await record(email, { attributes: { a: '\ud800' } }), 422, 'attributes.a');
    await expectProblem(await record(email, { created_at: '2026-01-31T09:30:00' }), 422, 'created_at');
  });
});

const line = (value: object) => JSON.stringify(value);
const manyFields = Array.from({ length: 20_000 }, (_, index) => `"${index}":0`).join(',');
const refused = (number: number, message: string) => {
  return { line: number, outcome: 'refused', errors: [{ field: '', message }] };
};

describe('recording several events', () => {
  test('answers each, and one that is refused keeps no other back', async () => {
    const email = newEmail();
    await post('/v1/contacts', { attributes: { email } });
    const uuid = randomUUID();
    const body = [
      line({ contact: email, uuid, event_name: 'one' }),
      '{"contact": "cut off',
      '',
      line({ contact: 'nobody@example.com', uuid: randomUUID(), event_name: 'two' }),
      `${line({ contact: email, uuid, event_name: 'one' })}\r`,
      line({ contact: email, event_name: 'without a time' }),
      line({ contact: email, created_at: '2026-01-31T09:30:00Z', event_name: 'three' }),
      '7',
    ].join('\n');
    const response = await postLines('/v1/events', body);
    expect(response.status).toBe(200);
    const { data, meta } = (await response.json()) as {
      data: { outcome: string; line?: number; errors?: { field: string }[] }[];
      meta: object;
    };
    expect(data.map(({ line, outcome, errors }) => [line, outcome, errors?.[0]?.field])).toEqual([
      [1, 'recorded', undefined],
      [2, 'refused', ''],
      [4, 'refused', 'contact'],
      [5, 'unchanged', undefined],
      [6, 'refused', ''],
      [7, 'recorded', undefined],
      [8, 'refused', ''],
    ]);
    expect(meta).toEqual({ recorded: 2, unchanged: 1, refused: 4 });
    expect(await eventsOf(email)).toHaveLength(2);
  });

  test('takes an array as well as lines: a thousand, of eleven attributes each, and no more', async () => {
    const email = newEmail();
    await post('/v1/contacts', { attributes: { email } });
    const attributes = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`a${index}`, index]));
    const events = Array.from({ length: 1001 }, () => {
      return { contact: email, uuid: randomUUID(), event_name: 'e', attributes };
    });
    const tooMany = await post('/v1/events', events);
    expect(await expectProblem(tooMany, 422)).toBe('These are 1001 events. Send at most 1000 in one request.');
    const short = await postLines('/v1/events', 'x\n'.repeat(131_000));
    expect(await expectProblem(short, 422)).toBe('The body has more than 1000 lines. Split it into several requests.');
    expect(await eventsOf(email)).toEqual([]);
    const first = await post('/v1/events', events.slice(0, 1000));
    expect(await first.json()).toMatchObject({ meta: { recorded: 1000, unchanged: 0, refused: 0 } });
    const again = await postLines('/v1/events', events.slice(0, 1000).map(line).join('\n'));
    expect(await again.json()).toMatchObject({ meta: { recorded: 0, unchanged: 1000, refused: 0 } });
    expect(await get(`/v1/contacts/${email}/events`)).toMatchObject({ meta: { total: 1000 } });
  });

  test('a line that cannot be read is refused by itself, with the reason', async () => {
    const email = newEmail();
    await post('/v1/contacts', { attributes: { email } });
    const event = (attributes: string) =>
      `{"contact":"${email}","uuid":"${randomUUID()}","event_name":"e","attributes":${attributes}}`;
    const body = [
      event('{"a":1}'),
      event('{"a":{"__proto__":{"b":1}}}'),
      event(`{"a":${'['.repeat(33)}${']'.repeat(33)}}`),
      // A quotation mark without its partner does not hide what follows.
      '"',
      event(`{${manyFields}}`),
      event('{"a":2}'),
    ].join('\n');
    const response = await postLines('/v1/events', body);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      data: [
        { line: 1, outcome: 'recorded' },
        refused(2, 'The line has a key __proto__, which is not allowed.'),
        refused(3, 'The line is nested more than 32 levels deep.'),
        refused(4, 'The line is not JSON in UTF-8.'),
        refused(5, 'The line, with those before it, has more than 20,000 fields, arrays and objects.'),
        { line: 6, outcome: 'recorded' },
      ],
      meta: { recorded: 2, unchanged: 0, refused: 4 },
    });
    expect(await eventsOf(email)).toHaveLength(2);
  });
});
