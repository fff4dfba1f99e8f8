import { expect, test } from 'vitest';
import type { ReadableLogLine } from '#contract/auditLog.ts';
import { describeChange } from '../identity/describeChange.ts';
import { describeLine } from './describeLine.ts';

const LINE: ReadableLogLine = {
  uuid: '0199aaaa-0000-7000-8000-000000000001',
  number: 1,
  action: 'export',
  created_at: null,
  actor: null,
  contact: null,
  request_id: null,
  run: null,
  reason: null,
  fields: null,
  field_count: null,
  details: null,
};

// Of another service. Every object has something of these names.
test.each(['archive', 'constructor', 'toString'])('the unknown word "%s" is told as the service says it', (word) => {
  expect(describeLine({ ...LINE, action: word })).toBe(word);
  expect(describeLine({ ...LINE, details: { operation: word } })).toBe(`Exported ${word}`);
  expect(describeChange({ action: word, fields: ['attributes.plan'] })).toBe(`${word} plan`);
});
