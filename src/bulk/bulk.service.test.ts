import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPageMeta } from '#contract/list.ts';
import { must } from '#contract/values/must.ts';
import { RUN_HEADER } from '#contract/openapi/endpoint.ts';
import { Journal, journalName } from './journal/journal.ts';
import { queryClient } from '../session/queryClient.ts';
import { beginNewSession, sessionQuery } from '../session/session.ts';
import { placeName } from '../session/workspaces.ts';
import { json, plain, setUpTestServer } from '../testing/testServer.ts';
import { bulk } from './bulk.ts';
import type { ReadList } from './bulkState.ts';
import { sessionWith } from '../testing/testSession.ts';

// Bulk unsubscribe on a service with the bare interface.

const server = setUpTestServer();

const sessionOf = (name: string) => {
  const person = { uuid: name, name, email: `${name}@acme.test` };
  return sessionWith({ workspace_uuid: 'w', name: 'Acme', role: 'support', person });
};
const [PERSON, KIM] = [sessionOf('sam'), sessionOf('kim')];

const uuidOf = (index: number) => `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`;
const READ = { source: null, notes: [], column: null };
/** A list of contacts by their UUIDs. */
const listOf = (count: number): ReadList => ({
  ...READ,
  entries: Array.from({ length: count }, (_, index) => {
    const uuid = uuidOf(index);
    return {
      index,
      line: index + 1,
      text: uuid,
      as: 'the ID',
      values: [uuid],
      repeats: null,
      source: null,
      leftOut: null,
    };
  }),
});
const startListOf = async (count: number) => bulk.startList(async () => listOf(count));

const loaded = () => {
  const state = bulk.snapshot();
  if (!('entries' in state)) throw new Error(`There is no list: ${state.phase}`);
  return state;
};
const entry = () => loaded().entries.at(0);
const texts = () => [...loaded().entries].map(({ text }) => text);
const outcomes = () => Array.from(loaded().entries, ({ outcome }) => outcome?.state ?? null);

/** Responds as a service that unsubscribes every contact it is asked to. */
const unsubscribeAny: RequestListener = (request, response) => {
  const uuid = request.url?.split('/').at(-2);
  const data = { uuid, subscribed: false, attributes: {}, updated_at: new Date().toISOString() };
  json({ data }, 200, { 'x-request-id': 'done' })(request, response);
};
const emptyPage = json({ data: [], meta: createPageMeta({ page: 1, per_page: 1 }, 0) });
/** A service that unsubscribes once `release` is called. */
function holdUnsubscribes() {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.answer((request, response) => void promise.then(() => unsubscribeAny(request, response)));
  return resolve;
}

const SESSION = { workspace: 'w', hasAdditions: false, keepsRuns: false };
/** Opens the page, until `leave` is called. */
function attach(journal: Journal, session = SESSION) {
  vi.spyOn(Journal, 'open').mockImplementation(async () => journal);
  const leave = bulk.attach(session);
  return async () => {
    leave();
    await expect.poll(isFree).toBe(true);
  };
}

beforeEach(() => {
  vi.stubGlobal('window', Object.assign(new EventTarget(), { location: { origin: 'https://sendroom.test' } }));
});
afterEach(async () => {
  await bulk.discard();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  // It is the console's own, and those of other files find what is in it.
  queryClient.clear();
});

describe('an entry that is sent again', () => {
  // No pause between the tries.
  beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(-0.5));

  test.each<[string, RequestListener, unknown]>([
    [
      'that may have done it: the receipt says so',
      plain(200, 'text/html', 'Signed out'),
      /An earlier request may have unsubscribed the contact/,
    ],
    ['that was refused: the receipt tells of one', json({}, 408), /^null$/],
  ])('after a request %s', async (_, failure, why) => {
    await startListOf(1);
    server.answer(emptyPage);
    await bulk.check();
    server.answer(failure);
    await bulk.run('w');
    expect(entry()?.outcome?.state).toBe('failed');
    server.answer(unsubscribeAny);
    await bulk.retryFailed('w');
    expect(entry()?.outcome).toMatchObject({ state: 'unsubscribed', request_id: 'done' });
    expect(String(entry()?.outcome?.why)).toMatch(why as RegExp);
  });
});

describe('a reading that takes long', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    ['another one has begun', async () => startListOf(2), 'plan'],
    ['the list is deleted', async () => bulk.discard(), 'empty'],
  ])('is dropped if meanwhile %s', async (_, meanwhile, phase) => {
    const late = Promise.withResolvers<ReadList>();
    const dropped = bulk.startList(() => late.promise);
    await meanwhile();
    late.resolve(listOf(5));
    expect(await dropped).toBe(false);
    expect(bulk.snapshot().phase).toBe(phase);
    if (phase === 'plan') expect(texts()).toHaveLength(2);
  });

  test('does not replace a list that is being checked', async () => {
    await startListOf(2);
    const late = Promise.withResolvers<ReadList>();
    const dropped = bulk.startList(() => late.promise);
    const held = Promise.withResolvers<void>();
    server.answer((request, response) => void held.promise.then(() => emptyPage(request, response)));
    const checking = bulk.check();
    await expect.poll(() => server.received.length).toBeGreaterThan(0);
    late.resolve(listOf(5));
    expect(await dropped).toBe(false);
    held.resolve();
    await checking;
    expect(texts()).toHaveLength(2);
  });

  test('leaves nothing of the old list in the journal, whatever is clicked while the new one is written', async () => {
    const journal = inMemory();
    const replace = journal.replace.bind(journal);
    const leave = attach(journal);
    await expect.poll(() => bulk.snapshot().phase).toBe('empty');
    await startListOf(2);
    const written = Promise.withResolvers<void>();
    journal.replace = async (...list) => {
      await replace(...list);
      await written.promise;
    };
    const { entries } = listOf(2);
    const renamed = entries.map((one) => ({ ...one, text: 'new', values: ['new'] }));
    const reading = bulk.startList(async () => ({ ...READ, entries: renamed }));
    await expect.poll(async () => JSON.stringify(await journal.read())).toContain('new');
    await bulk.select([must(entry())], false);
    await expect(bulk.run('w')).rejects.toThrow('Another list is being written.');
    await expect(bulk.addEntries(entries)).rejects.toThrow('Another list is being written.');
    written.resolve();
    await reading;
    expect(texts()).toEqual(['new', 'new']);
    expect((await journal.read())?.entries).toMatchObject([{ text: 'new' }, { text: 'new' }]);
    await leave();
  });
});

test('a new list of at most 500 is to be checked once, where a check shows who is subscribed', async () => {
  const journal = inMemory();
  const leave = attach(journal, { ...SESSION, hasAdditions: true, keepsRuns: false });
  await expect.poll(() => bulk.snapshot().phase).toBe('empty');
  await startListOf(500);
  expect([bulk.takeCheck(), bulk.takeCheck()]).toEqual([true, false]);
  await startListOf(501);
  expect(bulk.takeCheck()).toBe(false);
  await leave();

  const leaveBare = attach(journal);
  await expect.poll(() => bulk.snapshot().phase).toBe('plan');
  expect(bulk.takeCheck(), 'a list that is opened again').toBe(false);
  await startListOf(1);
  expect(bulk.takeCheck(), 'a bare interface').toBe(false);
  await leaveBare();
});

test('a 403 pauses the run without marking entries, which are sent after it resumes', async () => {
  queryClient.setQueryData(sessionQuery.queryKey, PERSON);
  await startListOf(2);
  server.answer(json({ detail: 'This needs the role "support".' }, 403));
  await bulk.run('w');
  expect(loaded()).toMatchObject({ phase: 'paused', error: expect.stringContaining('This needs the role "support".') });
  expect(outcomes()).toEqual([null, null]);
  const isRoleAsked = () => server.received.some(({ path }) => path === '/session');
  await expect.poll(isRoleAsked, { message: 'their role may have changed' }).toBe(true);

  server.answer(unsubscribeAny);
  await bulk.resume('w');
  expect(loaded().phase).toBe('ended');
  expect(outcomes()).toEqual(['unsubscribed', 'unsubscribed']);
});

test('an entry that is not selected is not unsubscribed', async () => {
  await startListOf(3);
  await bulk.select([must(loaded().entries.at(1))], false);
  server.answer(unsubscribeAny);
  await bulk.run('w');
  expect(outcomes()).toEqual(['unsubscribed', null, 'unsubscribed']);
});

test('a click on an entry while a run begins does not add it, so that nothing is left to resume', async () => {
  await startListOf(3);
  const rest = loaded().entries.slice(1);
  await bulk.select(rest, false);
  server.answer(unsubscribeAny);
  const running = bulk.run('w');
  // As the second click of two on the button of the dialog.
  await bulk.select(rest, true);
  await running;
  expect(outcomes()).toEqual(['unsubscribed', null, null]);
  expect([...loaded().entries].map(({ isSelected }) => isSelected)).toEqual([true, false, false]);
  expect(loaded().phase).toBe('ended');
});

/** Every contact is there, and those of `missing` cannot be unsubscribed. The workspace is `right`. */
const serveKnown = (missing: readonly string[] = []) =>
  server.answer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (request.method === 'GET') return emptyPage(request, response);
    const isHere = path.includes('/workspaces/right/') && missing.every((uuid) => !path.includes(uuid));
    return (isHere ? unsubscribeAny : json({}, 404))(request, response);
  });
const posts = () => server.received.filter(({ method }) => method === 'POST').length;

describe('a contact that exists, but not in this workspace', () => {
  test.each([
    ['after a check', async () => bulk.check()],
    ['without a check', async () => undefined],
  ])('stops the run with a question about the workspace, %s', async (_, check) => {
    await startListOf(12);
    serveKnown();
    await check();
    await bulk.run('mistyped');
    expect(loaded()).toMatchObject({ phase: 'paused', error: expect.stringContaining('Check the workspace ID.') });
    expect(posts()).toBeLessThanOrEqual(4);
    expect(outcomes()).toEqual(Array.from({ length: 12 }, () => null));
    await bulk.resume('right');
    expect(loaded()).toMatchObject({ phase: 'ended', counts: { all: { unsubscribed: 12 } } });
  });

  test('fails alone once the run has unsubscribed others', async () => {
    await startListOf(12);
    serveKnown([uuidOf(8)]);
    await bulk.run('right');
    expect(loaded()).toMatchObject({ phase: 'ended', counts: { all: { unsubscribed: 11, failed: 1 } } });
    expect(loaded().entries.at(8)?.outcome?.why).toMatch(/^The contact exists, but not in this workspace/);
    serveKnown();
    await bulk.retryFailed('right');
    expect(loaded()).toMatchObject({ phase: 'ended', counts: { all: { unsubscribed: 12 } } });
  });
});

describe('when another session replaces the one that runs a list', () => {
  beforeEach(() => void queryClient.setQueryData(sessionQuery.queryKey, PERSON));

  test('nothing more is sent in its name, and the list waits to be resumed', async () => {
    await startListOf(12);
    const answer = holdUnsubscribes();
    const running = bulk.run('w');
    await expect.poll(() => server.received.length).toBe(4);
    await beginNewSession(queryClient, KIM);
    answer();
    await running;
    expect(server.received).toHaveLength(4);
    expect(loaded()).toMatchObject({ phase: 'paused', error: null, counts: { all: { unsubscribed: 4 } } });

    await bulk.resume('w');
    expect(loaded()).toMatchObject({ phase: 'ended', counts: { all: { unsubscribed: 12 } } });
  });

  test('a page opened meanwhile reads the list again, which another workspace does not show', async () => {
    const journal = inMemory();
    let leave = attach(journal);
    await expect.poll(() => bulk.snapshot().phase).toBe('empty');
    await startListOf(12);
    const answer = holdUnsubscribes();
    const running = bulk.run('w');
    await expect.poll(() => server.received.length).toBe(4);

    await beginNewSession(queryClient, { ...PERSON, workspace_uuid: 'v' });
    const left = leave();
    leave = attach(journal, { ...SESSION, workspace: 'v' });
    answer();
    await running;
    await expect.poll(() => bulk.snapshot().phase).toBe('foreign');
    await leave();
    await left;

    leave = attach(journal);
    await expect.poll(() => bulk.snapshot()).toMatchObject({ phase: 'paused', counts: { all: { unsubscribed: 4 } } });
    await leave();
  });
});

/** An open journal without a list. */
const empty = () =>
  ({ read: async () => null, readTyped: async () => '', close: () => {} }) as Partial<Journal> as Journal;

const unreadable = () => Object.assign(empty(), { read: () => Promise.reject(new Error('Disk error')) });

/** An open journal that keeps its list as long as it is referred to. */
function inMemory(): Journal {
  let list: unknown = null;
  const entries = new Map<number, { index: number }>();
  const put = (more: readonly { index: number }[]) => more.forEach((each) => entries.set(each.index, each));
  return Object.assign(empty(), {
    read: async () => (list === null ? null : { list, entries: [...entries.values()] }),
    replace: async (next: unknown, all: readonly { index: number }[]) => {
      list = next;
      put(all);
    },
    saveList: async (next: unknown) => void (list = next),
    saveEntries: async (some: readonly { index: number }[], next: unknown) => {
      list = next;
      put(some);
    },
  });
}

/** Whether another tab would get the list. */
async function isFree(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.every(({ name }) => name !== journalName(placeName()));
}

test.each([
  ['is there when one comes back', async () => undefined, 'plan'],
  ['is dropped where another session begins', async () => beginNewSession(queryClient, KIM), 'empty'],
])('a list that is read while the page is left %s', async (_, meanwhile, phase) => {
  queryClient.setQueryData(sessionQuery.queryKey, PERSON);
  const journal = inMemory();
  const leave = attach(journal);
  await expect.poll(() => bulk.snapshot().phase).toBe('empty');
  const read = Promise.withResolvers<ReadList>();
  const starting = bulk.startList(async () => read.promise);
  const left = leave();
  // A page that is left releases the list in a separate task.
  await new Promise((resolve) => void setTimeout(resolve));
  expect(await isFree()).toBe(false);
  await meanwhile();
  read.resolve({ ...READ, entries: [] });
  expect(await starting).toBe(phase === 'plan');
  await left;

  const leaveAgain = attach(journal);
  await expect.poll(() => bulk.snapshot().phase).toBe(phase);
  await leaveAgain();
});

test.each([
  ['the journal cannot be opened', () => vi.spyOn(Journal, 'open').mockRejectedValueOnce(new Error('Disk error'))],
  ['the journal cannot be read', () => vi.spyOn(Journal, 'open').mockResolvedValueOnce(unreadable())],
  ['there are no locks', () => vi.spyOn(navigator.locks, 'request').mockRejectedValueOnce(new Error('Disk error'))],
])('if %s, the page says so, leaves the list to other tabs, and tries again when it is reopened', async (_, fail) => {
  fail();
  const leave = bulk.attach(SESSION);
  await expect.poll(() => bulk.snapshot()).toEqual({ phase: 'broken', error: 'Disk error' });
  await expect.poll(isFree).toBe(true);
  leave();
  const leaveAgain = attach(empty());
  await expect.poll(() => bulk.snapshot()).toEqual({ phase: 'empty' });
  expect(await isFree()).toBe(false);
  await leaveAgain();
});

const runs = () => server.received.flatMap(({ headers }) => headers[RUN_HEADER] ?? []);

test('a resumed run is the same one in the audit log', async () => {
  const leave = attach(inMemory(), { ...SESSION, hasAdditions: true, keepsRuns: false });
  await expect.poll(() => bulk.snapshot().phase).toBe('empty');
  await startListOf(1);
  const subscribed = json({ data: { uuid: uuidOf(0), subscribed: true, attributes: {} } });
  const serve = (unsubscribe: RequestListener) =>
    server.answer((request, response) => (request.method === 'GET' ? subscribed : unsubscribe)(request, response));
  serve(json({}, 403));
  await bulk.run('w');
  const [run] = runs();
  serve(unsubscribeAny);
  await bulk.resume('w');
  await leave();
  expect(run).toEqual(expect.any(String));
  expect(runs()).toEqual([run]);
});
