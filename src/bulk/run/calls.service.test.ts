import { expect, test } from 'vitest';
import type { Unsubscription } from '#contract/suppressions/suppression.ts';
import { entryAt, logOf } from '../../testing/testEntry.ts';
import { setUpTestServer } from '../../testing/testServer.ts';
import { unsubscribeEntry } from './calls.ts';
import { createOutcome, type BulkEntry, type LookUpResult, type UnsubscribeOutcome } from '../bulkState.ts';

// What the receipt says of a contact, and which request it names, where a response was lost or somebody else was faster.

const server = setUpTestServer();
const JANE = '00000000-0000-4000-8000-000000000001';
/** When the list was checked. */
const CHECKED = '2026-11-22T12:00:00.000Z';
/** Between the check and the run, and before both by a clock that is days behind. */
const [BETWEEN, BEHIND] = ['2026-11-22T13:00:00.000Z', '2026-11-01T12:00:00.000Z'];

type LogEntry = { request_id: string; at?: string; after?: boolean; run?: string };
type Service = { log: LogEntry[] | 'broken'; lost?: number; errors?: number[]; updatedAt?: string };

/**
 * A service that numbers its requests. It answers the first unsubscribes with `errors`, and loses the responses to the `lost` after them.
 * `updatedAt`: when the contact changed last, by default now.
 */
function serve({ log, lost = 0, errors = [], updatedAt = new Date().toISOString() }: Service) {
  let turn = 0;
  server.answer((request, response) => {
    turn += 1;
    const error = request.method === 'POST' ? errors[turn - 1] : undefined;
    if (error !== undefined) return void response.writeHead(error).end();
    if (request.method === 'POST' && turn <= errors.length + lost) return void response.destroy();
    const send = (body: unknown, status = 200) =>
      void response
        .writeHead(status, { 'content-type': 'application/json', 'x-request-id': `request-${turn}` })
        .end(JSON.stringify(body));
    if (request.method === 'POST')
      return send({ data: { uuid: JANE, subscribed: false, attributes: {}, updated_at: updatedAt } });
    if (log === 'broken') return send({ title: 'Not now' }, 500);
    return send(logOf(log.map(({ request_id, after, ...rest }) => ({ ...rest, id: request_id, subscribed: after }))));
  });
}

/** Up to six times. */
async function send<Response>(call: () => Promise<Response>): Promise<Response> {
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
const interrupted: BulkEntry = { ...entry, outcome: createOutcome('sent', '2026-11-22T12:00:00.500Z') };
/** Of a service with the bare interface, which has no record of a contact. */
const bare: BulkEntry = { ...entry, found: { state: 'exists', value: JANE, uuid: null, at: CHECKED } };

async function run(from: BulkEntry, said?: Unsubscription): Promise<UnsubscribeOutcome | null> {
  const isBare = from.found?.state === 'exists';
  const context = {
    hasAdditions: !isBare,
    hasUnsubscribed: true,
    save: async () => undefined,
    claim: async () => null,
    send,
  };
  const { outcome } = await unsubscribeEntry(from, context, { workspace: 'w', run: isBare ? undefined : 'ours', said });
  return outcome;
}

const logged = () => server.received.filter(({ method }) => method === 'GET').length;

test.each([
  ['answered', []],
  ['sent again after errors of the service, which has not done it', [429, 503]],
])('a request that is %s did it, and the log is not read', async (_, errors) => {
  serve({ log: [], errors });
  const request_id = `request-${errors.length + 1}`;
  expect(await run(entry)).toMatchObject({ state: 'unsubscribed', request_id, why: null });
  expect(logged()).toBe(0);
});

test.each<[string, BulkEntry, Partial<Service>]>([
  ['was lost', entry, { lost: 1 }],
  ['was that of a proxy', entry, { errors: [502] }],
  ['was not waited for by a tab that was closed', interrupted, {}],
])('after a response that %s the receipt has the request and time of the log', async (_, from, service) => {
  // The clock of the service is an hour ahead.
  serve({ log: [{ request_id: 'did-it', at: BETWEEN, run: 'ours' }], ...service });
  expect(await run(from)).toMatchObject({
    state: 'unsubscribed',
    request_id: 'did-it',
    at: BETWEEN,
    why: 'Retried after a lost response. This request unsubscribed the contact.',
  });
});

test.each<[string, Service['log'], BulkEntry]>([
  ['the log cannot be read', 'broken', interrupted],
  ['the log names nobody', [], interrupted],
  ['the log says that somebody subscribed them again', [{ request_id: 'x', after: true }], interrupted],
  ['there is no log', 'broken', { ...bare, outcome: interrupted.outcome }],
])('after a lost response, if %s, an earlier request may have done it', async (_, log, from) => {
  serve({ log });
  expect(await run(from)).toMatchObject({
    state: 'unsubscribed',
    request_id: 'request-1',
    why: 'Retried after a lost response. An earlier request may have unsubscribed the contact.',
  });
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
    expect(await run({ ...entry, found })).toMatchObject({ state: outcome });
    expect(server.received.some(({ method }) => method === 'POST')).toBe(outcome === 'unsubscribed');
  },
);

const theirs: LogEntry = { request_id: 'theirs', at: BETWEEN };

test.each<[string, Service, BulkEntry]>([
  ['the log has a request without a run', { log: [theirs] }, entry],
  ['the log has another run', { log: [{ ...theirs, run: 'another' }] }, entry],
  ['the log names nobody', { log: [] }, entry],
  ['the log cannot be read', { log: 'broken' }, entry],
  ['there is no log', { log: [] }, bare],
  ['a response was lost', { log: [theirs], lost: 1 }, entry],
  ['the clock is right, and it was a moment ago', { log: [theirs], updatedAt: new Date().toISOString() }, interrupted],
  ['the clock is behind', { log: [{ ...theirs, at: BEHIND }], updatedAt: BEHIND }, entry],
])('the run does not claim a contact that someone else unsubscribed since the check: %s', async (_, service, from) => {
  serve({ updatedAt: BETWEEN, ...service });
  expect(await run(from)).toMatchObject({ state: 'already', why: null });
});

test.each<[string, LogEntry]>([
  ['the log has its request', { request_id: 'request-1', at: BEHIND }],
  ['the log has its run', { request_id: 'of a proxy', at: BEHIND, run: 'ours' }],
])('the run claims the contact that it unsubscribed, though the clock is days behind: %s', async (_, change) => {
  serve({ log: [change], updatedAt: BEHIND });
  expect(await run(entry)).toMatchObject({ state: 'unsubscribed', request_id: 'request-1', why: null });
});

const COMPLAINT = { reason: 'complaint', ticket: 'T-1' } as const;

/** A service where the contact is unsubscribed; the lines of its log, newest first, that record a reason have no changes. */
function serveUnsubscribed(
  lines: readonly { id: string; run?: string; reason?: string; isAgain?: boolean }[] | 'broken',
) {
  server.answer(({ method, url }, response) => {
    const isLog = url?.includes('/changes') === true;
    const record = { uuid: JANE, attributes: {}, subscribed: false, updated_at: BETWEEN };
    const { data, meta } = logOf(
      lines === 'broken' ? [] : lines.map(({ id, run: ofRun }) => ({ id, ...(ofRun !== undefined && { run: ofRun }) })),
    );
    const changes = data.map((line, at) => {
      const reason = lines === 'broken' ? undefined : lines[at]?.reason;
      const suppression = { reason, ticket: null, origin: 'support' };
      if (lines !== 'broken' && lines[at]?.isAgain === true)
        return { ...line, action: 'unsubscribe_again', changes: [], suppression: { ...suppression, reason: null } };
      return reason === undefined ? line : { ...line, changes: [], suppression };
    });
    response
      .writeHead(isLog && lines === 'broken' ? 500 : 200, {
        'content-type': 'application/json',
        'x-request-id': method,
      })
      .end(JSON.stringify(isLog ? { data: changes, meta } : { data: record }));
  });
}

const unsubscribed: BulkEntry = {
  ...entry,
  found: { state: 'unsubscribed', value: JANE, uuid: JANE, at: CHECKED },
};

test.each<[string, Parameters<typeof serveUnsubscribed>[0], object]>([
  [
    'is recorded',
    [{ id: 'POST', run: 'ours', reason: 'complaint' }, { id: 'old' }],
    { state: 'recorded', request_id: 'POST' },
  ],
  [
    'was recorded by an earlier request of the run',
    [{ id: 'earlier', run: 'ours', reason: 'complaint' }, { id: 'old' }],
    { state: 'recorded', request_id: 'earlier' },
  ],
  [
    'was recorded by somebody else',
    [{ id: 'theirs', reason: 'complaint' }, { id: 'old' }],
    { state: 'already', why: null },
  ],
  ['was why they were unsubscribed', [{ id: 'old' }], { state: 'already', why: null }],
  [
    'may be recorded, by a log that cannot be read',
    'broken',
    {
      state: 'already',
      why: 'The reason was sent. Couldn’t confirm whether this list or an earlier request recorded it.',
    },
  ],
])('a complaint about somebody unsubscribed before %s', async (_, lines, outcome) => {
  serveUnsubscribed(lines);
  expect(await run(unsubscribed, COMPLAINT)).toMatchObject({ uuid: JANE, ...outcome });
  const [posted, ...more] = server.received.filter(({ method }) => method === 'POST');
  expect(more).toEqual([]);
  expect(JSON.parse(posted?.body ?? '')).toEqual(COMPLAINT);
});

test.each([{ reason: 'request' }, { ticket: 'T-2' }] as const)(
  'what is said of somebody unsubscribed before is recorded again: %o',
  async (said) => {
    serveUnsubscribed([{ id: 'POST', run: 'ours', isAgain: true }, { id: 'old' }]);
    expect(await run(unsubscribed, said)).toMatchObject({
      state: 'recorded',
      request_id: 'POST',
      why: 'Recorded again: they stay unsubscribed if what unsubscribed them before is undone.',
    });
    expect(server.received.filter(({ method }) => method === 'POST')).toHaveLength(1);
  },
);

test('somebody unsubscribed before is not sent if nothing is said', async () => {
  serveUnsubscribed([{ id: 'old' }]);
  expect(await run(unsubscribed)).toMatchObject({ state: 'already' });
  expect(await run(unsubscribed, { reason: null, ticket: null })).toMatchObject({ state: 'already' });
  expect(server.received.some(({ method }) => method === 'POST')).toBe(false);
});
