import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { LogLine } from '#contract/auditLog.ts';
import type { Change } from '#contract/change.ts';
import type { Delivery, Destination } from '#contract/notifications.ts';
import { must } from '#contract/values/must.ts';
import { isSignedBy, startTestReceiver, type TestReceiver } from '../testing/testReceiver.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, SHARED_IDENTITIES, type Tenant } from '../testing/testTenants.ts';

const RULES = { incidents: [], contact_changes: true, digest: false, heartbeat: false };

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const PASSWORD = 'canarypassword';

let service: TestService;
let receiver: TestReceiver;
let own: Tenant;
beforeAll(async () => {
  service = await startTestService({
    settings: {
      WEBHOOK_PRIVATE_ADDRESSES: '127.0.0.1',
      LOG_LEVEL: 'trace',
      SMTP_URL: `smtp://me:${PASSWORD}@127.0.0.1:9`,
      MAIL_FROM: 'sendroom@ops.example.net',
    },
  });
  receiver = await startTestReceiver();
  [own] = await createTwinTenants(service.database, service.clock.now);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

async function call(path: string, json?: unknown, method = 'POST') {
  const response = await service.call(path, { token: own.token, method, ...(json !== undefined && { json }) });
  const text = await response.text();
  return { status: response.status, text, data: (JSON.parse(text) as { data: unknown }).data };
}

async function create(given: object) {
  const { data, ...response } = await call('/v1/destinations', {
    kind: 'webhook',
    name: 'n',
    rules: RULES,
    ...given,
  });
  return { ...response, data: data as { destination: Destination; secret: string } };
}

test('an unsubscribe reaches a webhook, signed and without personal data, and its receipt is in the log', async () => {
  const { status, data } = await create({ address: `${receiver.url}secret-path`, name: 'adapter' });
  expect(status).toBe(200);
  await call(`/v1/contacts/${own.contact}/unsubscribe`, { reason: 'complaint', ticket: own.canary });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 30_000, interval: 200 });
  const webhook = must(receiver.received[0]);
  expect(isSignedBy(data.secret, webhook)).toBe(true);
  const suppression = { reason: 'complaint', origin: 'program' };
  expect(webhook.body).toMatchObject({ type: 'contact.unsubscribed', data: { contact: own.contact, suppression } });
  for (const personal of [own.canary, SHARED_IDENTITIES.email, SHARED_IDENTITIES.phone, SHARED_IDENTITIES.custom]) {
    expect(webhook.text).not.toContain(personal);
  }
  const receipts = async () =>
    ((await call('/v1/changes', undefined, 'GET')).data as Change[]).filter(
      ({ action }) => action === 'message_delivered',
    );
  await vi.waitFor(async () => expect(await receipts()).toHaveLength(1), { timeout: 10_000, interval: 200 });
  const log = (await call('/v1/changes', undefined, 'GET')).text;
  expect(log).toContain('adapter');
  expect(log).not.toContain('secret-path');
  expect(service.log.join('')).not.toContain(data.secret);

  const { destination } = data;
  expect((await call(`/v1/destinations/${destination.uuid}/test`)).data).toEqual({
    delivered: true,
    detail: 'The receiver responded with 204.',
  });
  expect(must(receiver.received.at(-1)).body.data).toEqual({ workspace: expect.any(String), destination: 'adapter' });
  const rotated = await call(`/v1/destinations/${destination.uuid}/secret`);
  await call(`/v1/destinations/${destination.uuid}/test`);
  const last = must(receiver.received.at(-1));
  expect([data.secret, (rotated.data as { secret: string }).secret].map((secret) => isSignedBy(secret, last))).toEqual([
    true,
    true,
  ]);
  receiver.respond = () => 500;
  expect((await call(`/v1/destinations/${destination.uuid}/test`)).data).toMatchObject({ delivered: false });
  expect((await call(`/v1/destinations/${destination.uuid}`, undefined, 'DELETE')).status).toBe(200);
}, 60_000);

test('a secret is in the responses of its creation and rotation, and nowhere else', async () => {
  receiver.respond = () => 204;
  const { data } = await create({ address: `${receiver.url}secrets`, name: 'secrets' });
  const path = `/v1/destinations/${data.destination.uuid}`;
  const { secret } = (await call(`${path}/secret`)).data as { secret: string };
  const others = [
    await call(path, { name: 'renamed' }),
    await call(`${path}/test`),
    await call('/v1/destinations', undefined, 'GET'),
    await call(`${path}/deliveries`, undefined, 'GET'),
    await call('/v1/changes', undefined, 'GET'),
    await call(path, undefined, 'DELETE'),
  ];
  expect(others.map(({ status }) => status)).toEqual(others.map(() => 200));
  const said = others.map(({ text }) => text).join('') + service.log.join('') + JSON.stringify(receiver.received);
  for (const one of [data.secret, secret]) {
    expect(one).toMatch(/^whsec_.{44}$/);
    expect(said).not.toContain(one.slice('whsec_'.length));
  }
});

test('each secret signs for a day after it was replaced, and three do at most', async () => {
  receiver.respond = () => 204;
  const { data } = await create({ address: `${receiver.url}three`, name: 'three' });
  const path = `/v1/destinations/${data.destination.uuid}`;
  const secrets = [data.secret];
  const rotate = async () => {
    const { status, text } = await call(`${path}/secret`);
    if (status === 200) secrets.push((JSON.parse(text) as { data: { secret: string } }).data.secret);
    return status === 200 ? status : text;
  };
  const signing = async () => {
    await call(`${path}/test`);
    const last = must(receiver.received.at(-1));
    return secrets.map((secret) => isSignedBy(secret, last));
  };
  const start = service.clock.now;
  expect(await rotate()).toBe(200);
  service.clock.now = start + DAY / 2;
  expect(await rotate()).toBe(200);
  expect(await signing()).toEqual([true, true, true]);
  expect(await rotate()).toContain('Three secrets sign already.');
  service.clock.now = start + DAY;
  expect(await signing()).toEqual([false, true, true]);
  expect(await rotate()).toBe(200);
  expect(await signing()).toEqual([false, true, true, true]);
});

test('who sent a test, or a message again, is in the log, and ten of each a minute are the most', async () => {
  receiver.respond = () => 204;
  service.clock.now += DAY;
  const { data } = await create({ address: `${receiver.url}asked`, name: 'asked' });
  const path = `/v1/destinations/${data.destination.uuid}`;
  const ids = async () =>
    ((await call(`${path}/deliveries?per_page=25`, undefined, 'GET')).data as Delivery[]).map(({ message }) => message);
  const statuses = async (of: string[]) => {
    const responses = [];
    for (const one of of) responses.push(await call(`${path}${one}`));
    return [new Set(responses.slice(0, 10).map(({ status }) => status)), responses[10]?.status, responses[10]?.text];
  };
  const tests = await statuses(Array.from({ length: 11 }, () => '/test'));
  expect(tests).toEqual([new Set([200]), 429, expect.stringContaining('ten test messages a minute')]);
  service.clock.now += MINUTE;
  await call(`${path}/test`);
  const replays = await statuses((await ids()).map((id) => `/deliveries/${id}/replay`));
  expect(replays).toEqual([new Set([200]), 429, expect.stringContaining('ten messages again in a minute')]);
  const lines = (await call('/v1/changes?per_page=100', undefined, 'GET')).data as LogLine[];
  const own = lines.filter(({ details }) => details?.['destination'] === 'asked');
  const count = (action: string) => own.filter((line) => line.action === action).length;
  expect([count('destination_test'), count('message_replay')]).toEqual([11, 10]);
  service.clock.now += MINUTE;
  expect(own[0]).toMatchObject({ action: 'message_replay', actor: { kind: 'token' }, details: { kind: 'webhook' } });
});

test('the password of the mail server is neither shown nor logged', async () => {
  const { data } = await create({ kind: 'mail', address: 'ops@example.net' });
  const path = `/v1/destinations/${data.destination.uuid}`;
  const tested = await call(`${path}/test`);
  expect(tested.data).toMatchObject({ delivered: false });
  const listed = await call(`${path}/deliveries`, undefined, 'GET');
  expect(tested.text + listed.text + service.log.join('')).not.toContain(PASSWORD);
});

describe('an address is refused', () => {
  test.each([
    ['webhook', 'no url', 'URL'],
    ['webhook', 'ftp://example.com/', 'URL'],
    ['webhook', 'http://example.com/', 'https'],
    ['webhook', 'https://user:pw@example.com/', 'password'],
    ['webhook', 'https://example.com/#a', 'fragment'],
    ['webhook', 'https://10.0.0.1/', 'public'],
    ['webhook', 'https://[::1]/', 'public'],
    ['webhook', 'https://2130706434/', 'public'],
    ['mail', 'nobody', 'mail address'],
    ['mail', `ops@${SHARED_IDENTITIES.domain}`, 'watched'],
    ['mail', `ops@deep.${SHARED_IDENTITIES.domain.toUpperCase()}`, 'watched'],
  ])('%s %s: %s', async (kind, address, reason) => {
    const { status, text } = await create({ kind, address });
    expect(status).toBe(422);
    expect(text).toContain(reason);
  });

  test('mail from a sender in a watched domain', async () => {
    await using other = await startTestService({
      settings: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: `alarms@sub.${SHARED_IDENTITIES.domain}` },
    });
    const [tenant] = await createTwinTenants(other.database, other.clock.now);
    const json = { kind: 'mail', name: 'n', address: 'ops@example.net', rules: RULES };
    const response = await other.call('/v1/destinations', { method: 'POST', token: tenant.token, json });
    expect(response.status).toBe(422);
    expect(await response.text()).toContain('MAIL_FROM is in a domain that is watched here');
  });

  test('and a fallback that is none', async () => {
    const given = { address: 'https://example.com/', fallback: '11111111-1111-4111-8111-111111111111' };
    expect((await create(given)).status).toBe(422);
  });
});

test('mail has no secret to rotate', async () => {
  const { data } = await create({ kind: 'mail', address: 'ops@example.net' });
  expect(data.secret).toBeNull();
  expect((await call(`/v1/destinations/${data.destination.uuid}/secret`)).status).toBe(409);
});
