import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPageMeta } from '#contract/list.ts';
import { queryClient } from '../../session/queryClient.ts';
import { json, setUpTestServer } from '../../testing/testServer.ts';
import { bulk } from '../bulk.ts';
import { Journal } from '../journal/journal.ts';

// A colleague undoes a run that this browser still shows, or is about to continue.

const server = setUpTestServer();
const AT = '2026-11-21T12:50:00.000Z';
const uuidOf = (index: number) => `00000000-0000-4000-8000-00000000000${index}`;

const loaded = () => {
  const state = bulk.snapshot();
  if (!('entries' in state)) throw new Error(`There is no list: ${state.phase}`);
  return state;
};
const page = (data: readonly unknown[]) => ({
  data,
  meta: createPageMeta({ page: 1, per_page: 500 }, data.length),
});

/** A service that keeps one run. `unsubscribed`: how many contacts it lets the run have. */
function serve(count: number, unsubscribed: number) {
  const done = new Set<string>();
  const service = { isUndone: false };
  const answer = ({ method, url = '' }: { method?: string; url?: string }): [body: unknown, status?: number] => {
    const uuid = /[\d-]{35}\d/.exec(url.replace(/^\/v1\/runs\/[^/]+/, ''))?.[0] ?? '';
    const run = { uuid: 'kept', entries: count, received: count, author: null };
    const row = (one: string) => ({
      uuid: one,
      name: null,
      address: null,
      state: service.isUndone ? 'resubscribed' : 'unsubscribed',
      request_id: 'done',
      at: AT,
      undone_at: service.isUndone ? AT : null,
      undo_request_id: service.isUndone ? 'theirs' : null,
    });
    if (url.startsWith('/v1/runs/')) return [page([...done].map(row))];
    if (url.startsWith('/v1/runs') && method === 'POST') return [{ data: run }];
    const undone = service.isUndone ? { state: 'undone', resubscribed: done.size } : { state: 'open', resubscribed: 0 };
    if (url.startsWith('/v1/runs')) return [page([{ ...run, ...undone }])];
    const isUnsubscribe = method === 'POST';
    if (isUnsubscribe && service.isUndone)
      return [{ title: 'Forbidden', detail: 'This run was undone, so it unsubscribes nobody any more.' }, 403];
    if (isUnsubscribe) {
      done.add(uuid);
      if (done.size === unsubscribed) bulk.pause();
    }
    const data = { uuid, subscribed: !isUnsubscribe, attributes: {}, updated_at: new Date().toISOString() };
    return [{ data }];
  };
  const listener: RequestListener = (request, response) => {
    const [body, status = 200] = answer(request);
    json(body, status, { 'x-request-id': 'done' })(request, response);
  };
  server.answer(listener);
  return service;
}

let leave = () => {};
beforeEach(async () => {
  vi.stubGlobal('window', Object.assign(new EventTarget(), { location: { origin: 'https://sendroom.test' } }));
  const journal = {
    replace: async () => {},
    saveList: async () => {},
    saveEntries: async () => {},
    clear: async () => {},
  };
  vi.spyOn(Journal, 'open').mockResolvedValue({
    ...journal,
    saveTyped: async () => {},
    readTyped: async () => '',
    read: async () => null,
    close: () => {},
  } as unknown as Journal);
  leave = bulk.attach({ workspace: 'w', hasAdditions: true, keepsRuns: true });
  await expect.poll(() => bulk.snapshot().phase).toBe('empty');
});
afterEach(async () => {
  await bulk.discard();
  leave();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  queryClient.clear();
});

async function startList(count: number) {
  const entries = Array.from({ length: count }, (_, index) => ({
    index,
    line: index + 1,
    text: uuidOf(index),
    as: 'the ID',
    values: [uuidOf(index)],
    repeats: null,
    source: null,
    leftOut: null,
  }));
  await bulk.startList(async () => ({ source: null, notes: [], column: null, entries }));
}

test('the page shows what a colleague undid since, as soon as it was read', async () => {
  const service = serve(3, Infinity);
  await startList(3);
  await bulk.run('w');
  expect(loaded()).toMatchObject({ phase: 'ended', counts: { all: { unsubscribed: 3 } } });
  service.isUndone = true;
  await bulk.readUndone();
  expect(loaded().counts.all).toMatchObject({ unsubscribed: 0, undone: 3 });
});

test('a run that was undone while it was paused ends when it is continued, and its rows say so', async () => {
  const service = serve(6, 2);
  await startList(6);
  await bulk.run('w');
  const { unsubscribed } = loaded().counts.all;
  expect(loaded().phase).toBe('paused');
  expect(unsubscribed).toBeGreaterThan(1);
  expect(unsubscribed).toBeLessThan(6);
  service.isUndone = true;
  await bulk.resume('w');
  expect(loaded()).toMatchObject({ phase: 'ended', counts: { all: { unsubscribed: 0, undone: unsubscribed } } });
});
