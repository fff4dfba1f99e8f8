import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { openPage } from '../testing/testPage.tsx';
import { dropUnsaved, hasUnsaved, keepUnsaved, RUNNING_IMPORT, useUnsavedDraft } from './unsavedDrafts.ts';

/** Whether a browser would ask before it closes the tab. */
const asksBeforeClosing = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

function Dialog() {
  const [isOpen, setOpen] = useState(true);
  return isOpen && <Typed onClose={() => setOpen(false)} />;
}

function Typed({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  useUnsavedDraft(text !== '');
  return (
    <>
      <input value={text} onChange={(event) => setText(event.currentTarget.value)} />
      <button onClick={onClose}>Close</button>
    </>
  );
}

test('input in a dialog is a draft only while the dialog is open', async () => {
  const { client, user } = openPage(<Dialog />);
  const asks = () => [hasUnsaved(client), asksBeforeClosing()];
  expect(asks()).toEqual([false, false]);
  const box = screen.getByRole('textbox');
  await user.type(box, 'because');
  expect(asks()).toEqual([true, true]);
  await user.clear(box);
  expect(asks()).toEqual([false, false]);
  await user.type(box, 'because');
  await user.click(screen.getByRole('button'));
  expect(asks()).toEqual([false, false]);
});

test('closing the tab asks until the last draft is dropped', () => {
  const { client } = openPage(null);
  const asks = () => [hasUnsaved(client), asksBeforeClosing()];
  keepUnsaved(client, 'one', 1);
  keepUnsaved(client, 'two', 2);
  dropUnsaved(client, 'one');
  expect(asks()).toEqual([true, true]);
  dropUnsaved(client, 'two');
  expect(asks()).toEqual([false, false]);
});

test('a running import makes closing the tab ask, and loses nothing', () => {
  const { client } = openPage(null);
  keepUnsaved(client, RUNNING_IMPORT, true);
  expect([hasUnsaved(client), asksBeforeClosing()]).toEqual([false, true]);
  dropUnsaved(client, RUNNING_IMPORT);
});

test('other tabs know of a draft while it exists', async () => {
  const request = vi.fn<(name: string, options: LockOptions, held: () => Promise<void>) => void>();
  vi.stubGlobal('navigator', { userAgent: navigator.userAgent, locks: { request } });
  const { client } = openPage(null);
  keepUnsaved(client, 'one', 1);
  const [, options, held] = request.mock.lastCall ?? [];
  expect(options).toEqual({ mode: 'shared' });
  const released = vi.fn<() => void>();
  void held?.().then(released);
  await Promise.resolve();
  expect(released).not.toHaveBeenCalled();
  dropUnsaved(client, 'one');
  await expect.poll(() => released.mock.calls.length).toBe(1);
  vi.unstubAllGlobals();
});
