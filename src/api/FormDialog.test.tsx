import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { openPage } from '../testing/testPage.tsx';
import { ApiError, describeFields } from './ApiError.ts';
import { ConfirmDialog, FormDialog } from './FormDialog.tsx';

function open(call: { isPending: boolean; error: unknown }, Frame = FormDialog) {
  const onSubmit = vi.fn<() => void>();
  const onClose = vi.fn<() => void>();
  const { user } = openPage(
    <Frame title="Subscribe Jane again?" act="Subscribe" call={call} onSubmit={onSubmit} onClose={onClose}>
      <input aria-label="Reason" />
    </Frame>,
  );
  return { user, onSubmit, onClose };
}

test('the first field has the focus, and Enter submits', async () => {
  const { user, onSubmit } = open({ isPending: false, error: null });
  expect(document.activeElement).toBe(screen.getByLabelText('Reason'));
  await user.keyboard('{Enter}');
  expect(onSubmit).toHaveBeenCalledTimes(1);
});

test('during the call it submits no second time, and can be closed', async () => {
  const { user, onSubmit, onClose } = open({ isPending: true, error: null }, ConfirmDialog);
  await user.click(screen.getByRole('button', { name: 'Subscribe' }));
  expect(onSubmit).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('an error of the call shows its fields and request ID', () => {
  const details = { status: 422, requestId: 'r-1', fields: [{ field: 'reason', message: 'Too long.' }] };
  open({ isPending: false, error: new ApiError('status', 'The request is not valid.', details) });
  const dialog = screen.getByRole('dialog');
  for (const text of ['The request is not valid.', 'reason', 'Too long.', 'r-1'])
    expect(dialog.textContent).toContain(text);
});

test.each([
  [['reason'], { reason: 'Without the name.' }],
  [['reason', 'also'], null],
  [['constructor'], null],
  [[], null],
])('a form shows errors of the fields %j itself: %j', (names, said) => {
  const fields = names.map((field) => ({ field, message: 'No.' }));
  const error = new ApiError('status', 'No.', { status: 422, fields });
  expect(describeFields(error, { reason: 'Without the name.', identity: 'Nobody.' })).toEqual(said);
});
