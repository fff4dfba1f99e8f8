import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { createPageMeta } from '#contract/list.ts';
import { setUpTestServer } from '../testing/testServer.ts';
import { createEntry, createOutcome, createUndo, type DeskEntry } from './entry.ts';
import { undoEntry } from './undoCalls.ts';

// Whom the undo of a list subscribes again, by the log of the service.

const server = setUpTestServer();
const JANE = '00000000-0000-4000-8000-000000000001';
const REASON = 'Wrong list';

type LogEntry = { request_id: string | null; subscribed: boolean | null; reason?: string };

/** A service with the log of one contact, newest first, which subscribes it. `fail` is called before each answer. */
function serve(log: LogEntry[], fail: (method: string, turn: number) => 'before' | 'after' | null = () => null) {
  let turn = 0;
  const listener: RequestListener = (request, response) => {
    const failure = fail(request.method ?? '', (turn += 1));
    if (failure === 'before') return void response.destroy();
    const id = `undo-${turn}`;
    if (request.method === 'POST' && log[0]?.subscribed !== true) {
      log.unshift({ request_id: id, subscribed: true, reason: REASON });
    }
    if (failure === 'after') return void response.destroy();
    const data =
      request.method === 'POST'
        ? { uuid: JANE, subscribed: true, attributes: {} }
        : log.map(({ subscribed, request_id, reason }, index) => ({
            uuid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
            action: 'any',
            created_at: '2026-11-21T12:41:05.000Z',
            actor: null,
            run: null,
            request_id,
            reason: reason ?? null,
            changes:
              subscribed === null
                ? [{ field: 'attributes.note', before: null, after: 'x' }]
                : [{ field: 'subscribed', before: !subscribed, after: subscribed }],
          }));
    const meta = createPageMeta({ page: 1, per_page: 100 }, log.length);
    response
      .writeHead(200, { 'content-type': 'application/json', 'x-request-id': id })
      .end(JSON.stringify(Array.isArray(data) ? { data, meta } : { data }));
  };
  server.answer(listener);
}

const unsubscribed: DeskEntry = {
  ...createEntry({ index: 0, line: 1, text: 'jane', as: 'jane', values: ['jane'], repeats: null, source: null }),
  outcome: { ...createOutcome('unsubscribed'), uuid: JANE, request_id: 'ours' },
};

/** Up to three times. */
async function send<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (tries === 3) throw error;
    }
  }
}

/** Undoes the entry; a request without an answer is sent again, up to three times. */
async function undo(entry = unsubscribed): Promise<DeskEntry[]> {
  const saved: DeskEntry[] = [];
  const access = { save: async (next: DeskEntry) => void saved.push(next), claim: async () => null };
  await undoEntry(entry, access, { workspace: 'w', reason: REASON, findRun: async () => null, send });
  return saved;
}

const posts = () => server.received.filter(({ method }) => method === 'POST');

test('whom the run unsubscribed is subscribed again, with the reason, and the step is saved before', async () => {
  serve([
    { request_id: 'note', subscribed: null },
    { request_id: 'ours', subscribed: false },
  ]);
  const saved = await undo();
  expect(saved.map((entry) => entry.undo?.state)).toEqual(['sent', 'resubscribed']);
  expect(saved.at(-1)?.undo).toMatchObject({ request_id: 'undo-2', why: null });
  expect(posts().map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
    [`/v1/workspaces/w/contacts/${JANE}/subscribe`, { reason: REASON }],
  ]);
});

test.each([
  [
    'somebody has subscribed and unsubscribed them since',
    [
      { request_id: 'b', subscribed: false },
      { request_id: 'a', subscribed: true },
      { request_id: 'ours', subscribed: false },
    ],
  ],
  [
    'somebody has subscribed them since',
    [
      { request_id: 'a', subscribed: true },
      { request_id: 'ours', subscribed: false },
    ],
  ],
])('they are left as they are where %s', async (_, log) => {
  serve(log);
  const saved = await undo();
  expect(saved.at(-1)?.undo?.state).toBe('changed');
  expect(saved.at(-1)?.undo?.why).toMatch(/^Left as it is/);
  expect(posts()).toEqual([]);
});

test.each([
  ['somebody else had unsubscribed them just before', [{ request_id: 'theirs', subscribed: false }]],
  ['the log has nothing of it', [{ request_id: 'note', subscribed: null }]],
  ['the log does not tell the request', [{ request_id: null, subscribed: false }]],
])('nobody is told that they were changed since where %s', async (_, log) => {
  serve(log);
  const saved = await undo();
  expect(saved.at(-1)?.undo).toMatchObject({
    state: 'unclear',
    why: 'Still unsubscribed: whether this list did it could not be told.',
  });
  expect(posts()).toEqual([]);
});

test('an answer that is lost is not sent twice: the log says that it was done', async () => {
  serve([{ request_id: 'ours', subscribed: false }], (method) => (method === 'POST' ? 'after' : null));
  const saved = await undo();
  expect(saved.at(-1)?.undo).toMatchObject({ state: 'resubscribed', request_id: 'undo-2' });
  expect(posts()).toHaveLength(1);
});

test('a retry does not undo an unsubscribe that came in between', async () => {
  const log: LogEntry[] = [{ request_id: 'ours', subscribed: false }];
  serve(log, (method) => {
    if (method !== 'POST') return null;
    log.unshift({ request_id: 'theirs', subscribed: false }, { request_id: 'a', subscribed: true });
    return 'before';
  });
  const saved = await undo();
  expect(saved.at(-1)?.undo?.state).toBe('changed');
  expect(posts()).toHaveLength(1);
});

test('after a killed tab, what was done is told from what somebody else did', async () => {
  const sent = { ...unsubscribed, undo: createUndo('sent') };
  const ours = { request_id: 'ours', subscribed: false };
  serve([{ request_id: 'before', subscribed: true, reason: REASON }, ours]);
  expect((await undo(sent)).at(-1)?.undo).toMatchObject({ state: 'resubscribed', request_id: 'before' });
  serve([{ request_id: 'theirs', subscribed: true, reason: 'Asked for it' }, ours]);
  expect((await undo(sent)).at(-1)?.undo?.state).toBe('changed');
  serve([ours]);
  expect((await undo(sent)).at(-1)?.undo).toMatchObject({ state: 'resubscribed', request_id: 'undo-2' });
  expect(posts()).toHaveLength(1);
});
