import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { putEvents } from '../contacts/putEvents.ts';
import { putContacts } from '../contacts/store.ts';
import { startTestClient, type TestClient } from '../testing/testClient.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, listPath, LISTS, type Tenant } from '../testing/testTenants.ts';
import { createToken, revokeToken } from '../workspaces/store.ts';
import { newToken } from '../workspaces/token.ts';

// A resource of another workspace and a missing one must get the same answer, byte for byte, after the same time;
// otherwise identities could be tested against the service (`FOREIGN_SAMPLES=2000` is the long form).

const SAMPLES = Number(process.env.FOREIGN_SAMPLES ?? 100);
/** The number of samples from which the statistics are meaningful. */
const ENOUGH = 1000;
/** The probability of a difference by chance. */
const CHANCE = 0.01;
vi.setConfig({ testTimeout: 60_000 + SAMPLES * 100 });

const CONSOLE = { 'sendroom-console': '1' };
/**
 * Resources that only the other workspace has; long and short ones have the same length as their missing counterparts.
 */
const THEIRS = { email: 'theirs@example.com', phone: '+49 30 9999', customer_id: 'C-77' };
const NOBODYS = { email: 'nobody@example.com', phone: '+49 30 8888', customer_id: 'C-88' };

let service: TestService;
let own: Tenant;
let other: Tenant;
let revoked: string;
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
  const old = await createToken(own.workspace, service.database, { name: 'old', role: 'admin' }, 0);
  await revokeToken(own.workspace, service.database, old.uuid, 1);
  revoked = old.token;
});
afterAll(async () => {
  client[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});

const contact = randomUUID();
const missing = randomUUID();
const at = (value: string, rest = '') => `/v1/contacts/${encodeURIComponent(value)}${rest}`;
const CHANGE = { attributes: { company: 'Acme' } };

type RequestCase = { path: string; method?: string; json?: unknown; token?: string; status: number };

type Pair = [what: string, foreign: () => RequestCase, missing: () => RequestCase];
const pairs: Pair[] = [
  ['a contact by UUID', () => ({ path: at(contact), status: 404 }), () => ({ path: at(missing), status: 404 })],
  [
    'a contact by email',
    () => ({ path: at(THEIRS.email), status: 404 }),
    () => ({ path: at(NOBODYS.email), status: 404 }),
  ],
  [
    'a contact by phone',
    () => ({ path: at(THEIRS.phone), status: 404 }),
    () => ({ path: at(NOBODYS.phone), status: 404 }),
  ],
  [
    'a contact by its custom identity',
    () => ({ path: at(THEIRS.customer_id), status: 404 }),
    () => ({ path: at(NOBODYS.customer_id), status: 404 }),
  ],
  [
    'an update',
    () => ({ path: at(contact), method: 'POST', json: CHANGE, status: 404 }),
    () => ({ path: at(missing), method: 'POST', json: CHANGE, status: 404 }),
  ],
  [
    'an unsubscribe by email',
    () => ({ path: unsubscribe(own, THEIRS.email), method: 'POST', status: 404 }),
    () => ({ path: unsubscribe(own, NOBODYS.email), method: 'POST', status: 404 }),
  ],
  [
    'a workspace in the path',
    () => ({ path: unsubscribe(other, THEIRS.email), method: 'POST', status: 403 }),
    () => ({ path: unsubscribe({ workspace: { uuid: missing } }, NOBODYS.email), method: 'POST', status: 403 }),
  ],
  [
    'a check of a domain',
    () => ({ path: `/v1/domains/${other.domain}/check`, method: 'POST', status: 404 }),
    () => ({ path: `/v1/domains/${missing}/check`, method: 'POST', status: 404 }),
  ],
  [
    'a sign-in to another workspace',
    () => ({ path: '/session', method: 'POST', json: signIn(other.workspace.uuid), status: 403 }),
    () => ({ path: '/session', method: 'POST', json: signIn(missing), status: 403 }),
  ],
  ...LISTS.filter(({ path }) => path.includes('{')).map((list): Pair => [
    list.id,
    () => ({ path: listPath(list, { contact, domain: other.domain }), status: 404 }),
    () => ({ path: listPath(list, { contact: missing, domain: missing }), status: 404 }),
  ]),
  ...LISTS.filter(({ path, list }) => !path.includes('{') && list.search !== undefined).map(({ id, path }): Pair => [
    `a word that only others have, in ${id},`,
    () => ({ path: `${path}?search=${other.canary}`, status: 200 }),
    () => ({ path: `${path}?search=${other.canary.toUpperCase().replaceAll('A', 'X')}`, status: 200 }),
  ]),
];

const unsubscribe = ({ workspace }: { workspace: { uuid: string } }, value: string) =>
  `/v1/workspaces/${workspace.uuid}/contacts/${encodeURIComponent(value)}/unsubscribe`;
const signIn = (workspace: string) => ({ token: own.token, workspace });

test.for(pairs)('%s is answered in the same words', async ([, foreign, missing]) => {
  const [theirs, nobodys] = [await ask(foreign()), await ask(missing())];
  expect(theirs.essence).toEqual(nobodys.essence);
});

test('a token that was revoked and one that nobody had are refused in the same words', async () => {
  // Here the time is no secret: the owner of a revoked token knows it.
  const [old, unknown] = [revoked, newToken()].map((token) => ask({ path: '/v1/domains', token, status: 401 }));
  expect((await old)?.essence).toEqual((await unknown)?.essence);
});

test.for(pairs)('%s takes as long', async ([, foreign, missing], { task }) => {
  const first = await compare(foreign(), missing());
  // Several comparisons sometimes differ by chance. A real difference shows again, in the same direction.
  const second = isMoreThanChance(first) ? await compare(foreign(), missing()) : null;
  Object.assign(task.meta, { measured: [first, second].flatMap((one) => one?.description ?? []).join('; then ') });
  expect(second !== null && isMoreThanChance(second) && second.slower === first.slower, first.description).toBe(false);
  expect(first.ratio, first.description).toBeLessThan(2);
});

type Comparison = { p: number; ratio: number; slower: 'foreign' | 'missing'; description: string };

const isMoreThanChance = ({ p }: Comparison) => SAMPLES >= ENOUGH && p < CHANCE;

async function compare(foreign: RequestCase, missing: RequestCase): Promise<Comparison> {
  const times: [foreign: number[], missing: number[]] = [[], []];
  for (let count = 0; count < SAMPLES + WARM; count++) {
    // Alternating, with alternating order, so that other work affects both.
    const order = Math.random() < 0.5 ? ([0, 1] as const) : ([1, 0] as const);
    for (const which of order) {
      const { milliseconds } = await ask([foreign, missing][which] as RequestCase);
      if (count >= WARM) times[which].push(milliseconds);
    }
  }
  const [theirs, nobodys] = times.map(lowestDecile) as [number, number];
  const p = mannWhitney(...times);
  const ratio = Math.max(theirs, nobodys) / Math.min(theirs, nobodys);
  const inWords = `lowest deciles ${theirs.toFixed(3)} and ${nobodys.toFixed(3)} ms, p = ${p.toFixed(3)}`;
  return { p, ratio, slower: theirs > nobodys ? 'foreign' : 'missing', description: inWords };
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

/** The probability of two samples of one kind being so different (Mann-Whitney, two-sided, normal approximation). */
function mannWhitney(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((value) => ({ value, isOne: true })), ...other.map((value) => ({ value, isOne: false }))];
  all.sort((a, b) => a.value - b.value);
  const rankSum = all.reduce((sum, { isOne }, index) => sum + (isOne ? index + 1 : 0), 0);
  const [n, m] = [one.length, other.length];
  const u = rankSum - (n * (n + 1)) / 2;
  const z = Math.abs(u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
  // Abramowitz and Stegun 26.2.17, to 7.5e-8.
  const t = 1 / (1 + 0.2316419 * z);
  const tail = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 2 * tail * (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI));
}
