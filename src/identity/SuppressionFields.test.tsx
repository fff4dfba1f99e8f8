import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openPage } from '../testing/testPage.tsx';
import { useSuppressionForm } from './SuppressionFields.tsx';

const sent: unknown[] = [];

function Fields() {
  const { body, field, submit } = useSuppressionForm(true);
  return (
    <>
      {field}
      <button onClick={() => submit(() => sent.push(body))}>Unsubscribe</button>
    </>
  );
}

const ticket = () => screen.getByLabelText<HTMLInputElement>('Ticket (optional)');
const reason = () => screen.getByLabelText<HTMLSelectElement>('Reason (optional)');

test('each contact begins without ticket and reason; the last ticket is filled in by its button only', async () => {
  const { user, show } = openPage(<Fields key="first" />);
  expect(screen.queryByRole('button', { name: /again/ })).toBeNull();
  await user.type(ticket(), 'HD-3001');
  await user.selectOptions(reason(), 'Marked mail as spam');
  await user.click(screen.getByText('Unsubscribe'));
  expect(sent.splice(0)).toEqual([{ ticket: 'HD-3001', reason: 'complaint' }]);

  show(<Fields key="second" />);
  expect([ticket().value, reason().value]).toEqual(['', '']);
  await user.click(screen.getByText('Unsubscribe'));
  expect(sent.splice(0)).toEqual([undefined]);

  show(<Fields key="third" />);
  await user.click(screen.getByRole('button', { name: 'Use HD-3001 again' }));
  expect([ticket().value, reason().value]).toEqual(['HD-3001', '']);
  expect(document.activeElement).toBe(ticket());
  await user.click(screen.getByText('Unsubscribe'));
  expect(sent.splice(0)).toEqual([{ ticket: 'HD-3001' }]);
});
