import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Contact } from '#contract/contact.ts';
import type { Attributes } from '#contract/values/field.ts';
import { Problem } from '#contract/problem.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, type Tenant } from '../testing/testTenants.ts';
import { putEvents } from './events/putEvents.ts';
import { putContacts } from './store.ts';

// The limits of a record, through HTTP and by import.

let service: TestService;
let own: Tenant;
beforeAll(async () => {
  service = await startTestService();
  [own] = await createTwinTenants(service.database, service.clock.now);
});
afterAll(() => service[Symbol.asyncDispose]());

const read = async () => {
  const response = await service.call(`/v1/contacts/${own.contact}`, { token: own.token });
  return ((await response.json()) as { data: Contact }).data;
};

const statusOf = async (contact: string) =>
  (await service.call(`/v1/contacts/${contact}/events`, { token: own.token })).status;

/** `attributes` as text, because a JavaScript number could not hold some values. */
const update = (attributes: string, token = own.token) =>
  service.call(`/v1/contacts/${own.contact}`, {
    method: 'POST',
    token,
    body: `{"attributes":${attributes}}`,
    headers: { 'content-type': 'application/json' },
  });

async function faultsOf(response: Response): Promise<[field: string, message: string][]> {
  expect(response.status).toBe(422);
  return (Problem.parse(await response.json()).errors ?? []).map(({ field, message }) => [field, message]);
}

test('a number is refused where programs read it with other digits, and the largest names its contact alone', async () => {
  const message =
    'A value has a number beyond ±9007199254740991, which programs read with other digits: send it as text.';
  const before = await read();
  expect(await faultsOf(await update('{"customer_id":9007199254740993,"list":[{"id":1e400}]}'))).toEqual([
    ['attributes.customer_id', message],
    ['attributes.list', message],
  ]);
  expect(await read()).toEqual(before);
  expect((await update('{"customer_id":9007199254740991,"list":[5e-324]}')).status).toBe(200);
  expect((await read()).attributes).toMatchObject({ customer_id: 9007199254740991, list: [5e-324] });
  expect([await statusOf('9007199254740991'), await statusOf('9007199254740992')]).toEqual([200, 404]);
});

const tooLong = (key: string): [string, string] => [`attributes.${key}`, `${key} is longer than 255 characters.`];

/** All different, so that no database compresses them. */
const characters = (count: number) =>
  Array.from({ length: count }, () => String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 4096))).join('');

describe('an identity', () => {
  // How long it may be is in identity.test.ts.
  test('may be as long as its limit, in characters of three bytes; longer it is a fault of the field, of an import too', async () => {
    const longest = characters(255);
    for (const key of ['phone', 'customer_id']) {
      expect((await update(JSON.stringify({ [key]: `  ${longest}\n` }))).status).toBe(200);
      expect(await statusOf(encodeURIComponent(longest))).toBe(200);
      expect((await update(JSON.stringify({ [key]: null }))).status).toBe(200);
      const attributes = { [key]: characters(2700) };
      expect(await faultsOf(await update(JSON.stringify(attributes)))).toEqual([tooLong(key)]);
      const [outcome] = await service.database.write(own.workspace, (scope) =>
        putContacts(scope, [{ uuid: crypto.randomUUID(), attributes }], service.clock.now),
      );
      const [field, message] = tooLong(key);
      expect(outcome).toEqual([{ field, message }]);
    }
  });
});

const KIB_64 = 64 * 1024;
const TOO_LARGE = { field: 'attributes', message: 'The attributes together are longer than 64 KiB.' };

/** Attributes that are `bytes` long as JSON, in values of less than 8,000. */
function attributesOf(bytes: number): Attributes {
  const count = Math.ceil(bytes / 8000);
  // {"k00":"…","k01":"…"}: eight bytes around each value, a comma but for the first, and two braces.
  const room = bytes - count * 9 - 1;
  const share = Math.floor(room / count);
  const values = Array.from({ length: count }, (_, index) => [
    `k${String(index).padStart(2, '0')}`,
    'x'.repeat(index < count - 1 ? share : room - share * (count - 1)),
  ]);
  return Object.fromEntries(values) as Attributes;
}

/** As an older version may have stored it. */
const store = (attributes: Attributes) =>
  service.database.unscoped.write((trx) =>
    trx
      .updateTable('contacts')
      .set({ attributes: JSON.stringify(attributes) })
      .where('uuid', '=', own.contact)
      .execute(),
  );

describe('the attributes of a contact together', () => {
  beforeEach(() => store({}));

  test.each([
    [-1, 200],
    [0, 200],
    [1, 422],
  ])('may be 64 KiB and %d bytes: %d', async (more, status) => {
    const text = JSON.stringify(attributesOf(KIB_64 + more));
    expect(Buffer.byteLength(text)).toBe(KIB_64 + more);
    expect((await update(text)).status).toBe(status);
  });

  test('that are longer already stay readable, and may change but not grow', async () => {
    await store(attributesOf(100_000));
    expect(Object.keys((await read()).attributes)).toHaveLength(13);
    expect((await service.call('/v1/contacts', { token: own.token })).status).toBe(200);

    for (const same of ['short', 'other']) expect((await update(`{"k00":"${same}"}`)).status).toBe(200);
    expect(await faultsOf(await update('{"k00":"longer than it was"}'))).toEqual([
      [TOO_LARGE.field, TOO_LARGE.message],
    ]);
    expect((await update('{"k01":null,"new":"value"}')).status).toBe(200);
    const path = `/v1/workspaces/${own.workspace.uuid}/contacts/${own.contact}/unsubscribe`;
    expect((await service.call(path, { method: 'POST', token: own.token })).status).toBe(200);
  });
});

test.each([
  [-1, 'added'],
  [0, 'added'],
  [1, [TOO_LARGE]],
])('an import takes 64 KiB and %d bytes of a new contact, and of an event: %j', async (more, outcome) => {
  const attributes = attributesOf(KIB_64 + more);
  const uuid = crypto.randomUUID();
  const created_at = service.clock.now;
  const outcomes = await service.database.write(own.workspace, async (scope) => [
    ...(await putContacts(scope, [{ uuid, attributes }], service.clock.now)),
    ...(await putEvents(
      scope,
      [{ contact: own.contact, event_name: `of ${more}`, attributes, created_at }],
      service.clock.now,
    )),
  ]);
  expect(outcomes).toEqual([outcome, outcome]);
});
