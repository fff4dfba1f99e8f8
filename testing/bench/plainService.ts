import fastify, { type FastifyRequest } from 'fastify';
import { hash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { openPlainDatabase } from './plainDatabase.ts';

// What a team writes in an afternoon, in a process of its own: each write is one update and a row of history in one transaction. It
// reports its port, and its processor time in seconds for each later message.

type Contact = { id: number; uuid: string; subscribed: number; attributes: string; updated_at: number };
type NewEvent = { uuid?: string; contact: string; event_name: string; attributes?: object };
type Token = { uuid: string; workspace_id: number };

const TOKEN = 'select uuid, workspace_id from tokens where hash = ?';
const UPDATE = 'update contacts set subscribed = ?, attributes = ?, updated_at = ? where id = ?';
const HISTORY = 'insert into history (workspace_id, contact_id, at, actor, action, changes) values (?, ?, ?, ?, ?, ?)';
const EVENT =
  'insert into events (uuid, workspace_id, contact_id, created_at, event_name, attributes) values (?, ?, ?, ?, ?, ?) on conflict do nothing';

const [url] = (await once(process, 'message')) as [string];
const database = await openPlainDatabase(url);
const find = `select id, uuid, subscribed, attributes, updated_at from contacts where workspace_id = ? and email = ?${database.forUpdate}`;
const app = fastify();
const tokens = new WeakMap<FastifyRequest, Token>();
app.addHook('onRequest', async (request, reply) => {
  const secret = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
  const [token] = await database.read<Token>(TOKEN, [hash('sha256', secret)]);
  if (token === undefined) return reply.code(401).send({ title: 'Unauthorized' });
  tokens.set(request, token);
});

function change(request: FastifyRequest, action: string, update: (contact: Contact) => Partial<Contact>) {
  const { uuid: actor, workspace_id } = tokens.get(request) as Token;
  const { contact } = request.params as { contact: string };
  return database.write(async (run) => {
    const [before] = await run<Contact>(find, [workspace_id, contact]);
    if (before === undefined) throw Object.assign(new Error('There is no such contact.'), { statusCode: 404 });
    const after = { ...before, ...update(before), updated_at: Date.now() };
    await run(UPDATE, [after.subscribed, after.attributes, after.updated_at, after.id]);
    await run(HISTORY, [workspace_id, after.id, after.updated_at, actor, action, JSON.stringify({ before, after })]);
    return { ...after, subscribed: after.subscribed === 1, attributes: JSON.parse(after.attributes) as object };
  });
}

app.route({
  method: 'POST',
  url: '/v1/contacts/:contact',
  handler: (request) => {
    const { attributes } = request.body as { attributes: object };
    return change(request, 'update', (contact) => ({
      attributes: JSON.stringify({ ...(JSON.parse(contact.attributes) as object), ...attributes }),
    }));
  },
});
app.route({
  method: 'POST',
  url: '/v1/workspaces/:workspace/contacts/:contact/unsubscribe',
  handler: async (request) => ({
    data: await change(request, 'unsubscribe', () => ({ subscribed: 0 })),
  }),
});

async function record(request: FastifyRequest, events: readonly NewEvent[]): Promise<void> {
  const { workspace_id } = tokens.get(request) as Token;
  await database.write(async (run) => {
    for (const { uuid = randomUUID(), contact, event_name, attributes = {} } of events) {
      const [row] = await run<Contact>(find.replace(database.forUpdate, ''), [workspace_id, contact]);
      if (row === undefined) throw Object.assign(new Error('There is no such contact.'), { statusCode: 404 });
      await run(EVENT, [uuid, workspace_id, row.id, Date.now(), event_name, JSON.stringify(attributes)]);
    }
  });
}

app.route({
  method: 'POST',
  url: '/v1/contacts/:contact/events',
  handler: async (request) => {
    await record(request, [{ ...(request.body as NewEvent), ...(request.params as { contact: string }) }]);
    return { data: { recorded: true } };
  },
});
app.route({
  method: 'POST',
  url: '/v1/events',
  handler: async (request) => {
    await record(request, request.body as NewEvent[]);
    return { data: { recorded: (request.body as NewEvent[]).length } };
  },
});
app.route({
  method: 'GET',
  url: '/v1/contacts',
  handler: async (request) => {
    const { workspace_id } = tokens.get(request) as Token;
    const list =
      'select uuid, subscribed, attributes, updated_at from contacts where workspace_id = ? order by id desc limit 50';
    return { data: await database.read(list, [workspace_id]) };
  },
});

await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.((app.server.address() as AddressInfo).port);
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1e6);
});
