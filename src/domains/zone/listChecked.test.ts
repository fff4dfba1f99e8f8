import { expect, test } from 'vitest';
import { writeRecordFile } from '#contract/recordFiles/recordFile.ts';
import { createFinding, createLiveCheck, createRecord, domainWith } from '../../testing/testCheck.ts';
import { listItems } from '../records/items.ts';
import type { LiveCheck } from '../check/liveCheck.ts';
import { listChecked } from './listChecked.ts';

const CNAME = createRecord('CNAME', 'k1._domainkey.mail.x.test', 'k1.y.test');
const TOKEN = createRecord('TXT', '*.mail.x.test', '"token=" "1"');
const SPF = createRecord('TXT', 'mail.x.test', 'v=spf1 include:y.test ~all');
const RIGHT = { ...createRecord('MX', 'bounce.mail.x.test', '10 mx.y.test'), is_valid: true };
const DOMAIN = domainWith(CNAME, TOKEN, SPF, RIGHT);
const fileAfter = (check: LiveCheck | undefined) =>
  writeRecordFile('zone', listChecked(DOMAIN, listItems(DOMAIN, check, undefined, false)));

test('before a check, what the service has not stored as right is added, and what a name has one of is for people', () => {
  const lines = fileAfter(undefined).split('\n');
  expect(lines.filter((line) => !line.startsWith(';'))).toEqual(['*.mail.x.test.\t3600\tIN\tTXT\t"token=1"', '']);
  expect(lines.join('\n')).toContain("Add it only if there's no SPF record yet.\n; mail.x.test. IN TXT");
  expect(lines.join('\n')).toContain(
    "Add it only if there's no other record yet.\n; k1._domainkey.mail.x.test. IN CNAME",
  );
  expect(lines.join('\n')).not.toContain('mx.y.test');
});

test('after a check its findings count, and its advice', () => {
  const check = createLiveCheck(DOMAIN, ...DOMAIN.dns!.map(() => ({ result: 'ok' as const })));
  expect(fileAfter(check)).toBe('; Nothing has to change.\n');
  const finding = createFinding({ result: 'fail', diagnosis: 'Two records.' });
  const advised = { ...check, lines: [...check.lines, { kind: 'advice' as const, about: 'dmarc', finding }] };
  expect(fileAfter(advised)).toBe('; Not in this file:\n; dmarc of mail.x.test: Two records.\n');
});
