import { expect, test } from 'vitest';
import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import { createFinding } from '../../testing/testReport.ts';
import { createFailurePolicy, type FailOn } from './failurePolicy.ts';
import { exitCodeOf } from './report.ts';

const RECORD = { type: 'A', name: 'a.test', value: '192.0.2.1', is_valid: null };

test.each<[results: (RecordStatus | 'advice' | 'refused' | 'unsupported')[], failOn: FailOn[], code: number]>([
  [[], [], 0],
  [['ok', 'warn', 'advice'], [], 0],
  [['ok', 'pending'], [], 4],
  [['pending', 'unknown'], [], 3],
  [['pending', 'unknown', 'fail'], [], 1],
  [['pending'], ['warn', 'pending'], 1],
  [['ok', 'warn'], ['pending', 'warn'], 1],
  [['ok', 'advice'], ['warn'], 1],
  [['ok', 'advice'], ['pending', 'unknown'], 0],
  [['ok', 'refused'], [], 1],
  [['unknown'], ['unknown'], 1],
  [['ok', 'unsupported'], ['unknown'], 0],
  [['fail'], ['warn'], 1],
])('%j give, where %j fail, the exit code %i', (results, failOn, code) => {
  const judge = createFailurePolicy(failOn, null);
  const lines = results.map((result) => {
    if (result === 'advice' || result === 'refused') {
      const finding = createFinding('A', result === 'refused' ? 'fail' : 'warn');
      return judge('a.test', { kind: 'advice', about: 'dmarc', finding }, 'dmarc');
    }
    const isSupported = result !== 'unsupported';
    const finding = isSupported ? createFinding('CODE', result) : createFinding('TYPE_UNSUPPORTED', 'unknown');
    return judge('a.test', { kind: 'record', record: RECORD, ttl: 0, finding }, 'A a.test');
  });
  expect(exitCodeOf(lines)).toBe(code);
});
