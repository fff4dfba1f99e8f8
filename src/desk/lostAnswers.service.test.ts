import { expect, test } from 'vitest';
import { entryAt, logOf } from '../testing/testEntry.ts';
import { json, setUpTestServer } from '../testing/testServer.ts';
import { createOutcome, type DeskEntry } from './entry.ts';
import { findRunInLog, settleLostAnswer } from './lostAnswers.ts';

// Which unsubscribe of the log was of the run, where its answer was lost.

const server = setUpTestServer();
const JANE = '00000000-0000-4000-8000-000000000001';
const BOB = '00000000-0000-4000-8000-000000000002';
/** By this computer. The clock of the service is an hour ahead. */
const SENT = '2026-11-21T12:00:00.000Z';
const AGAIN = '2026-11-21T14:00:00.000Z';

type Logged = { id: string | null; at: string; token?: string; subscribed?: boolean; run?: string };

function serve(logs: Record<string, Logged[]>): void {
  server.answer((request, response) => {
    const contact = /contacts\/([^/]+)\/changes/.exec(request.url ?? '')?.[1] ?? '';
    const log = logs[contact];
    if (log === undefined) return void response.writeHead(404).end();
    const changes = log.map((change) => ({ ...change, at: `2026-11-21T${change.at}.000Z` }));
    json(logOf(changes))(request, response);
  });
}

const entry = (index: number, uuid: string, outcome: Partial<DeskEntry['outcome']>) =>
  entryAt(index, {
    found: { state: 'subscribed', value: 'x', uuid, at: SENT },
    outcome: { ...createOutcome('unsubscribed', AGAIN), uuid, ...outcome },
  });
const lost = entry(0, JANE, { request_id: 'second', sent_at: [SENT, AGAIN] });
const answered = entry(1, BOB, { request_id: 'bob', at: '2026-11-21T12:00:01.000Z' });
const bob: Logged = { id: 'bob', at: '13:00:01' };

const PROVEN = 'Sent again after a lost answer: two requests were sent, and this one did it.';

const send = async <Answer>(call: () => Promise<Answer>) => call();

async function settle(jane: Logged[], { of = lost, known = [answered], log = [bob] } = {}) {
  serve({ [JANE]: jane, [BOB]: log });
  return settleLostAnswer(of, send, { run: undefined, find: async () => findRunInLog(known, send) });
}

test('the first request did it: its ID and time are those of the log, whatever the clocks say', async () => {
  const settled = await settle([{ id: 'first', at: '13:00:01' }]);
  expect(settled.outcome).toMatchObject({
    state: 'unsubscribed',
    request_id: 'first',
    at: '2026-11-21T13:00:01.000Z',
    why: PROVEN,
    sent_at: [],
  });
});

test('the request that was answered did it', async () => {
  const settled = await settle([{ id: 'second', at: '15:00:00' }], { known: [] });
  expect(settled.outcome).toMatchObject({ request_id: 'second', why: PROVEN, sent_at: [] });
});

test.each<[string, Logged[], Parameters<typeof settle>[1]]>([
  ['another token did it in that second', [{ id: 'theirs', at: '13:00:01', token: 'colleague' }], {}],
  ['it was between the requests', [{ id: 'theirs', at: '14:00:00' }], {}],
  ['it was before the first request', [{ id: 'theirs', at: '12:59:50' }], {}],
  ['it was long after the last', [{ id: 'theirs', at: '15:02:00' }], {}],
  ['they were subscribed since', [{ id: 'back', at: '13:00:02', subscribed: true }], {}],
  ['the log does not tell the request', [{ id: null, at: '13:00:01' }], {}],
  ['the log has nothing', [], {}],
  ['no answer of the run is known', [{ id: 'first', at: '12:00:01' }], { known: [] }],
  [
    'they were not found subscribed before',
    [{ id: 'first', at: '13:00:01' }],
    { of: { ...lost, found: { state: 'exists', value: 'x', uuid: null, at: SENT } } },
  ],
])('nothing is proven where %s', async (_, log, options) => {
  const of = options?.of ?? lost;
  expect(await settle(log, options)).toBe(of);
});

test('a log that cannot be read proves nothing, and the entry stays unsubscribed', async () => {
  serve({});
  expect(await settleLostAnswer(lost, send, { run: undefined, find: async () => null })).toBe(lost);
});

test('an entry whose only request was answered is not asked for', async () => {
  expect(await settle([{ id: 'other', at: '13:00:01' }], { of: answered })).toBe(answered);
  expect(server.received).toEqual([]);
});

test('where the log has runs, the run decides: not the time, the token, or what else was answered', async () => {
  const settleRun = async (logged: Logged) => {
    serve({ [JANE]: [logged] });
    return settleLostAnswer(lost, send, { run: 'ours', find: () => Promise.reject(new Error('not asked for')) });
  };
  const settled = await settleRun({ id: 'first', at: '19:30:00', token: 'renamed', run: 'ours' });
  expect(settled.outcome).toMatchObject({ request_id: 'first', why: PROVEN, sent_at: [] });
  expect(await settleRun({ id: 'theirs', at: '13:00:01', run: 'another' })).toBe(lost);
  expect(await settleRun({ id: 'theirs', at: '13:00:01' })).toBe(lost);
  expect(await settleRun({ id: 'back', at: '13:00:01', subscribed: true, run: 'ours' })).toBe(lost);
});
