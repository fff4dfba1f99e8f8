import { describe, expect, test } from 'vitest';
import { createPageMeta } from '#contract/list.ts';
import { setUpTestServer } from '../testing/testServer.ts';
import { unsubscribeEntry } from './calls.ts';
import { createEntry, createOutcome, type DeskEntry, type LookUpResult, type UnsubscribeOutcome } from './entry.ts';
import type { RunInLog } from './lostAnswers.ts';

// Which request the receipt names where an answer was lost, now or before the tab was closed.

const server = setUpTestServer();
const JANE = '00000000-0000-4000-8000-000000000001';
/** When the list was checked. */
const CHECKED = '2026-11-22T12:00:00.000Z';

type LogEntry = { request_id: string; at: string; after?: boolean; run?: string };

type Service = { log: LogEntry[] | 'none' | 'broken'; lost?: number; errors?: number[]; updatedAt?: string };

/**
 * A service that numbers its requests. It answers the first unsubscribes with `errors`, and loses the answers of the `lost` after them. `updatedAt`: when the contact changed
 * last, by default now.
 */
function serve({ log, lost = 0, errors = [], updatedAt = new Date().toISOString() }: Service) {
  let turn = 0;
  server.answer((request, response) => {
    turn += 1;
    const error = request.method === 'POST' ? errors[turn - 1] : undefined;
    if (error !== undefined) return void response.writeHead(error).end();
    if (request.method === 'POST' && turn <= errors.length + lost) return void response.destroy();
    const send = (body: unknown, status = 200) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'x-request-id': `request-${turn}` })
        .end(JSON.stringify(body));
    if (request.method === 'POST') {
      return void send({
        data: { uuid: JANE, subscribed: false, attributes: {}, updated_at: updatedAt },
      });
    }
    if (log === 'broken') return void send({ title: 'Not now' }, 500);
    const entries = log === 'none' ? [] : log;
    const data = entries.map(({ request_id, at, after = false, run = null }, index) => ({
      uuid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      action: 'unsubscribe',
      created_at: at,
      actor: { kind: 'token', uuid: 't', name: 'support', email: null },
      run,
      request_id,
      reason: null,
      changes: [{ field: 'subscribed', before: !after, after }],
    }));
    return void send({ data, meta: createPageMeta({ page: 1, per_page: 100 }, data.length) });
  });
}

/** Up to six times. */
async function send<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (tries === 6) throw error;
    }
  }
}

const entry: DeskEntry = {
  ...createEntry({ index: 0, line: 1, text: 'j', as: 'j', values: [JANE], repeats: null, source: null }),
  found: { state: 'subscribed', value: JANE, uuid: JANE, at: CHECKED },
};
/** As the journal has it after the tab was closed in the middle of its request. */
const interrupted: DeskEntry = { ...entry, outcome: createOutcome('sent', '2026-11-22T12:00:00.500Z') };

/** As another answer of the run tells. */
const known: RunInLog = { actor: 't', clockLead: 0 };

async function run(
  from: DeskEntry,
  {
    canRead = false,
    hasLog = true,
    inLog = known,
    name,
  }: { canRead?: boolean; hasLog?: boolean; inLog?: RunInLog | null; name?: string } = {},
): Promise<UnsubscribeOutcome | null | undefined> {
  const saved: DeskEntry[] = [];
  const access = { save: async (next: DeskEntry) => void saved.push(next), claim: async () => null };
  await unsubscribeEntry(from, access, {
    workspace: 'w',
    run: name,
    canRead,
    findRun: hasLog ? async () => inLog : null,
    send,
  });
  return saved.at(-1)?.outcome;
}

const logged = () => server.received.filter(({ method }) => method === 'GET').length;
const TWO = /two requests were sent/;

test('one request is the one that did it, and the log is not read', async () => {
  serve({ log: 'none' });
  expect(await run(entry)).toMatchObject({ state: 'unsubscribed', request_id: 'request-1', why: null });
  expect(logged()).toBe(0);
});

test.each([
  ['was lost', entry, 1],
  ['was not waited for by a tab that was closed', interrupted, 0],
])('after an answer that %s the receipt carries the request that the log names', async (_, from, lost) => {
  const at = from.outcome?.at ?? new Date().toISOString();
  serve({ log: [{ request_id: 'did-it', at }], lost });
  const outcome = await run(from);
  expect(outcome).toMatchObject({ state: 'unsubscribed', request_id: 'did-it' });
  expect(outcome?.why).toMatch(/this one did it/);
});

test.each<[string, Partial<Service>, string]>([
  ['two answers', { lost: 2 }, 'Sent again after 2 lost answers: 3 requests were sent, and this one did it.'],
  [
    'four 503',
    { errors: [503, 503, 503, 503] },
    'Sent again after 4 temporary errors: 5 requests were sent, and this one did it.',
  ],
  [
    'a 429, a 503 and an answer',
    { errors: [429, 503], lost: 1 },
    'Sent again after a lost answer and 2 temporary errors: 4 requests were sent, and this one did it.',
  ],
  [
    'a 502 of a proxy',
    { errors: [502] },
    'Sent again after a lost answer: two requests were sent, and this one did it.',
  ],
])('the receipt tells how many requests were sent, and why, after %s', async (_, service, why) => {
  const turn = (service.errors?.length ?? 0) + (service.lost ?? 0) + 1;
  serve({ log: [{ request_id: `request-${turn}`, at: new Date().toISOString() }], ...service });
  expect(await run(entry)).toMatchObject({ state: 'unsubscribed', request_id: `request-${turn}`, why });
});

test('the requests before the tab was closed are counted', async () => {
  serve({ log: 'none', errors: [503] });
  const tries = { sent: 3, errors: 2 };
  expect((await run({ ...interrupted, tries }))?.why).toBe(
    'Sent again after a lost answer and 3 temporary errors: 5 requests were sent, and an earlier one may have done it.',
  );
});

test('where no other answer of the run is known, it says that two requests were sent', async () => {
  serve({ log: [{ request_id: 'did-it', at: interrupted.outcome?.at ?? '' }] });
  expect((await run(interrupted, { inLog: null }))?.why).toMatch(TWO);
});

test.each([
  ['cannot be read', { log: 'broken' as const }, true],
  ['names nobody', { log: 'none' as const }, true],
  ['has only an older unsubscribe', { log: [{ request_id: 'old', at: '2026-11-01T12:00:00.000Z' }] }, true],
  ['says that somebody subscribed them again', { log: [{ request_id: 'x', at: CHECKED, after: true }] }, true],
  ['does not exist', { log: 'broken' as const }, false],
])('where the log %s, it says that two requests were sent', async (_, service, hasLog) => {
  serve(service);
  const outcome = await run(interrupted, { hasLog });
  expect(outcome).toMatchObject({ state: 'unsubscribed', request_id: 'request-1' });
  expect(outcome?.why).toMatch(TWO);
  expect(outcome?.why).toMatch(/an earlier one may have done it/);
  if (!hasLog) expect(logged()).toBe(0);
});

test.each([
  ['found unsubscribed', 'is subscribed again', 'unsubscribed', true, 'unsubscribed'],
  ['found unsubscribed', 'still is', 'unsubscribed', false, 'already'],
  ['not found', 'was added', 'unknown', true, 'unsubscribed'],
  ['not found', 'still is nobody', 'unknown', null, 'missing'],
] as const)('whoever was %s and %s is looked up once more by the run', async (_, __, state, subscribed, outcome) => {
  const data = { uuid: JANE, attributes: {}, subscribed: subscribed ?? false };
  server.answer(({ method }, response) => {
    const status = method === 'GET' && subscribed === null ? 404 : 200;
    const body = { data: method === 'POST' ? { ...data, subscribed: false } : data };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const uuid = state === 'unknown' ? null : JANE;
  const found: LookUpResult = { state, value: uuid, uuid, at: CHECKED };
  expect(await run({ ...entry, found }, { canRead: true, hasLog: false })).toMatchObject({ state: outcome });
  expect(server.received.some(({ method }) => method === 'POST')).toBe(outcome === 'unsubscribed');
});

describe('somebody else unsubscribed them between the check and the run', () => {
  const BETWEEN = '2026-11-22T13:00:00.000Z';
  const theirs: LogEntry = { request_id: 'theirs', at: BETWEEN };

  test.each<[string, Service['log'], Parameters<typeof run>[1]]>([
    ['names their request', [theirs], {}],
    ['has runs, and the change is of none', [theirs], { name: 'ours' }],
    ['names nobody', 'none', {}],
    ['cannot be read', 'broken', {}],
    ['does not exist', 'none', { hasLog: false }],
  ])('where the log %s, the run does not claim it', async (_, log, options) => {
    serve({ log, updatedAt: BETWEEN });
    expect(await run(entry, options)).toMatchObject({ state: 'already', why: null });
  });

  test('nor where an answer was lost', async () => {
    serve({ log: [theirs], lost: 1, updatedAt: BETWEEN });
    expect(await run(entry)).toMatchObject({ state: 'already', why: null });
  });

  test('nor where the run was begun before that, and paused', async () => {
    const paused = { ...entry, found: null };
    serve({ log: [theirs], updatedAt: BETWEEN });
    expect(await run(paused)).toMatchObject({ state: 'already' });
  });
});

describe('where the clock of the service is days behind', () => {
  const BEHIND = '2026-11-01T12:00:00.000Z';

  test('the log says that it was this run', async () => {
    serve({ log: [{ request_id: 'request-1', at: BEHIND }], updatedAt: BEHIND });
    expect(await run(entry)).toMatchObject({ state: 'unsubscribed', request_id: 'request-1', why: null });
  });

  test('the log says that it was this run, also of somebody whom nobody has looked up before', async () => {
    serve({ log: [{ request_id: 'request-1', at: BEHIND }], updatedAt: BEHIND });
    expect(await run({ ...entry, found: null })).toMatchObject({ state: 'unsubscribed', request_id: 'request-1' });
  });

  test('the log says so by the run where the ID of the answer is not the one of the log', async () => {
    serve({ log: [{ request_id: 'of another proxy', at: BEHIND, run: 'ours' }], updatedAt: BEHIND });
    expect(await run(entry, { name: 'ours' })).toMatchObject({ state: 'unsubscribed' });
  });

  test('the log says that it was somebody else', async () => {
    serve({ log: [{ request_id: 'theirs', at: BEHIND }], updatedAt: BEHIND });
    expect(await run(entry)).toMatchObject({ state: 'already' });
  });

  test('and there is no log, the time tells nothing', async () => {
    serve({ log: 'none', updatedAt: BEHIND });
    expect(await run(entry, { hasLog: false })).toMatchObject({ state: 'unsubscribed', request_id: 'request-1' });
  });
});
