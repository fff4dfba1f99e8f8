import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { additions } from '#contract/openapi/allAdditions.ts';
import { buildPath } from '#contract/openapi/endpoint.ts';
import { operations } from '#contract/interface.ts';
import { putEvents } from '../contacts/events/putEvents.ts';
import { putContacts } from '../contacts/store.ts';
import { startTestClient, type TestClient } from './testClient.ts';
import { findCase } from '../testing/operationCases.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, snapshotTenantData, type Tenant } from '../testing/testTenants.ts';

// Otherwise identities could be tested against the service. `npm run drill -- foreign` compares the times.

/** Samples of each time; without them only the words are compared, because times depend on the machine. */
const SAMPLES = Number(process.env.FOREIGN_SAMPLES ?? 0);
vi.setConfig({ testTimeout: 60_000 + SAMPLES * 100 });

const CONSOLE = { 'sendroom-console': '1' };
/** Long and short ones have the same length as their missing counterparts. */
const THEIRS = { email: 'theirs@example.com', phone: '+49 30 9999', customer_id: 'C-77' };
const NOBODYS = { email: 'nobody@example.com', phone: '+49 30 8888', customer_id: 'C-88' };

let service: TestService;
let own: Tenant;
let other: Tenant;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService();
  client = startTestClient(service.port, 1);
  [own, other] = await createTwinTenants(service.database, service.clock.now);
  // Enough to detect a look-up by its time.
  const events = Array.from({ length: 3000 }, (_, index) => ({
    contact: THEIRS.email,
    event_name: `Opened ${index % 50}`,
    attributes: { index },
    created_at: index,
  }));
  await service.database.write(other.workspace, async (scope) => [
    await putContacts(scope, [{ uuid: contact, attributes: THEIRS }], 0),
    await putEvents(scope, events, 0),
  ]);
});
afterAll(async () => {
  client[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});

const contact = randomUUID();
const missing = randomUUID();
const at = (value: string, rest = '') => `/v1/contacts/${encodeURIComponent(value)}${rest}`;

type RequestCase = { path: string; method?: string; json?: unknown; token?: string; status: number };

/** What requests name: of the other workspace, or of nobody. */
type Named = typeof NOBODYS & { uuid: string; domain: string; workspace: string; word: string };
const nobodys: Named = { ...NOBODYS, uuid: missing, domain: missing, workspace: missing, word: 'CXNXRYBRXVO' };
const theirs = (): Named => ({
  ...THEIRS,
  uuid: contact,
  domain: other.domain,
  workspace: other.workspace.uuid,
  word: other.canary,
});

const unsubscribe = (workspace: string, value: string) =>
  `/v1/workspaces/${workspace}/contacts/${encodeURIComponent(value)}/unsubscribe`;
const POST = { method: 'POST', status: 404 };
const requests: [what: string, of: (named: Named) => RequestCase][] = [
  ['a contact by UUID', ({ uuid }) => ({ path: at(uuid), status: 404 })],
  ['a contact by email', ({ email }) => ({ path: at(email), status: 404 })],
  ['a contact by phone', ({ phone }) => ({ path: at(phone), status: 404 })],
  ['a contact by its custom identity', ({ customer_id }) => ({ path: at(customer_id), status: 404 })],
  ['an unsubscribe by email', ({ email }) => ({ ...POST, path: unsubscribe(own.workspace.uuid, email) })],
  [
    'a workspace in the path',
    ({ workspace, email }) => ({ ...POST, path: unsubscribe(workspace, email), status: 403 }),
  ],
  [
    'a sign-in to another workspace',
    ({ workspace }) => ({ ...POST, path: '/session', json: { token: own.token, workspace }, status: 403 }),
  ],
  ['the events of a contact', ({ uuid }) => ({ path: at(uuid, '/events'), status: 404 })],
  ['the addresses of a domain', ({ domain }) => ({ path: `/v1/domains/${domain}/addresses`, status: 404 })],
  ['a word that only others have,', ({ word }) => ({ path: `/v1/contacts?search=${word}`, status: 200 })],
];

test.for(requests)('%s gets the same response', async ([, of]) => {
  expect((await ask(of(theirs()))).essence).toEqual((await ask(of(nobodys))).essence);
});

/** Operations that name a resource, each of which only the other workspace has. */
const naming = [...operations, ...additions].filter(({ path }) => path.includes('{'));

test.for(naming)('$id gets the same response, and changes nothing', async (operation) => {
  const { params, body: json, foreign } = findCase(operation);
  const named = await params(other);
  const before = await snapshotTenantData(other, service.database);
  const essenceOf = async (values: Record<string, string>) =>
    (await ask({ path: buildPath(operation, values), method: operation.method, json, status: Number(foreign) }))
      .essence;
  const nobodys = Object.fromEntries(Object.keys(named).map((name) => [name, missing]));
  expect(await essenceOf(named)).toEqual(await essenceOf(nobodys));
  expect(await snapshotTenantData(other, service.database)).toBe(before);
});

test.for(SAMPLES > 0 ? requests : [])('%s takes as long', async ([, of], { task }) => {
  const pair = [of(theirs()), of(nobodys)] as const;
  const ratios = [await compare(pair)];
  // Several comparisons sometimes differ by chance. A real difference shows again, in the same direction.
  while (ratios.length < 3 && ratios.every(isDifferent)) ratios.push(await compare(pair));
  const measured = `lowest deciles, of theirs by nobody's: ${ratios.map((ratio) => ratio.toFixed(3)).join(', then ')}`;
  Object.assign(task.meta, { measured });
  const isSlower = new Set(ratios.map((ratio) => ratio > 1));
  expect(ratios.every(isDifferent) && isSlower.size === 1, measured).toBe(false);
});

/** Mere noise of some thousand samples is far below this. */
const isDifferent = (ratio: number) => Math.abs(Math.log(ratio)) > 0.03;

/** How many times as long what others have takes as what nobody has. */
async function compare(pair: readonly [theirs: RequestCase, nobodys: RequestCase]): Promise<number> {
  const times: [theirs: number[], nobodys: number[]] = [[], []];
  for (let count = 0; count < SAMPLES + WARM; count++) {
    // Alternating, with alternating order, so that other work affects both.
    for (const which of Math.random() < 0.5 ? ([0, 1] as const) : ([1, 0] as const)) {
      const { milliseconds } = await ask(pair[which]);
      if (count >= WARM) times[which].push(milliseconds);
    }
  }
  return lowestDecile(times[0]) / lowestDecile(times[1]);
}

/** Calls of each kind before the first that counts. */
const WARM = 20;

async function ask({ path, method = 'GET', json, token = own.token, status }: RequestCase) {
  const headers = { ...CONSOLE, authorization: `Bearer ${token}` };
  const answer = await client.send({ method, path, headers, json });
  if (answer.status !== status) throw new Error(`${method} ${path} is a ${answer.status}.`);
  const named = [...answer.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
  const { request_id: _, ...said } = JSON.parse(answer.body) as { request_id?: string };
  return { milliseconds: answer.milliseconds, essence: { named, said } };
}

/** Other work on the machine only adds to a time, and on a busy one to more than half of them. */
function lowestDecile(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 10)] ?? 0;
}
