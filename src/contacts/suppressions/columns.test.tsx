import { cleanup } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { listSuppressions } from '#contract/suppressions/suppressedContacts.ts';
import type { EndpointReading } from '#contract/openapi/endpoint.ts';
import { must } from '#contract/values/must.ts';
import { openPage } from '../../testing/testPage.tsx';
import { columns, toRow } from './columns.tsx';

type Said = Partial<EndpointReading<typeof listSuppressions>['data'][number]>;

function textOf(said: Said): string {
  const contact = { uuid: 'u', subscribed: false, attributes: {}, created_at: null, updated_at: null, provider: null };
  const unsaid = { reason: null, ticket: null, origin: null, actor: null, since: null, recorded_at: null };
  const cell = must(columns.find(({ id }) => id === 'since')).cell;
  openPage(<div data-testid="since">{cell(toRow({ contact, ...unsaid, ...said }))}</div>);
  const text = must(document.querySelector('[data-testid=since]')).cloneNode(true) as Element;
  // They copy the exact time.
  for (const button of text.querySelectorAll('button')) button.remove();
  return must(text.textContent);
}

afterEach(cleanup);

const [MARCH, MAY] = ['2024-03-03T09:30:00.000Z', '2024-05-12T09:30:00.000Z'];

test.each<[string, Said, RegExp]>([
  [
    'a reason that was recorded later',
    { reason: 'complaint', recorded_at: MAY },
    /Mar.*2024.*reason recorded.*May.*2024/,
  ],
  ['an import of a day', { origin: 'import', recorded_at: MAY }, /Mar.*2024.*imported.*May.*2024/],
  ['no reason, recorded later', { recorded_at: MAY }, /2024recorded.*May/],
  ['the same day', { reason: 'complaint', recorded_at: '2024-03-03T09:31:00.000Z' }, /^[^a-z]*Mar[^a-z]*2024$/],
  ['an older service', { reason: 'complaint' }, /^[^a-z]*Mar[^a-z]*2024$/],
  ['another format of times', { recorded_at: 'last May' }, /^[^a-z]*Mar[^a-z]*2024$/],
])('since when: %s', (_, said, shown) => {
  expect(textOf({ since: MARCH, ...said })).toMatch(shown);
});
