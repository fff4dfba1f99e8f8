import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Change } from '#contract/change.ts';
import type { Contact } from '#contract/contact.ts';
import type { Page } from '#contract/list.ts';
import { checkChanges } from './contacts/checkChanges.ts';
import { putContacts } from './contacts/store.ts';
import { openDatabase } from './database/database.ts';
import { makeTestPlace, type TestPlace } from './database/testDatabase.ts';
import { killServices, startService } from './testMain.ts';
import { createToken, createWorkspace, type Workspace } from './workspaces/store.ts';

// The service is killed while it changes contacts, started again on the same file, and asked: a change that was
// answered is there with its row in the log, and of one that was not, both are there or neither is.

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 5);
vi.setConfig({ testTimeout: 60_000 + ROUNDS * 10_000 });

/** Each has one request under way at a time, so that what it was told is what it must find. */
const CONTACTS = 4;

let place: TestPlace;
let url: string;
let workspace: Workspace;
let token: string;

beforeAll(async () => {
  place = await makeTestPlace({ isDurable: true });
  ({ url } = place);
  const database = await openDatabase(url);
  workspace = await createWorkspace(database, { name: 'Acme', identity_field: null }, Date.now());
  ({ token } = await createToken(workspace, database, 'support', Date.now()));
  const people = Array.from({ length: CONTACTS }, (_, index) => ({ attributes: { email: `c${index}@example.com` } }));
  await database.write(workspace, (trx) => putContacts(workspace, trx, people, Date.now()));
  await database.close();
});
afterEach(killServices);
afterAll(() => place[Symbol.asyncDispose]());

async function call(address: string, path: string, json?: unknown): Promise<{ id: string; body: unknown }> {
  const response = await fetch(`${address}${path}`, {
    method: json === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const body: unknown = await response.json();
  expect([response.status, body]).toEqual([200, expect.anything()]);
  return { id: response.headers.get('x-request-id') ?? '', body };
}

/** What one contact was told: the ids of the answered requests that changed it, oldest first, and its last answer. */
type Told = { ids: string[]; contact: Contact };

async function read(address: string, email: string): Promise<{ contact: Contact; log: Change[] }> {
  const { body } = await call(address, `/v1/contacts/${email}`);
  const log: Change[] = [];
  for (let page = 1; ; page++) {
    const answer = (await call(address, `/v1/contacts/${email}/changes?per_page=100&page=${page}`))
      .body as Page<Change>;
    log.unshift(...answer.data.toReversed());
    if (!answer.meta.has_next) return { contact: (body as { data: Contact }).data, log };
  }
}

/** Changes a contact until the service is gone; every request changes something. */
async function changeUntilKilled(address: string, email: string, told: Told, onAnswer: () => void): Promise<void> {
  for (let step = told.ids.length; ; step++) {
    const at = `/v1/workspaces/${workspace.uuid}/contacts/${email}`;
    const [path, json] =
      step % 3 === 0
        ? [`/v1/contacts/${email}`, { attributes: { step } }]
        : told.contact.subscribed
          ? [`${at}/unsubscribe`, {}]
          : [`${at}/subscribe`, { reason: `Step ${step}` }];
    const answer = await call(address, path, json).catch((error: unknown) => {
      // What fetch says of a broken connection; an answer that is wrong is not that.
      if (error instanceof TypeError) return null;
      throw error;
    });
    if (answer === null) return;
    const { body } = answer;
    told.contact = (body as { data?: Contact }).data ?? (body as Contact);
    told.ids.push(answer.id);
    onAnswer();
  }
}

test(`in ${ROUNDS} kills no change is without its record, and no record without its change`, async () => {
  const emails = Array.from({ length: CONTACTS }, (_, index) => `c${index}@example.com`);
  const told = new Map<string, Told>();
  let service = await startService(url);
  for (const email of emails) told.set(email, { ids: [], contact: (await read(service.address, email)).contact });
  let answered = 0;
  let unanswered = 0;

  for (let round = 0; round < ROUNDS; round++) {
    const until = answered + 4 + ((round * 7) % 23);
    const { promise: killed, resolve } = Promise.withResolvers<void>();
    const onAnswer = () => {
      answered++;
      if (answered === until) resolve(service.kill());
    };
    const { address } = service;
    await Promise.all(emails.map((email) => changeUntilKilled(address, email, told.get(email) as Told, onAnswer)));
    await killed;

    service = await startService(url);
    for (const [email, before] of told) {
      const { contact, log } = await read(service.address, email);
      const ids = log.map(({ request_id }) => request_id ?? '');
      const [extra, ...more] = ids.slice(before.ids.length);
      expect(ids.slice(0, before.ids.length), email).toEqual(before.ids);
      expect(more, email).toEqual([]);
      if (extra === undefined) expect(contact).toMatchObject(inCommon(before.contact));
      else unanswered++;
      told.set(email, { ids, contact });
    }
    const database = await openDatabase(url);
    expect(await checkChanges(workspace, database)).toEqual([]);
    await database.close();
  }
  await service.kill();
  expect(answered).toBeGreaterThanOrEqual(ROUNDS * 4);
  if (process.env.CRASH_ROUNDS !== undefined) {
    process.stdout.write(`${ROUNDS} kills, ${answered} changes answered, ${unanswered} written without an answer\n`);
  }
});

/** Some answers carry the provider as well. */
function inCommon({ uuid, subscribed, attributes, created_at, updated_at }: Contact) {
  return { uuid, subscribed, attributes, created_at, updated_at };
}
