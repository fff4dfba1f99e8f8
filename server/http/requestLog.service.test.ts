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
