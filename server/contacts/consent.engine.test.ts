import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Contact } from '#contract/contact.ts';
import type { Attributes } from '#contract/values/field.ts';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import type { Workspace } from '../database/workspace.ts';
import { createToken, createWorkspace } from '../workspaces/store.ts';
import { validateAttributes } from './attributes.ts';
import { putContacts } from './store.ts';

// Any operations on contacts, in any order (at once: acceptance/processes.postgres.test.ts): a withdrawn consent stays withdrawn until it is given again, an
// update changes what it names, times increase, and the log has each change once.

const RUNS = Number(process.env.CONSENT_RUNS ?? 10);
vi.setConfig({ testTimeout: 60_000 + RUNS * 10_000 });

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

const PEOPLE = 3;
const uuidOf = (person: number) => `0000000${person}-0000-4000-8000-000000000000`;
const phoneOf = (person: number) => `+49 ${person}`;
const emailOf = (person: number, number: number) => `${'abc'[person]}${number}@example.com`;

/** The operations of one run, with their client. */
type TestedWorkspace = { workspace: Workspace; token: string };

async function begin(): Promise<TestedWorkspace> {
  const { database, clock } = service;
  const workspace = await createWorkspace(database, { name: 'Acme', identity_field: null }, clock.now);
  const { token } = await createToken(workspace, database, { name: 'support', role: 'admin' }, clock.now);
  const people = Array.from({ length: PEOPLE }, (_, person) => ({
    uuid: uuidOf(person),
    attributes: { email: emailOf(person, 0), phone: phoneOf(person) },
  }));
  await database.write(workspace, (scope) => putContacts(scope, people, clock.now));
  return { workspace, token };
}

/** The contact that a request answers with. */
async function ask({ token }: TestedWorkspace, path: string, json?: unknown): Promise<Contact> {
  const response = await service.call(path, { token, ...(json !== undefined && { method: 'POST', json }) });
  expect(response.status).toBe(200);
  const body = (await response.json()) as Contact & { data?: Contact };
  const { uuid, subscribed, attributes, created_at, updated_at } = body.data ?? body;
  return { uuid, subscribed, attributes, created_at, updated_at };
}

const look = (real: TestedWorkspace, name: string) => ask(real, `/v1/contacts/${encodeURIComponent(name)}`);
const update = (real: TestedWorkspace, name: string, attributes: Attributes) =>
  ask(real, `/v1/contacts/${encodeURIComponent(name)}`, { attributes });
const subscribe = (real: TestedWorkspace, name: string, wanted: boolean) =>
  ask(
    real,
    `/v1/workspaces/${real.workspace.uuid}/contacts/${encodeURIComponent(name)}/${wanted ? 'subscribe' : 'unsubscribe'}`,
    wanted ? { reason: 'They asked.' } : {},
  );

type Person = Pick<Contact, 'subscribed' | 'attributes' | 'updated_at'>;

function merged(attributes: Attributes, changes: Attributes): Attributes {
  return Object.fromEntries(Object.entries({ ...attributes, ...changes }).filter(([, value]) => value !== null));
}

const person = fc.nat({ max: PEOPLE - 1 });
const way = fc.constantFrom('uuid', 'email', 'phone');
const json = fc.jsonValue({ maxDepth: 2 }).filter((value) => validateAttributes({ value }).length === 0);
const values = fc.oneof(fc.string({ maxLength: 3 }), fc.integer(), fc.boolean(), fc.constant(null), json);
const changes = fc
  .tuple(
    fc.dictionary(fc.constantFrom('plan', '7', 'constructor'), values, { maxKeys: 3 }),
    fc.option(fc.nat({ max: 1 }), { nil: undefined }),
  )
  .map(([named, email]) => (of: number) => ({
    ...named,
    ...(email !== undefined && { email: emailOf(of, email) }),
  }));

type Step = fc.AsyncCommand<Person[], TestedWorkspace>;

function step(about: string, run: (people: Person[], real: TestedWorkspace) => Promise<void>): Step {
  return { check: () => true, run, toString: () => about };
}

/** The identities of one contact. */
function nameOf(people: Person[], of: number, by: string): string {
  if (by === 'uuid') return uuidOf(of).toUpperCase();
  return by === 'email' ? String(people[of]?.attributes['email']).toUpperCase() : phoneOf(of);
}

/** Compares an answer with the model, and copies the time of a change. */
function learn(people: Person[], of: number, wanted: Partial<Person>, contact: Contact): void {
  const before = people[of] as Person;
  const after = { ...before, ...wanted };
  const isChange = JSON.stringify(sorted(before)) !== JSON.stringify(sorted(after));
  expect(sorted(contact)).toEqual(sorted(after));
  if (isChange) expect(contact.updated_at > before.updated_at).toBe(true);
  else expect(contact.updated_at).toBe(before.updated_at);
  people[of] = { ...after, updated_at: contact.updated_at };
}

function sorted({ subscribed, attributes }: Pick<Contact, 'subscribed' | 'attributes'>): unknown {
  const entries = Object.entries(attributes).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [subscribed, entries];
}

const steps: fc.Arbitrary<Step>[] = [
  fc.tuple(person, way, fc.boolean()).map(([of, by, wanted]) =>
    step(`${wanted ? 'subscribe' : 'unsubscribe'} ${of} by ${by}`, async (people, real) => {
      learn(people, of, { subscribed: wanted }, await subscribe(real, nameOf(people, of, by), wanted));
    }),
  ),
  fc.tuple(person, way, changes).map(([of, by, given]) =>
    step(`update ${of} by ${by} ${JSON.stringify(given(of))}`, async (people, real) => {
      const attributes = merged((people[of] as Person).attributes, given(of));
      learn(people, of, { attributes }, await update(real, nameOf(people, of, by), given(of)));
    }),
  ),
  fc.tuple(person, fc.option(fc.boolean(), { nil: undefined }), changes).map(([of, subscribed, given]) =>
    step(`import ${of} ${subscribed} ${JSON.stringify(given(of))}`, async (people, real) => {
      const before = people[of] as Person;
      const row = { uuid: uuidOf(of), attributes: given(of), ...(subscribed !== undefined && { subscribed }) };
      const { database, clock } = service;
      await database.write(real.workspace, (scope) => putContacts(scope, [row], clock.now));
      // An import can withdraw consent, and never gives it.
      const wanted = {
        attributes: merged(before.attributes, given(of)),
        subscribed: before.subscribed && subscribed !== false,
      };
      learn(people, of, wanted, await look(real, uuidOf(of)));
    }),
  ),
  fc.tuple(person, way).map(([of, by]) =>
    step(`look at ${of} by ${by}`, async (people, real) => {
      learn(people, of, {}, await look(real, nameOf(people, of, by)));
    }),
  ),
  fc.integer({ min: -3_600_000, max: 3_600_000 }).map((by) =>
    step(`the clock jumps by ${by} ms`, async () => {
      service.clock.now += by;
    }),
  ),
];

async function agree(real: TestedWorkspace): Promise<void> {
  expect(await verifyWorkspace(real.workspace, service.database)).toEqual([]);
}

test('one request after the other, contacts are what a model of them is', async () => {
  const property = fc.asyncProperty(fc.commands(steps, { maxCommands: 40 }), async (commands) => {
    const real = await begin();
    await fc.asyncModelRun(async () => {
      const looks = Array.from({ length: PEOPLE }, (_, of) => look(real, uuidOf(of)));
      return { model: await Promise.all(looks), real };
    }, commands);
    await agree(real);
  });
  await fc.assert(property, { numRuns: RUNS });
});
