import { expect, test } from 'vitest';
import {
  findApplicableStep,
  findOrganisationalDomain,
  pickDmarcRecord,
  type TreeWalkStep,
  walkTargets,
} from './treeWalk.ts';

test('receivers look at eight names at most (the example of RFC 9989, section 4.10)', () => {
  expect(walkTargets('a.b.c.d.e.f.g.h.i.j.mail.example.com')).toEqual([
    'a.b.c.d.e.f.g.h.i.j.mail.example.com',
    'g.h.i.j.mail.example.com',
    'h.i.j.mail.example.com',
    'i.j.mail.example.com',
    'j.mail.example.com',
    'mail.example.com',
    'example.com',
    'com',
  ]);
  expect(walkTargets('example.com')).toEqual(['example.com', 'com']);
});

const steps = (records: Readonly<Record<string, string>>, domain: string): TreeWalkStep[] =>
  walkTargets(domain).map((one) => ({
    domain: one,
    record: pickDmarcRecord(records[one] === undefined ? [] : [records[one]]),
  }));

// Records by their domains, where the walk starts, its organisation, and whose record counts (section 4.10.2).
test.each<[Record<string, string>, string, string, string | undefined]>([
  [{ 'mail.example.com': 'v=DMARC1', 'example.com': 'v=DMARC1' }, 'a.mail.example.com', 'example.com', 'example.com'],
  [{ 'mail.example.com': 'v=DMARC1' }, 'a.mail.example.com', 'mail.example.com', 'mail.example.com'],
  [{ com: 'v=DMARC1; psd=y' }, 'a.mail.example.com', 'example.com', 'com'],
  [{ 'example.com': 'v=DMARC1', com: 'v=DMARC1; psd=y' }, 'a.example.com', 'example.com', 'example.com'],
  [{ 'a.example.com': 'v=DMARC1', 'example.com': 'v=DMARC1' }, 'a.example.com', 'example.com', 'a.example.com'],
  [{ 'example.com': 'v=DMARC1; psd=y' }, 'example.com', 'example.com', 'example.com'],
  [{ 'example.com': 'v=DMARC1; psd=y' }, 'a.example.com', 'a.example.com', 'example.com'],
  [{}, 'a.example.com', 'a.example.com', undefined],
])('%j from %s', (records, domain, organisation, applying) => {
  const walked = steps(records, domain);
  expect(findOrganisationalDomain(domain, walked)).toBe(organisation);
  expect(findApplicableStep(domain, walked)?.domain).toBe(applying);
});

test('receivers discard several records at a name, and what is none', () => {
  expect(pickDmarcRecord(['v=DMARC1; p=none', 'v=DMARC1; p=reject'])).toBeNull();
  expect(pickDmarcRecord(['v=dmarc1; p=none', ' v=DMARC1; p=none', 'v=spf1 -all'])).toBeNull();
  expect(pickDmarcRecord(['v=spf1 -all', 'v=DMARC1; p=reject'])?.tags).toEqual(new Map([['p', 'reject']]));
});
