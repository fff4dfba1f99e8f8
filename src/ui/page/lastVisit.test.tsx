import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readLastVisit, recordVisit, useLastVisit } from './lastVisit.ts';

const at = (time: string) => new Date(`2026-03-02T${time}:00.000Z`);
const visitOf = (workspace: string) => renderHook(() => useLastVisit('domains', workspace)).result.current;

test('the last visit ended before a pause of more than half an hour', () => {
  expect(visitOf('w1')).toBeNull();
  recordVisit('domains', 'w1', at('08:00'));
  recordVisit('domains', 'w1', at('08:20'));
  expect(visitOf('w1')).toBeNull();
  recordVisit('domains', 'w1', at('09:00'));
  expect(visitOf('w1')).toBe('2026-03-02T08:20:00.000Z');
  // A refresh is the same visit.
  recordVisit('domains', 'w1', at('09:29'));
  expect(visitOf('w1')).toBe('2026-03-02T08:20:00.000Z');
  expect(readLastVisit('domains', 'w1', at('10:30'))).toBe('2026-03-02T09:29:00.000Z');
  recordVisit('domains', 'w1', at('10:30'));
  expect(visitOf('w1')).toBe('2026-03-02T09:29:00.000Z');
  expect(visitOf('w2')).toBeNull();
  expect(readLastVisit('overview', 'w1', at('10:30'))).toBeNull();
});

test('a setting that somebody else wrote counts as none', () => {
  localStorage.setItem('sendroom-domains-seen-w3', 'yesterday at noon');
  window.dispatchEvent(new StorageEvent('storage', { key: 'sendroom-domains-seen-w3', newValue: 'yesterday at noon' }));
  expect(visitOf('w3')).toBeNull();
});
