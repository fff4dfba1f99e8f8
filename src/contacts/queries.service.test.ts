import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, test } from 'vitest';
import { createPageMeta } from '#contract/list.ts';
import { json, setUpTestServer } from '../testing/testServer.ts';
import { contactQuery, findContact } from './queries.ts';

const JANE = {
  uuid: 'c-1',
  subscribed: true,
  attributes: { email: 'jane@x.test' },
  provider: null,
  created_at: null,
  updated_at: null,
};

const server = setUpTestServer();
let client: QueryClient;
beforeEach(() => {
  client = new QueryClient();
});

/** A service that finds Jane by these values, and answers other calls with `status`. */
function serve(values: string[], status = 404) {
  server.answer((request, response) => {
    const [contact = '', ...rest] = (request.url ?? '').replace('/v1/contacts/', '').split(/[/?]/);
    const known = values.includes(decodeURIComponent(contact));
    const events = { data: [], meta: createPageMeta({ page: 1, per_page: 1 }, 0) };
    const answer = rest[0] === 'events' ? events : { data: JANE };
    json(known ? answer : {}, known ? 200 : status)(request, response);
  });
}

describe('a look-up', () => {
  test('tries one value after the other and gives the UUID', async () => {
    serve(['+4420']);
    await expect(findContact(client, ['+44 20', '+4420'], true)).resolves.toEqual({ contact: 'c-1', record: JANE });
    expect(server.received.map(({ path }) => path)).toEqual(['/v1/contacts/%2B44%2020', '/v1/contacts/%2B4420']);
    // The response is cached under the address at which it will be opened.
    expect(client.getQueryData(contactQuery('c-1').queryKey)?.data).toEqual(JANE);
  });

  test('on a bare interface gives the value that has events', async () => {
    serve(['+4420']);
    await expect(findContact(client, ['+44 20', '+4420'], false)).resolves.toEqual({ contact: '+4420', record: null });
    expect(server.received.map(({ path }) => path)).toEqual([
      '/v1/contacts/%2B44%2020/events?per_page=1',
      '/v1/contacts/%2B4420/events?per_page=1',
    ]);
  });

  test.each([true, false])('of nobody is null, not a failure (can read: %j)', async (canRead) => {
    serve([]);
    await expect(findContact(client, ['a', 'b'], canRead)).resolves.toBeNull();
  });

  test.each([true, false])('that failed never says that there is nobody (can read: %j)', async (canRead) => {
    serve([], 403);
    await expect(findContact(client, ['a', 'b'], canRead)).rejects.toMatchObject({ status: 403 });
    expect(server.received).toHaveLength(1);
  });
});
