import { screen, waitFor } from '@testing-library/react';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createCompletionLine, createRecordLine, domainWith, streamLines } from '../testing/testCheck.ts';
import { openPage } from '../testing/testPage.tsx';
import { setUpTestServer } from '../testing/testServer.ts';
import { startWatch, stopWatch, useWatch } from './dnsWatch.ts';
import { useMatrixRun } from './useMatrixRun.ts';

const server = setUpTestServer();
const watched = domainWith({ type: 'TXT', name: 'x.test', value: 'a', is_valid: false });
const right = streamLines(createRecordLine(watched, 0, { result: 'ok' }), createCompletionLine(watched, 0));

function Run() {
  const { run, start, cancel } = useMatrixRun('page');
  return (
    <>
      <button onClick={() => void start([watched.uuid, 'd2'])}>Check all</button>
      <button onClick={cancel}>Stop</button>
      <p>{run.isRunning ? 'it runs' : 'it rests'}</p>
      <p>now {useWatch(watched.uuid)?.now}</p>
    </>
  );
}

test('the end of a run cancels what the run has begun, and not the check of a watch', async () => {
  const open = new Map<string, ServerResponse>();
  server.answer((request, response) => {
    const path = request.url ?? '';
    open.set(path, response);
    response.on('close', () => open.delete(path));
  });
  const { client, user } = openPage(<Run />);
  startWatch(client, watched);
  await waitFor(() => expect([...open.keys()]).toEqual(['/v1/domains/d1/check']));

  await user.click(screen.getByRole('button', { name: 'Check all' }));
  await waitFor(() => expect([...open.keys()]).toEqual(['/v1/domains/d1/check', '/v1/domains/d2/check']));
  await user.click(screen.getByRole('button', { name: 'Stop' }));
  await screen.findByText('it rests');
  await waitFor(() => expect([...open.keys()]).toEqual(['/v1/domains/d1/check']));

  right({} as never, open.get('/v1/domains/d1/check') as never);
  await screen.findByText('now right');
  expect(server.received).toHaveLength(2);
  stopWatch(client, watched.uuid);
});
