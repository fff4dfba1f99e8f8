import { randomUUIDv7 } from 'node:crypto';
import { must } from '../../contract/values/must.ts';
import { seededRandom } from '../../server/demo/seededRandom.ts';
import { putContacts } from '../../server/contacts/store.ts';
import { chunks } from '../../server/database/chunks.ts';
import type { Database } from '../../server/database/database.ts';
import type { Workspace } from '../../server/database/workspace.ts';
import { createToken, createWorkspace } from '../../server/workspaces/store.ts';

// What the benchmarks of writing write.

export const IMPORTED_EVENTS = 200_000;
export const IMPORTED_CONTACTS = 30_000;
/** Of the events: so many that hardly two of a transaction are of the same contact. */
const EVENT_CONTACTS = 50_000;
export const START = Date.UTC(2024, 0, 1);
const TWO_YEARS = 730 * 86_400_000;
const SYLLABLES = ['ka', 'mi', 'ro', 'ta', 'le', 'son', 'ber', 'va', 'ni', 'do', 'ri', 'an', 'el', 'mar', 'tin', 'os'];

/** Events of any contact in the order of time, as in a log, a line of NDJSON each. */
export function* eventLines(): Iterable<string> {
  const random = seededRandom(1);
  for (let index = 0; index < IMPORTED_EVENTS; index++) {
    const event = {
      contact: `c${random.below(EVENT_CONTACTS)}@example.com`,
      event_name: `name_${random.below(40)}`,
      attributes: {
        campaign: `c-${index % 50}`,
        subject: `Your order ${index}`,
        device: { os: 'ios', version: index % 20 },
      },
      created_at: new Date(START + Math.floor((index / IMPORTED_EVENTS) * TWO_YEARS)).toISOString(),
    };
    yield `${JSON.stringify(event)}\n`;
  }
}

/** Contacts as a customer has them, a line of NDJSON each, oldest first. */
export function* contactLines(): Generator<string> {
  const random = seededRandom(2);
  const word = (length: number) => Array.from({ length }, () => SYLLABLES[random.below(SYLLABLES.length)]).join('');
  for (let index = 0; index < IMPORTED_CONTACTS; index++) {
    const [first_name, last_name] = [word(2), word(3)];
    const contact = {
      subscribed: random.chance(0.9),
      created_at: new Date(START + Math.floor((index / IMPORTED_CONTACTS) * TWO_YEARS)).toISOString(),
      attributes: {
        email: `${first_name}.${last_name}${index}@${word(2)}.example`,
        phone: `+49 151 ${10_000_000 + index}`,
        first_name,
        last_name,
        company: `${word(3)} GmbH`,
        job_title: ['Engineer', 'Director', 'Clerk', 'Head of sales'][random.below(4)],
        plan: ['free', 'gold'][random.below(2)],
        points: random.below(1000),
        newsletter: random.chance(0.5),
        tags: ['trial', 'beta'].slice(0, random.below(3)),
        source: `campaign ${random.below(50)}`,
      },
    };
    yield `${JSON.stringify(contact)}\n`;
  }
}

/** A workspace with the contacts of the events. */
export async function createContacts(database: Database): Promise<Workspace> {
  const workspace = await createEmpty(database);
  const people = Array.from({ length: EVENT_CONTACTS }, (_, index) => ({
    attributes: { email: `c${index}@example.com` },
  }));
  for (const chunk of chunks(people, 5_000))
    await database.write(workspace, (scope) => putContacts(scope, chunk, START));
  return workspace;
}

export function createEmpty(database: Database): Promise<Workspace> {
  return createWorkspace(database, { name: 'bench', identity_field: null }, START);
}

/** A workspace with the first `size` of `CONTACTS`, and what signs a request in it. */
export type Filled = { uuid: string; size: number; headers: Record<string, string> };

/** As `contactLines` writes them. */
export const CONTACTS = Array.from(contactLines(), (line) => {
  const { attributes } = JSON.parse(line) as { attributes: { email: string } };
  return { attributes };
});

export async function createFilled(database: Database, size: number): Promise<Filled> {
  const workspace = await createEmpty(database);
  for (const chunk of chunks(CONTACTS.slice(0, size), 5_000))
    await database.write(workspace, (scope) => putContacts(scope, chunk, START), { isBulk: true });
  const { token } = await createToken(workspace, database, { name: 'bench', role: 'admin' }, START);
  return { uuid: workspace.uuid, size, headers: { authorization: `Bearer ${token}` } };
}

export type Sent = { method: 'GET' | 'POST'; path: string; json?: unknown };
/** A request in a filled workspace; the next number has another contact. */
export type MakeRequest = (workspace: Pick<Filled, 'uuid' | 'size'>, number: number) => Sent;

/** Of a contact, so that the next request has another. */
const STEP = 7919;

export function emailOf({ size }: Pick<Filled, 'size'>, number: number): string {
  return must(CONTACTS[(number * STEP) % size]).attributes.email;
}

const pathOf: (...values: Parameters<MakeRequest>) => string = (workspace, number) =>
  `/v1/contacts/${encodeURIComponent(emailOf(workspace, number))}`;

const eventOf = (number: number) => ({
  event_name: `name_${number % 40}`,
  attributes: { campaign: `c-${number % 50}` },
});

export const firstPage: MakeRequest = () => ({ method: 'GET', path: '/v1/contacts?per_page=50' });

export const oneContact: MakeRequest = (workspace, number) => ({ method: 'GET', path: pathOf(workspace, number) });

export const update: MakeRequest = (workspace, number) => ({
  method: 'POST',
  path: pathOf(workspace, number),
  json: { attributes: { company: `Company ${number} Ltd` } },
});

export const unsubscribe: MakeRequest = (workspace, number) => ({
  method: 'POST',
  path: `${pathOf(workspace, number).replace('/v1', `/v1/workspaces/${workspace.uuid}`)}/unsubscribe`,
});

export const oneEvent: MakeRequest = (workspace, number) => ({
  method: 'POST',
  path: `${pathOf(workspace, number)}/events`,
  json: eventOf(number),
});

export const eventsOf =
  (count: number): MakeRequest =>
  (workspace, number) => ({
    method: 'POST',
    path: '/v1/events',
    json: Array.from({ length: count }, (_, at) => ({
      ...eventOf(at),
      uuid: randomUUIDv7(),
      contact: emailOf(workspace, number * count + at),
    })),
  });
