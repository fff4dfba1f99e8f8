import { expect, test } from 'vitest';
import { createLiveCheck, domainWith } from '../../testing/testCheck.ts';
import { listItems } from '../records/items.ts';
import { readDmarc } from './dmarcInput.ts';

const DMARC = { type: 'TXT', name: '_dmarc.mail.x.test', value: 'v=DMARC1; p=none', is_valid: false };
const FIX = { todo: '', type: 'TXT', host: '_dmarc.mail', name: DMARC.name, value: DMARC.value, priority: null };

test.each([
  ['offers no next record while the listed one is to be corrected', { result: 'fail' as const, fix: FIX }, true],
  ['offers one where the listed one is right', { result: 'ok' as const }, false],
])('%s', (_, finding, isBeingFixed) => {
  const domain = domainWith(DMARC);
  const items = listItems(domain, createLiveCheck(domain, finding), undefined, false);
  expect(readDmarc(domain, items, undefined).isBeingFixed).toBe(isBeingFixed);
});
