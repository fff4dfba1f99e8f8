import { expect, test } from 'vitest';
import { judgeSpf } from '../dns/spf/judgeSpf.ts';
import type { ResourceRecord, RecordType } from '../dns/wire/message.ts';
import type { LookUp } from '../dns/conversation/lookUp.ts';

/** Values by type; null for a query that fails. An MX is the name of its host. */
type Records = Readonly<Partial<Record<RecordType, readonly string[] | null>>>;

/** For tests: a DNS with these names only. */
export function fakeLookUp(zone: Readonly<Record<string, Records>>): LookUp & { asked: string[] } {
  const asked: string[] = [];
  const lookUp: LookUp = async (name, type) => {
    asked.push(`${name} ${type}`);
    const values = zone[name] === undefined ? [] : zone[name][type];
    const records =
      values === null
        ? null
        : (values ?? []).map((value): ResourceRecord => ({
            name,
            type,
            ttl: 300,
            value,
            priority: type === 'MX' ? 10 : null,
          }));
    return { name, type, records, isNxdomain: zone[name] === undefined, reason: records === null ? 'timed out' : '' };
  };
  return Object.assign(lookUp, { asked });
}

// The owner's name is o.test. The provider lists "include:spf.p.test", which has 198.51.100.0/24.

type Zone = Parameters<typeof fakeLookUp>[0];

const written = (terms: string) => `v=spf1 ${terms.replaceAll('#', 'include:spf.p.test')}`;
export const LISTED = 'include:spf.p.test ~all';
export const EXPECTED = written(LISTED);
/** A name with this SPF record. */
export const spf = (terms: string) => ({ TXT: [written(terms)] });
export const ten = Array.from({ length: 10 }, (_, index) => `a:h${index}.test`);

export const WORLD: Zone = {
  'spf.p.test': spf('ip4:198.51.100.0/24 -all'),
  'macro.p.test': spf('exists:%{i}._spf.p.test -all'),
  'broken.p.test': spf('ip4:198.51.100.0/24 include:gone.p.test -all'),
  'all.p.test': spf('+all'),
  'other.test': spf('ip4:203.0.113.0/24 -all'),
  '_spf.o.test': spf('ip4:192.0.2.0/24 include:spf.p.test -all'),
  'own.o.test': spf('ip4:192.0.2.0/24 -all'),
  'open.test': spf('ip4:0.0.0.0/1 ip4:128.0.0.0/1 -all'),
  'six.p.test': spf('ip4:198.51.100.0/24 ip6:2001:db8:5::/48 -all'),
  // Lists that are kept in the DNS: of all addresses of the provider, of some, and one that does not answer.
  ...Object.fromEntries(
    Array.from({ length: 256 }, (_, byte) => [`198.51.100.${byte}.list.test`, { A: ['127.0.0.2'] }]),
  ),
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, byte) => [`198.51.100.${byte}.part.test`, { A: ['127.0.0.2'] }]),
  ),
  '198.51.100.1.slow.test': { A: null },
  'list.hosted.test': spf('exists:%{i}.list.test -all'),
  'mailbox.hosted.test': spf('exists:%{l}.hosted.test -all'),
  'mailbox.o.test': spf('exists:%{l}.hosted.test -all'),
  'salesforce.test': spf('exists:%{i}._spf.salesforce.test -all'),
  'two.test': { TXT: ['v=spf1 a -all', 'v=spf1 -all'] },
  'bad.test': spf('ip4:1.2.3 -all'),
  'by.test': spf('include:gone.test -all'),
  'loop.test': spf('include:o.test -all'),
  'slow.test': { TXT: null, A: null, MX: null },
  'many.test': { MX: [...ten, 'a:h10.test'].map((term) => term.slice(2)) },
  'nine.test': spf(`${ten.slice(0, 9).join(' ')} -all`),
  'eight.test': spf(`${ten.slice(0, 8).join(' ')} -all`),
  'o.test': { A: ['192.0.2.80'], AAAA: ['2001:db8::80'], MX: ['mail.o.test'] },
  'mail.o.test': { A: ['192.0.2.25'], AAAA: ['2001:db8::25'] },
  ...Object.fromEntries(ten.map((term, index) => [term.slice(2), { A: [`192.0.2.${index}`] }])),
};

export function judgeTexts(texts: readonly string[], expected: string | null = EXPECTED) {
  return judgeSpf({ name: 'o.test', texts, expected, lookUp: fakeLookUp(WORLD) });
}

type JudgementCase = [text: string | readonly string[], code: string, offer?: string | null, facts?: object];

/** One test for each row; what is left out is not looked at. */
export const testJudgements = (rows: readonly JudgementCase[], expected: string | null = EXPECTED) =>
  test.each(rows)('%j: %s', async (text, code, offer, facts) => {
    const judgement = await judgeTexts([text].flat(), expected);
    expect(judgement.code).toBe(code);
    if (offer !== undefined) expect(judgement.offer).toBe(offer);
    if (facts !== undefined) expect(judgement.facts).toMatchObject(facts);
  });

/** The same for SPF records, of which all texts here leave out "v=spf1 "; "#" is the include of the provider. */
export const testRecords = (rows: readonly JudgementCase[], expected: string = LISTED) =>
  testJudgements(
    rows.map(([text, code, offer, facts]) => [[text].flat().map(written), code, offer && written(offer), facts]),
    written(expected),
  );
