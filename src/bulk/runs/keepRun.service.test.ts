import { expect, test } from 'vitest';
import { createPageMeta } from '#contract/list.ts';
import { entryAt } from '../../testing/testEntry.ts';
import { json, setUpTestServer } from '../../testing/testServer.ts';
import { keepRun, NO_ONE_APPROVES, WAITS_FOR_APPROVAL } from './keepRun.ts';

const server = setUpTestServer();
const RUN = '00000000-0000-4000-8000-0000000000a1';
const KEPT = { uuid: RUN, entries: 1, received: 1 };

test.each([
  ['person', WAITS_FOR_APPROVAL],
  ['token', NO_ONE_APPROVES],
])('a run of a %s that needs approval says what to do', async (kind, error) => {
  const author = { kind, uuid: null, name: 'Ada', email: null };
  const waiting = { ...KEPT, state: 'waiting', author };
  server.answer((request, response) =>
    json(
      request.method === 'POST'
        ? { data: waiting }
        : { data: [waiting], meta: createPageMeta({ page: 1, per_page: 10 }, 1) },
    )(request, response),
  );
  const list = { stage: 'run', source: null, workspace: 'w', began_at: '2026-11-21T12:50:00.000Z', run: RUN } as const;
  const kept = keepRun(list, [entryAt(0, {})], { send: (call) => call(), showKept: () => {} });
  await expect(kept).rejects.toThrow(error);
});
