import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createPageMeta } from '#contract/list.ts';
import { sessionQuery } from '../../session/session.ts';
import { openPage } from '../../testing/testPage.tsx';
import { json, setUpTestServer } from '../../testing/testServer.ts';
import { sessionWith } from '../../testing/testSession.ts';
import { Story } from './Story.tsx';

const server = setUpTestServer();

test('an export of events says whose they are, so that the admin command can import it', async () => {
  const uuid = '018f0000-0000-7000-8000-00000000000a';
  const event = { uuid: '018f0000-0000-7000-8000-0000000000e1', event_name: 'opened', attributes: { n: 1 } };
  const data = [{ ...event, created_at: '2026-01-02T03:04:05.000Z' }];
  server.answer(json({ data, meta: createPageMeta({ page: 1, per_page: 25 }, 1) }));
  const page = openPage(null, '/');
  page.client.setQueryData(sessionQuery.queryKey, sessionWith({ capabilities: [] }));
  page.show(<Story contact={uuid} />);
  const written: string[] = [];
  const closed = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const createWritable = async () => ({ write: async (text: string) => void written.push(text), close: closed });
  vi.stubGlobal('showSaveFilePicker', async () => ({ createWritable }));
  const save = async (format: string) => {
    written.length = 0;
    closed.mockClear();
    await page.user.click(await screen.findByRole('button', { name: 'Export and share events' }));
    await page.user.click(await screen.findByRole('button', { name: `Save as ${format}` }));
    await expect.poll(() => closed.mock.calls.length).toBe(1);
    await page.user.keyboard('{Escape}');
    return written.join('');
  };
  expect(await save('CSV')).toBe(
    `\ufeffcontact,uuid,event_name,attributes,created_at\r\n${uuid},${event.uuid},opened,"{""n"":1}",2026-01-02T03:04:05.000Z\r\n`,
  );
  expect(JSON.parse(await save('NDJSON'))).toEqual({ contact: uuid, ...data[0] });
});
