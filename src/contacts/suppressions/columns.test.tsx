import { cleanup } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { listSuppressions } from '#contract/suppressions/suppressedContacts.ts';
import type { EndpointReading } from '#contract/openapi/endpoint.ts';
import { must } from '#contract/values/must.ts';
import { openPage } from '../../testing/testPage.tsx';
import { columns, toRow } from './columns.tsx';

type Said = Partial<EndpointReading<typeof listSuppressions>['data'][number]>;

function whyOf(said: Said): string {
  const contact = { uuid: 'u', subscribed: false, attributes: {}, created_at: null, updated_at: null, provider: null };
  const unsaid = { reason: null, ticket: null, origin: null, actor: null, since: null, recorded_at: null };
  const { cell } = must(columns.find(({ id }) => id === 'reason'));
  openPage(<div data-testid="why">{cell(toRow({ contact, ...unsaid, ...said }))}</div>);
  const text = must(document.querySelector('[data-testid=why]')).cloneNode(true) as Element;
  // They copy the exact time.
  for (const button of text.querySelectorAll('button')) button.remove();
  return text.textContent;
}

afterEach(cleanup);

const [MARCH, MAY] = ['2024-03-03T09:30:00.000Z', '2024-05-12T09:30:00.000Z'];

test.each<[string, Said, RegExp]>([
  ['recorded later', { reason: 'complaint', recorded_at: MAY }, /^Marked mail as spamrecorded .*May.*2024/],
  [
    'of an import of a day',
    { reason: 'bounce', origin: 'import', recorded_at: MAY },
    /^Mail bouncedimported .*May.*2024/,
  ],
  ['that an import left out', { origin: 'program', recorded_at: MAY }, /^Not recordedimported .*May.*2024/],
  ['of the same day', { reason: 'complaint', recorded_at: '2024-03-03T09:31:00.000Z' }, /^Marked mail as spam$/],
  ['from an older service', { reason: 'complaint' }, /^Marked mail as spam$/],
  ['with another format of times', { reason: 'complaint', recorded_at: 'last May' }, /^Marked mail as spam$/],
])('a reason %s', (_, said, shown) => {
  expect(whyOf({ since: MARCH, ...said })).toMatch(shown);
});
