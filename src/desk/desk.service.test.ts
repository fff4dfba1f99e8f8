import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPageMeta } from '#contract/list.ts';
import { must } from '#contract/must.ts';
import type { Session } from '#contract/session.ts';
import { Journal, journalName } from '../journal/journal.ts';
import { queryClient } from '../session/queryClient.ts';
import { beginNewSession, endSession, sessionQuery } from '../session/session.ts';
import { placeName } from '../session/workspaces.ts';
import { json, plain, setUpTestServer } from '../testing/testServer.ts';
import { desk } from './desk.ts';
import type { ReadList } from './deskState.ts';
import type { DeskEntry } from './entry.ts';

// The desk of a service with the bare interface.

const server = setUpTestServer();
const JANE = '00000000-0000-4000-8000-000000000001';

const PERSON: Session = {
  workspace_uuid: 'w',
  name: 'Acme',
  identity_field: null,
  role: 'support',
  capabilities: [],
  person: { uuid: 'p', name: 'Sam', email: 'sam@acme.test' },
  workspaces: [],
};

const entry = (): DeskEntry | undefined => {
  const state = desk.snapshot();
  return 'entries' in state ? state.entries.at(0) : undefined;
};

const READ = { source: null, notes: [], column: null };

const startList = async () =>
  desk.startList(async () => ({
    ...READ,
    entries: [{ index: 0, line: 1, text: JANE, as: 'the ID', values: [JANE], repeats: null, source: null }],
  }));

const unsubscribed = () =>
  json({ data: { uuid: JANE, subscribed: false, attributes: {}, updated_at: new Date().toISOString() } }, 200, {
    'x-request-id': 'done',
  });

beforeEach(() => {
  vi.stubGlobal('window', Object.assign(new EventTarget(), { location: { origin: 'https://sendroom.test' } }));
});
afterEach(async () => {
  await desk.discard();
  vi.unstubAllGlobals();
  // It is the console's own, and those of other files find what is in it.
  queryClient.clear();
});

describe('an entry that is sent again', () => {
  // No pause between the tries.
  beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(-0.5));
  afterEach(() => vi.restoreAllMocks());

  test('after a request that may have done it: the receipt says so', async () => {
    await startList();
    server.answer(plain(200, 'text/html', 'Signed out by the proxy'));
    await desk.run('w');
    expect(entry()?.outcome?.state).toBe('failed');
    server.answer(unsubscribed());
    await desk.retryFailed('w');
    expect(entry()?.outcome).toMatchObject({ state: 'unsubscribed', request_id: 'done' });
    expect(entry()?.outcome?.why).toMatch(/two requests were sent/);
  });

  test('after refusals of a contact that is known: the receipt tells of one request', async () => {
    await startList();
    server.answer(json({ data: [], meta: createPageMeta({ page: 1, per_page: 1 }, 0) }));
    await desk.check();
    expect(entry()?.found?.state).toBe('exists');
    server.answer(json({}, 408));
    await desk.run('w');
    expect(entry()?.outcome?.state).toBe('failed');
    server.answer(unsubscribed());
    await desk.retryFailed('w');
    expect(entry()?.outcome).toMatchObject({ state: 'unsubscribed', request_id: 'done', why: null });
  });

  test('after a pause, while the service wanted to be left alone: the receipt tells of one request', async () => {
    await startList();
    server.answer(json({}, 429, { 'retry-after': '60' }));
    const running = desk.run('w');
    await expect.poll(() => server.received.length).toBe(1);
    desk.pause();
    await running;
    server.answer(unsubscribed());
    await desk.resume('w');
    expect(entry()?.outcome).toMatchObject({ state: 'unsubscribed', request_id: 'done', why: null });
  });
});

const uuidOf = (index: number) => `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`;

/** A list of contacts by their UUIDs. */
const listOf = (count: number): ReadList => ({
  ...READ,
  entries: Array.from({ length: count }, (_, index) => {
    const uuid = uuidOf(index);
    return { index, line: index + 1, text: uuid, as: 'the ID', values: [uuid], repeats: null, source: null };
  }),
});
const startListOf = async (count: number) => desk.startList(async () => listOf(count));

const texts = () => {
  const state = desk.snapshot();
  return 'entries' in state ? [...state.entries].map(({ text }) => text) : [];
};

describe('a reading that takes long', () => {
  test('is dropped when another one has begun: the last choice stays', async () => {
    const first = Promise.withResolvers<ReadList>();
    const dropped = desk.startList(() => first.promise);
    expect(await startListOf(2)).toBe(true);
    first.resolve(listOf(5));
    expect(await dropped).toBe(false);
    expect(texts()).toHaveLength(2);
  });

  test('replaces no list that is checked meanwhile', async () => {
    await startListOf(2);
    const late = Promise.withResolvers<ReadList>();
    const dropped = desk.startList(() => late.promise);
    const held = Promise.withResolvers<void>();
    const nobody = json({ data: [], meta: createPageMeta({ page: 1, per_page: 1 }, 0) });
    server.answer((request, response) => void held.promise.then(() => nobody(request, response)));
    const checking = desk.check();
    await expect.poll(() => server.received.length).toBeGreaterThan(0);
    late.resolve(listOf(5));
    expect(await dropped).toBe(false);
    held.resolve();
    await checking;
    expect(texts()).toHaveLength(2);
    expect(desk.snapshot().phase).toBe('plan');
  });

  test('leaves nothing of the old list in the journal, whatever is clicked while the new one is written', async () => {
    const journal = inMemory();
    const replace = journal.replace.bind(journal);
    vi.spyOn(Journal, 'open').mockResolvedValueOnce(journal);
    const leave = desk.attach({ workspace: 'w', canRead: false, hasLog: false, hasRuns: false });
    await expect.poll(() => desk.snapshot().phase).toBe('empty');
    await startListOf(2);
    const written = Promise.withResolvers<void>();
    journal.replace = async (...list) => {
      await replace(...list);
      await written.promise;
    };
    const { entries } = listOf(2);
    const reading = desk.startList(async () => ({
      ...READ,
      entries: entries.map((one) => ({ ...one, text: 'new', values: ['new'] })),
    }));
    await expect.poll(async () => JSON.stringify(await journal.read())).toContain('new');
    await desk.tick([must(entry())], false);
    await expect(desk.run('w')).rejects.toThrow('Another list is being written.');
    await expect(desk.addEntries(entries)).rejects.toThrow('Another list is being written.');
    written.resolve();
    await reading;
    expect(texts()).toEqual(['new', 'new']);
    expect((await journal.read())?.entries).toMatchObject([{ text: 'new' }, { text: 'new' }]);
    leave();
    await expect.poll(isFree).toBe(true);
    vi.restoreAllMocks();
  });

  test('does not bring back a list that is deleted meanwhile', async () => {
    await startListOf(2);
    const late = Promise.withResolvers<ReadList>();
    const dropped = desk.startList(() => late.promise);
    await desk.discard();
    late.resolve(listOf(5));
    expect(await dropped).toBe(false);
    expect(desk.snapshot().phase).toBe('empty');
  });
});

/** Answers as a service that unsubscribes whoever it is asked for. */
const unsubscribeAny: RequestListener = (request, response) => {
  const uuid = request.url?.split('/').at(-2);
  const data = { uuid, subscribed: false, attributes: {}, updated_at: new Date().toISOString() };
  json({ data })(request, response);
};

const loaded = () => {
  const state = desk.snapshot();
  if (!('entries' in state)) throw new Error(`There is no list: ${state.phase}`);
  return state;
};
const outcomes = () => Array.from(loaded().entries, ({ outcome }) => outcome?.state ?? null);
const FIVE = { length: 5 };

test('whom a service lets nobody unsubscribe any more are not marked, and sent once it does again', async () => {
  queryClient.setQueryData(sessionQuery.queryKey, PERSON);
  await startListOf(5);
  server.answer(json({ detail: 'This needs the role "support".' }, 403));
  await desk.run('w');
  expect(loaded()).toMatchObject({ phase: 'paused', error: expect.stringContaining('This needs the role "support".') });
  expect(outcomes()).toEqual(Array.from(FIVE, () => null));
  await expect
    .poll(() => server.received.map(({ path }) => path), { message: 'their role may have changed' })
    .toContain('/session');

  server.answer(unsubscribeAny);
  await desk.resume('w');
  expect(loaded().phase).toBe('ended');
  expect(outcomes()).toEqual(Array.from(FIVE, () => 'unsubscribed'));
});

/** Every contact is there, and those of `missing` cannot be unsubscribed. The workspace is `right`. */
const serveKnown = (missing: readonly string[] = []) =>
  server.answer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (request.method === 'GET') {
      return json({ data: [], meta: createPageMeta({ page: 1, per_page: 1 }, 0) })(request, response);
    }
    const isHere = path.includes('/workspaces/right/') && missing.every((uuid) => !path.includes(uuid));
    return (isHere ? unsubscribeAny : json({}, 404))(request, response);
  });
const posts = () => server.received.filter(({ method }) => method === 'POST').length;

describe('where the service knows a contact, but finds nobody to unsubscribe', () => {
  test.each([
    ['after a check', async () => desk.check()],
    ['without a check', async () => undefined],
  ])('the run stops and asks about the workspace, %s', async (_, check) => {
    await startListOf(12);
    serveKnown();
    await check();
    await desk.run('mistyped');
    expect(loaded()).toMatchObject({
      phase: 'paused',
      error: expect.stringContaining('Check the workspace ID.'),
    });
    expect(posts()).toBeLessThanOrEqual(4);
    expect(outcomes()).toEqual(Array.from({ length: 12 }, () => null));
    await desk.resume('right');
    expect(loaded()).toMatchObject({ phase: 'ended', counts: { all: { unsubscribed: 12 } } });
  });

  test('and has unsubscribed others, it is the contact that has failed', async () => {
    await startListOf(12);
    serveKnown([uuidOf(8)]);
    await desk.run('right');
    expect(loaded()).toMatchObject({ phase: 'ended', counts: { all: { unsubscribed: 11, failed: 1 } } });
    expect(loaded().entries.at(8)?.outcome?.why).toMatch(/^The service knows this contact/);
    serveKnown();
    await desk.retryFailed('right');
    expect(loaded()).toMatchObject({ phase: 'ended', counts: { all: { unsubscribed: 12 } } });
  });
});

describe('where another session takes the place of the one that runs a list', () => {
  const other = { ...PERSON, person: { uuid: 'q', name: 'Kim', email: 'kim@acme.test' } };

  test('nothing more is sent in its name, and the list waits for whoever resumes it', async () => {
    queryClient.setQueryData(sessionQuery.queryKey, PERSON);
    await startListOf(12);
    const [asked, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    server.answer((request, response) => {
      if (server.received.length === 4) asked.resolve();
      void mayAnswer.promise.then(() => unsubscribeAny(request, response));
    });
    const running = desk.run('w');
    await asked.promise;
    await beginNewSession(queryClient, other);
    mayAnswer.resolve();
    await running;
    expect(server.received).toHaveLength(4);
    expect(loaded()).toMatchObject({ phase: 'paused', error: null });
    expect(outcomes().filter((state) => state === 'unsubscribed')).toHaveLength(4);

    await desk.resume('w');
    expect(loaded()).toMatchObject({ phase: 'ended', counts: { all: { unsubscribed: 12 } } });
  });

  test('whoever opens the page meanwhile reads the list anew, which another workspace does not show', async () => {
    queryClient.setQueryData(sessionQuery.queryKey, PERSON);
    const journal = inMemory();
    vi.spyOn(Journal, 'open').mockImplementation(async () => journal);
    const permissions = { workspace: 'w', canRead: false, hasLog: false, hasRuns: false };
    let leave = desk.attach(permissions);
    await expect.poll(() => desk.snapshot().phase).toBe('empty');
    await startListOf(12);
    const mayAnswer = Promise.withResolvers<void>();
    server.answer((request, response) => void mayAnswer.promise.then(() => unsubscribeAny(request, response)));
    const running = desk.run('w');
    await expect.poll(() => server.received.length).toBe(4);

    await beginNewSession(queryClient, { ...PERSON, workspace_uuid: 'v' });
    leave();
    leave = desk.attach({ ...permissions, workspace: 'v' });
    mayAnswer.resolve();
    await running;
    await expect.poll(() => desk.snapshot().phase).toBe('foreign');
    leave();
    await expect.poll(isFree).toBe(true);

    leave = desk.attach(permissions);
    await expect.poll(() => desk.snapshot()).toMatchObject({ phase: 'paused', counts: { all: { unsubscribed: 4 } } });
    leave();
    await expect.poll(isFree).toBe(true);
    vi.restoreAllMocks();
  });

  test('what waited to be sent again is not sent', async () => {
    queryClient.setQueryData(sessionQuery.queryKey, PERSON);
    await startListOf(1);
    server.answer(json({}, 429, { 'retry-after': '1' }));
    const running = desk.run('w');
    await expect.poll(() => server.received.length).toBe(1);
    endSession(queryClient);
    await running;
    expect(server.received).toHaveLength(1);
    expect(loaded().phase).toBe('paused');
  });
});

/** An open journal without a list. */
const empty = () => ({ read: async () => null, close: () => {} }) as Partial<Journal> as Journal;

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

/** Whether another tab would be granted the desk. */
async function isFree(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.every(({ name }) => name !== journalName(placeName()));
}

describe('a list that is read while the page is left', () => {
  const permissions = { workspace: 'w', canRead: false, hasLog: false, hasRuns: false };
  const other = { ...PERSON, person: { uuid: 'q', name: 'Kim', email: 'kim@acme.test' } };

  test.each([
    ['is there when one comes back', async () => undefined, 'plan'],
    ['is dropped where another session begins', async () => beginNewSession(queryClient, other), 'empty'],
  ])('%s', async (_, meanwhile, phase) => {
    queryClient.setQueryData(sessionQuery.queryKey, PERSON);
    const journal = inMemory();
    vi.spyOn(Journal, 'open').mockImplementation(async () => journal);
    let leave = desk.attach(permissions);
    await expect.poll(() => desk.snapshot().phase).toBe('empty');
    const read = Promise.withResolvers<ReadList>();
    const starting = desk.startList(async () => read.promise);
    leave();
    // A page that is left leaves the desk in a task of its own.
    await new Promise((resolve) => void setTimeout(resolve));
    expect(await isFree()).toBe(false);
    await meanwhile();
    read.resolve({ ...READ, entries: [] });
    expect(await starting).toBe(phase === 'plan');
    await expect.poll(isFree).toBe(true);

    leave = desk.attach(permissions);
    await expect.poll(() => desk.snapshot().phase).toBe(phase);
    leave();
    await expect.poll(isFree).toBe(true);
    vi.restoreAllMocks();
  });
});

describe('a browser that fails to open the desk', () => {
  const permissions = { workspace: null, canRead: false, hasLog: false, hasRuns: false };
  let leave: () => void;

  afterEach(async () => {
    leave();
    await expect.poll(isFree).toBe(true);
    vi.restoreAllMocks();
  });

  test.each([
    ['the journal cannot be opened', () => vi.spyOn(Journal, 'open').mockRejectedValueOnce(new Error('Disk error'))],
    [
      'the journal cannot be read',
      () =>
        vi
          .spyOn(Journal, 'open')
          .mockResolvedValueOnce(Object.assign(empty(), { read: () => Promise.reject(new Error('Disk error')) })),
    ],
    [
      'there are no locks',
      () => vi.spyOn(navigator.locks, 'request').mockRejectedValueOnce(new DOMException('Disk error', 'SecurityError')),
    ],
  ])(
    'says so where %s, leaves the desk to other tabs, and tries again when the page is opened again',
    async (_, fail) => {
      fail();
      leave = desk.attach(permissions);
      await expect.poll(() => desk.snapshot()).toEqual({ phase: 'broken', error: 'Disk error' });
      await expect.poll(isFree).toBe(true);
      leave();
      vi.spyOn(Journal, 'open').mockResolvedValueOnce(empty());
      leave = desk.attach(permissions);
      await expect.poll(() => desk.snapshot()).toEqual({ phase: 'empty' });
      expect(await isFree()).toBe(false);
    },
  );
});
