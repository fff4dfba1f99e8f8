import { expect, test } from 'vitest';
import { entryAt, logOf } from '../testing/testEntry.ts';
import { setUpTestServer } from '../testing/testServer.ts';
import { unsubscribeEntry } from './calls.ts';
import { createOutcome, type DeskEntry, type LookUpResult, type UnsubscribeOutcome } from './entry.ts';
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
    return void send(
      logOf(entries.map(({ request_id, after, ...rest }) => ({ ...rest, id: request_id, subscribed: after }))),
    );
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

const entry = entryAt(0, { values: [JANE], found: { state: 'subscribed', value: JANE, uuid: JANE, at: CHECKED } });
/** As the journal has it after the tab was closed in the middle of its request. */
const interrupted: DeskEntry = { ...entry, outcome: createOutcome('sent', '2026-11-22T12:00:00.500Z') };

/** As another answer of the run tells. */
const known: RunInLog = { actor: 'support', clockLead: 0 };

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
] as const)(
  'a contact that was %s and %s is looked up once more by the run',
  async (_, __, state, subscribed, outcome) => {
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
  },
);

/** Between the check and the run, and before both by a clock that is days behind. */
const [BETWEEN, BEHIND] = ['2026-11-22T13:00:00.000Z', '2026-11-01T12:00:00.000Z'];
const theirs: LogEntry = { request_id: 'theirs', at: BETWEEN };
const unknown = { ...entry, found: null };

test.each<[string, Service, DeskEntry, Parameters<typeof run>[1]]>([
  ['the log names another request', { log: [theirs] }, entry, {}],
  ['the log has runs, and the change is of none', { log: [theirs] }, entry, { name: 'ours' }],
  ['the log names nobody', { log: 'none' }, entry, {}],
  ['the log cannot be read', { log: 'broken' }, entry, {}],
  ['there is no log', { log: 'none' }, entry, { hasLog: false }],
  ['an answer was lost', { log: [theirs], lost: 1 }, entry, {}],
  ['the run was begun before that, and paused', { log: [theirs] }, unknown, {}],
  ['the clock is behind', { log: [{ ...theirs, at: BEHIND }], updatedAt: BEHIND }, entry, {}],
])(
  'the run does not claim who was unsubscribed by somebody else since the check: %s',
  async (_, service, from, more) => {
    serve({ updatedAt: BETWEEN, ...service });
    expect(await run(from, more)).toMatchObject({ state: 'already', why: null });
  },
);

test.each<[string, Service['log'], DeskEntry, Parameters<typeof run>[1]]>([
  ['the log has its request', [{ request_id: 'request-1', at: BEHIND }], entry, {}],
  ['so it has of somebody whom nobody has looked up', [{ request_id: 'request-1', at: BEHIND }], unknown, {}],
  ['the log has its run', [{ request_id: 'of a proxy', at: BEHIND, run: 'ours' }], entry, { name: 'ours' }],
  ['there is no log', 'none', entry, { hasLog: false }],
])('the run claims whom it unsubscribed, though the clock is days behind: %s', async (_, log, from, more) => {
  serve({ log, updatedAt: BEHIND });
  expect(await run(from, more)).toMatchObject({ state: 'unsubscribed', why: null });
});
