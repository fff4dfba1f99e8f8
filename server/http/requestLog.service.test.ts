import { expect, test } from 'vitest';
import { startTestService } from '../testing/testService.ts';
import { createTwinTenants } from '../testing/testTenants.ts';

const CANARY = 'kanarienvogel';

test('a line for each answer says what was asked for, by whom and with what result, and nothing of its content', async () => {
  await using service = await startTestService();
  const [own] = await createTwinTenants(service.database, service.clock.now);
  const ids: (string | null)[] = [];
  for (const [path, init] of [
    [`/v1/contacts/${CANARY}%40example.com/events?search=${CANARY}`, {}],
    ['/v1/domains?page=2', {}],
    ['/v1/nothing', {}],
    [`/v1/contacts/${own.contact}`, { method: 'POST', json: { attributes: { company: CANARY } } }],
  ] as const) {
    const response = await service.call(path, { token: own.token, ...init });
    await response.text();
    ids.push(response.headers.get('x-request-id'));
  }
  const lines = service.log
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'answered');
  const { uuid: token } = (await service.database.unscoped.kysely
    .selectFrom('tokens')
    .select('uuid')
    .where('workspace_id', '=', own.workspace.id)
    .executeTakeFirst()) ?? { uuid: '' };
  const answered = { level: 'info', msg: 'answered', time: expect.stringMatching(/Z$/), ms: expect.any(Number) };
  expect(lines).toEqual(
    [
      { method: 'GET', route: '/v1/contacts/:contact/events', status: 404, token },
      { method: 'GET', route: '/v1/domains', status: 200, token },
      { method: 'GET', route: null, status: 404 },
      { method: 'POST', route: '/v1/contacts/:contact', status: 200, token },
    ].map((line, at) => ({ ...answered, ...line, request_id: ids[at] })),
  );
});

test('no token, cookie, identity, body or address is in the log at its most talkative, whatever goes wrong', async () => {
  await using service = await startTestService({ settings: { LOG_LEVEL: 'trace' } });
  const [own] = await createTwinTenants(service.database, service.clock.now);
  const signIn = await service.call('/session', {
    method: 'POST',
    json: { token: own.token },
    headers: { 'sendroom-console': '1' },
  });
  const cookie = signIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const secrets = [own.token, cookie.split('=')[1] ?? '', CANARY];
  const attempts = [
    ['GET', `/v1/contacts/${CANARY}/events`],
    ['GET', `/v1/contacts/${CANARY}%zz`],
    ['GET', `/v1/contacts/${CANARY.repeat(1000)}`],
    ['GET', `/${CANARY}`],
    ['PUT', `/v1/contacts/${CANARY}`],
    ['POST', `/v1/contacts/${CANARY}`],
    ['GET', `/v1/domains?search=${CANARY}&page=0`],
  ] as const;
  for (const [method, path] of attempts) {
    const init = { method, token: own.token, ...(method !== 'GET' && { json: { attributes: { email: CANARY } } }) };
    await service.call(path, { ...init, headers: { 'x-canary': CANARY, referer: `http://x/${CANARY}` } });
    await service.call(path, { ...init, token: CANARY });
  }
  await service.call('/v1/workspace', { headers: { 'sendroom-console': '1', cookie } });
  // From here on every request about a contact fails.
  await service.database.unscoped.write((trx) => trx.schema.alterTable('identities').renameTo('gone').execute());
  const failed = await service.call(`/v1/contacts/${CANARY}/events`, { token: own.token });
  expect(failed.status).toBe(500);
  expect(await failed.text()).not.toMatch(/no such table|sqlite|kysely|select|\.ts/i);

  expect(service.log.length).toBeGreaterThan(attempts.length * 2);
  expect(service.log.some((line) => line.includes('"level":"error"'))).toBe(true);
  for (const secret of secrets) {
    expect(service.log.filter((line) => line.includes(secret))).toEqual([]);
  }
});

test('a line is one JSON object, whatever the caller put into it', async () => {
  await using service = await startTestService();
  await service.call('/v1/x%0A%0D%E2%80%A8%1B%5B31m', { headers: { 'user-agent': '"}{"' } });
  for (const line of service.log) {
    expect(line.endsWith('\n') && !line.slice(0, -1).includes('\n')).toBe(true);
    expect(() => void JSON.parse(line)).not.toThrow();
  }
});

test('at LOG_LEVEL=silent there are none', async () => {
  await using service = await startTestService({ settings: { LOG_LEVEL: 'silent' } });
  await service.call('/v1/domains');
  expect(service.log).toEqual([]);
});
