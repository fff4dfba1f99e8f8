import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding } from '#contract/domains/dnsCheck.ts';
import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { must } from '#contract/values/must.ts';
import { verifyWorkspace } from '../../cli/admin/verify.ts';
import { limitFinding } from '../../dns/finding/toFinding.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { importDomain } from '../../testing/testDomains.ts';
import { adviceLine, recordLine, watchLine } from '../../testing/testLooks.ts';
import { putVerdicts } from '../putVerdicts.ts';

// A model that has all looks, and finds the spans in them, against what is stored look by look.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());

const recordOf = (value: string) => ({ type: 'cname', name: 'K1._domainkey.a.test', value, is_valid: false });
const SUBJECT = 'CNAME k1._domainkey.a.test';

type Seen = Pick<Finding, 'result' | 'code' | 'found' | 'turn' | 'cause'>;
/** A look at all subjects, or an import of another record, so many milliseconds after the step before. */
type Step = { after: number; looks: Record<string, Seen | null> | null; diagnosis: string };
type ModelSpan = Seen & {
  subject: string;
  started: number;
  ended: number;
  previous: [RecordStatus, number] | null;
  isChange: boolean;
};

const keyOf = ({ result, code, found, turn, cause }: Seen) =>
  JSON.stringify([result, code, found.toSorted(), turn, cause]);

/** Whether 20 spans have begun within a day. */
const isFrequent = (spans: readonly ModelSpan[], at: number) =>
  spans.filter(({ started }) => started > at - 24 * HOUR).length >= 20;

/** From the rules: what is the same in looks that follow each other within 48 hours is one span. */
function spansOf(subject: string, events: { at: number; seen: Seen | null; isImport: boolean }[]): ModelSpan[] {
  const spans: ModelSpan[] = [];
  let isOpen = false;
  let lastLook = -Infinity;
  for (const { at, seen, isImport } of events) {
    const last = spans.at(-1);
    if (isImport) {
      isOpen &&= subject !== SUBJECT;
      continue;
    }
    const joins = isOpen && last !== undefined && seen !== null && keyOf(last) === keyOf(seen);
    if (joins && at - lastLook <= 48 * HOUR) last.ended = at;
    else if (seen !== null && last !== undefined && isFrequent(spans, at)) {
      Object.assign(last, seen, { ended: at });
    } else if (seen !== null) {
      const known = spans.findLast(({ result }) => result !== 'unknown');
      spans.push({
        ...seen,
        subject,
        started: at,
        ended: at,
        previous: known === undefined ? null : [known.result, known.ended],
        isChange: known !== undefined && seen.result !== 'unknown' && keyOf(known) !== keyOf(seen),
      });
    }
    isOpen = seen !== null;
    lastLook = at;
  }
  return spans;
}

const seen = fc.record({
  result: fc.constantFrom<RecordStatus>('ok', 'ok', 'fail', 'unknown', 'pending'),
  code: fc.constantFrom('A', 'B'),
  found: fc.constantFrom<string[]>([], ['x', 'y'], ['y', 'x']),
  turn: fc.constantFrom<Finding['turn']>(null, 'owner'),
  cause: fc.constantFrom(null, 'include:spf.example.net'),
});
const few = fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: seen });
const NORMAL: Seen = { result: 'ok', code: 'A', found: ['x'], turn: null, cause: null };
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    after: fc.constantFrom(MINUTE, 10 * MINUTE, 24 * HOUR, 48 * HOUR, 48 * HOUR + 1),
    looks: fc.option(
      fc.record({
        // Now and then another finding, and advice that is not always given.
        [SUBJECT]: few.map((one) => one ?? NORMAL),
        dmarc: fc.oneof(fc.constant(NORMAL), few),
        ns: fc.constant(NORMAL),
      }),
      { freq: 8 },
    ),
    diagnosis: fc.constantFrom('One sentence.', 'Another sentence.'),
  }),
  { maxLength: 35 },
);

let count = 0;

test('are those of a model that knows all looks', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const name = `a${count++}.test`;
      let value = 0;
      const put = (at: number) => importDomain(t.workspace, t.db, { name, dns: [recordOf(`v${value}`)] }, at);
      let at = NOW;
      const uuid = await put(at);
      const events: { at: number; looks: Step['looks'] }[] = [];
      let changedAt: number | null = null;
      for (const { after, looks, diagnosis } of all) {
        at += after;
        if (looks === null) {
          value++;
          await put(at);
          events.push({ at, looks: null });
          continue;
        }
        const { [SUBJECT]: record, dmarc, ns } = looks as Record<string, Seen>;
        const lines = [
          recordLine(recordOf(`v${value}`), { ...record, diagnosis }),
          ...(dmarc ? [adviceLine('dmarc', { ...dmarc, diagnosis })] : []),
          watchLine('ns', { ...ns, diagnosis }),
        ];
        await putVerdicts(t.workspace, t.db, uuid, lines, at, HOUR);
        events.push({ at, looks });
      }
      const expected = [SUBJECT, 'dmarc', 'ns'].flatMap((subject) =>
        spansOf(
          subject,
          events.map(({ at: time, looks }) => ({ at: time, seen: looks?.[subject] ?? null, isImport: looks === null })),
        ),
      );
      for (const { isChange, started } of expected) if (isChange) changedAt = Math.max(changedAt ?? 0, started);
      const looked = events.findLast(({ looks }) => looks !== null);
      expect(await readStored(uuid)).toEqual({
        checked_at: looked?.at ?? null,
        changed_at: changedAt,
        spans: expected.map(toComparable).toSorted(),
        // The newest words of what is current.
        diagnoses: looked === undefined ? [] : [all.findLast(({ looks }) => looks !== null)?.diagnosis],
      });
    }),
    { numRuns: 60 },
  );
  expect(await verifyWorkspace(t.workspace, t.db)).toEqual([]);
});

const toComparable = ({ subject, started, ended, previous, isChange, ...one }: ModelSpan) =>
  JSON.stringify([subject, started, ended, keyOf(one), previous, isChange]);

async function readStored(uuid: string) {
  return t.db.read(t.workspace, async (scope) => {
    const domain = await scope
      .select('domains')
      .select(['checked_at', 'changed_at'])
      .where('uuid', '=', uuid)
      .executeTakeFirstOrThrow();
    const rows = await scope.select('domain_spans').selectAll().where('domain_uuid', '=', uuid).execute();
    const findings = rows.map((row) => JSON.parse(row.finding) as Finding);
    const spans = rows.map((row, index) =>
      JSON.stringify([
        row.subject,
        row.started_at,
        row.ended_at ?? domain.checked_at,
        keyOf({ ...row, found: findings[index]?.found ?? [] }),
        row.previous_result && [row.previous_result, row.previous_ended_at],
        row.is_change === 1,
      ]),
    );
    const isDirect = rows.flatMap(({ subject, ended_at }, index) =>
      subject === 'ns' && ended_at === null ? findings[index]?.diagnosis : [],
    );
    return { ...domain, spans: spans.toSorted(), diagnoses: isDirect };
  });
}

test('a subject that changes with each check has 20 spans a day and says so, whatever its name servers send', async () => {
  const name = 'flood.test';
  const uuid = await importDomain(t.workspace, t.db, { name, dns: [recordOf('v')] }, NOW);
  const look = async (at: number) => {
    const values = Array.from({ length: 20 }, () => randomBytes(1450).toString('hex'));
    const records = values.map((value) => ({ name, type: 'TXT', value: value.slice(0, 2000), ttl: 0 }));
    const response = { server: 'ns', address: '::1', at: new Date(at).toISOString(), answer: 'NOERROR' };
    const evidence = Array.from({ length: 20 }, (_, index) => ({ ...response, records: records.slice(index) }));
    const line = recordLine(recordOf('v'), { result: 'fail', found: values, evidence });
    await putVerdicts(t.workspace, t.db, uuid, [{ ...line, finding: limitFinding(line.finding) }], at, HOUR);
    return limitFinding(line.finding).found;
  };
  let last: string[] = [];
  for (let check = 0; check < 200; check++) last = await look(NOW + check * 18_000);
  const rows = await t.db.read(t.workspace, (scope) =>
    scope.select('domain_spans').selectAll().where('domain_uuid', '=', uuid).orderBy('started_at').execute(),
  );
  expect(rows).toHaveLength(20);
  expect(JSON.stringify(rows).length).toBeLessThan(400_000);
  const current = JSON.parse(must(rows.at(-1)).finding) as Finding;
  expect([current.found, current.diagnosis]).toEqual([
    last,
    'As a test says. It changed more than 20 times in a day, so the history has only the latest state.',
  ]);
  // A day later there is room again.
  await look(NOW + 25 * HOUR);
  expect((await readStored(uuid)).spans).toHaveLength(21);
}, 60_000);

test.each(['ns:a\u0000b\u0001.evil.test', 'ns:x\n\nYour session ended.\n'])('a name server named %j', async (cause) => {
  const name = `named${count++}.test`;
  const uuid = await importDomain(t.workspace, t.db, { name, dns: [{ ...recordOf('v'), is_valid: true }] }, NOW);
  const line = recordLine(recordOf('v'), { result: 'fail', found: [cause], cause });
  for (const after of [0, 11 * MINUTE]) {
    const finding = limitFinding(line.finding);
    await putVerdicts(t.workspace, t.db, uuid, [{ ...line, finding }], NOW + after, HOUR);
  }
  const { cause: stored } = await t.db.read(t.workspace, (scope) =>
    scope.select('incidents').select('cause').where('domain_uuid', '=', uuid).executeTakeFirstOrThrow(),
  );
  expect(stored).toBe(escapeInvisible(cause));
  expect(stored).not.toMatch(/\p{Cc}/u);
});

test('a check that began before the last one is too late', async () => {
  const name = 'late.test';
  const uuid = await importDomain(t.workspace, t.db, { name, dns: [recordOf('v')] }, NOW);
  const look = (at: number, result: RecordStatus) =>
    putVerdicts(t.workspace, t.db, uuid, [recordLine(recordOf('v'), { result })], at, HOUR);
  await look(NOW + 2000, 'ok');
  await look(NOW + 1000, 'fail');
  expect(await readStored(uuid)).toMatchObject({ checked_at: NOW + 2000, spans: [expect.stringContaining('ok')] });
});
