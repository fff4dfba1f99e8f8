import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { entryAt } from '../testing/testEntry.ts';
import { openPage } from '../testing/testPage.tsx';
import { NamedEntry } from './NamedEntry.tsx';

const IDA = { name: 'Ida Roe', email: 'ida@north.example', company: 'North' };
const nobody = { name: '', email: '', company: '' };

test.each([
  ['the name and email of the service', 'IDA@north.example', IDA, 'Ida Roe, ida@north.example'],
  [
    'no sentence that has the email',
    'ida@north.example (in “remove ida@north.example”)',
    IDA,
    'Ida Roe, ida@north.example',
  ],
  [
    'the text if it says something else',
    '+44 20 7946 0958',
    IDA,
    'Ida Roe, ida@north.example, listed as +44 20 7946 0958',
  ],
  ['the email alone', 'ida@north.example', { ...IDA, name: '' }, 'ida@north.example'],
  ['the name alone', 'C-70001', { ...IDA, email: '' }, 'Ida Roe, listed as C-70001'],
  ['the text of a contact without either', '+44 20 7946 0958', nobody, '+44 20 7946 0958'],
  ['the text before a look-up', 'Ida <ida@north.example>', null, 'Ida <ida@north.example>'],
])('shows %s', (_, text, person, shown) => {
  openPage(
    <p role="note">
      <NamedEntry entry={entryAt(0, { text, person })} />
    </p>,
  );
  expect(screen.getByRole('note').textContent).toBe(shown);
});
