import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ResponsibleParty } from '#contract/domains/responsibleParty.ts';
import { DomainChange, listDomainChanges as changesOf } from '#contract/domains/domainHistory.ts';
import { type DomainReport, listDomainReports as contract } from '#contract/domains/domainReport.ts';
import { DOMAIN_STATES } from '#contract/domains/domainState.ts';
import { RECORD_STATUSES, type RecordStatus } from '#contract/domains/recordStatus.ts';
import { must } from '#contract/values/must.ts';
import { COMMAND } from '../../database/changeLog/author.ts';
import { seededRandom } from '../../demo/seededRandom.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { importDomain } from '../../testing/testDomains.ts';
import { ALL } from '../../testing/testList.ts';
import { adviceLine, recordLine } from '../../testing/testLooks.ts';
import { summarizeDomains } from '../countStates.ts';
import { putVerdicts } from '../putVerdicts.ts';
import { exportSpans } from './exportSpans.ts';
import { getDomainReport, listDomainReports } from './listReports.ts';
import { getDomainHistory, listDomainChanges } from './listSpans.ts';
import { updateDomain } from './updateDomain.ts';

const HOUR = 3_600_000;
const DOMAINS = 40;

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
  await fill();
});
afterAll(() => t[Symbol.asyncDispose]());

const recordOf = (name: string) => ({ type: 'TXT', name, value: 'v', is_valid: false });

async function fill(): Promise<void> {
  const random = seededRandom(7);
  const result = () => random.pick<RecordStatus>(['ok', 'ok', 'warn', 'fail', 'pending', 'unknown']);
  const turn = () => random.pick<ResponsibleParty | null>([null, 'owner', 'provider']);
  for (let at = 0; at < DOMAINS; at++) {
    const name = `${random.pick(['mail', 'news'])}${at}.example`;
    const dns = [recordOf(name), recordOf(`k1.${name}`)];
    const uuid = await importDomain(
      t.workspace,
      t.db,
      { name, provider: random.pick(['ses', 'SES', '']), created_at: NOW - (at % 7) * HOUR, dns },
      NOW,
    );
    // Some were never checked.
    for (let look = 0; look < at % 4; look++) {
      const lines = [
        ...dns.map((record) => recordLine(record, { result: result(), turn: turn(), code: random.pick(['A', 'B']) })),
        adviceLine('dmarc', { result: result(), cause: random.pick([null, 'include:a.example']) }),
      ];
      await putVerdicts(t.workspace, t.db, uuid, lines, NOW + look * HOUR + at, HOUR);
    }
  }
}

const reports = (query: Partial<typeof ALL>) => listDomainReports(t.workspace, t.db, { ...ALL, ...query });

const KEYS: Record<string, (report: DomainReport) => string | number> = {
  urgency: ({ state, verdicts }) => {
    const count = (wanted: RecordStatus) => verdicts.filter(({ result }) => result === wanted).length;
    return DOMAIN_STATES.indexOf(state) * 10_000 + count('fail') * 100 + count('warn');
  },
  name: ({ domain }) => domain.name,
  provider: ({ domain }) => domain.provider.toLowerCase(),
  checked_at: ({ checked_at }) => checked_at ?? '',
  changed_at: ({ changed_at }) => changed_at ?? '',
  created_at: ({ domain }) => domain.created_at,
};

/** Filters, sorts and slices in memory. */
function expectedPage(all: readonly DomainReport[], query: typeof ALL): string[] {
  const { state, turn, code, cause, provider, changed_since } = query.filters;
  const found = all.filter(
    (report) =>
      report.domain.name.includes(query.search) &&
      (state === undefined || report.state === state) &&
      (provider === undefined || report.domain.provider.toLowerCase() === provider.toString().toLowerCase()) &&
      (changed_since === undefined || (report.changed_at ?? '') >= String(changed_since)) &&
      report.verdicts.length >= ((turn ?? code ?? cause) === undefined ? 0 : 1) &&
      ((turn ?? code ?? cause) === undefined ||
        report.verdicts.some(
          (verdict) =>
            (turn === undefined || verdict.turn === turn) &&
            (code === undefined || verdict.code === code) &&
            (cause === undefined || verdict.cause === cause),
        )),
  );
  const sorting = query.sorting.length > 0 ? query.sorting : [{ id: 'urgency', desc: true }];
  const terms = sorting.flatMap(({ id, desc }) =>
    id === 'urgency'
      ? [
          { id, desc },
          { id: 'name', desc: !desc },
        ]
      : [{ id, desc }],
  );
  const keyed = [...terms, { id: 'uuid', desc: must(terms.at(-1)).desc }].map(({ id, desc }) => ({
    key: KEYS[id] ?? (({ domain }: DomainReport) => domain.uuid),
    desc,
  }));
  const sorted = found.toSorted((one, other) => {
    for (const { key, desc } of keyed) {
      const [left, right] = [key(one), key(other)];
      if (left !== right) return left < right === desc ? 1 : -1;
    }
    return 0;
  });
  const start = (query.page - 1) * query.per_page;
  return [String(sorted.length), ...sorted.slice(start, start + query.per_page).map(({ domain }) => domain.name)];
}

test('the list of reports is what filtering, sorting and slicing all of them gives', async () => {
  const { data: all } = await reports({});
  expect(all).toHaveLength(DOMAINS);
  expect(new Set(all.map(({ state }) => state))).toEqual(new Set(DOMAIN_STATES));
  const query = fc.record({
    page: fc.integer({ min: 1, max: 3 }),
    per_page: fc.constant(7),
    search: fc.constantFrom('', '', 'mail', '1', 'nothing'),
    sorting: fc.uniqueArray(fc.record({ id: fc.constantFrom(...contract.list.sortable), desc: fc.boolean() }), {
      maxLength: 2,
      selector: ({ id }) => id,
    }),
    filters: fc.record(
      {
        state: fc.constantFrom(...DOMAIN_STATES),
        turn: fc.constantFrom('owner', 'provider', 'registrar'),
        code: fc.constantFrom('A', 'B', 'TEST'),
        cause: fc.constant('include:a.example'),
        provider: fc.constantFrom('ses', 'SES', 'other'),
        changed_since: fc.constant(new Date(NOW + HOUR + 20).toISOString()),
      },
      { requiredKeys: [] },
    ),
  });
  await fc.assert(
    fc.asyncProperty(query, async (given) => {
      const asked = given as typeof ALL;
      const { data, meta } = await reports(asked);
      expect([String(meta.total), ...data.map(({ domain }) => domain.name)]).toEqual(expectedPage(all, asked));
    }),
    { numRuns: 150 },
  );
});

test('the counts of the workspace are those of the reports', async () => {
  const { data } = await reports({});
  const counted = DOMAIN_STATES.map((state) => [state, data.filter((report) => report.state === state).length]);
  expect(await summarizeDomains(t.workspace, t.db)).toMatchObject({ total: DOMAINS, ...Object.fromEntries(counted) });
});

const changes = async (query: Partial<typeof ALL> = {}) =>
  (await listDomainChanges(t.workspace, t.db, { ...ALL, ...query })).data;

const rank = (result: RecordStatus) => RECORD_STATUSES.indexOf(result);

const evidence = (server: string) => [
  { server, address: '192.0.2.1', at: '2026-11-21T09:00:00.000Z', answer: 'NOERROR', records: [] },
];

const historyOf = async (uuid: string, filters: Record<string, string>) =>
  must(await getDomainHistory(t.workspace, t.db, uuid, { ...ALL, filters })).data.map(
    ({ started_at, ended_at, result }) => `${result} ${started_at.slice(11, 16)}-${ended_at.slice(11, 16)}`,
  );

describe('changes of all domains', () => {
  test('are those that the spans of the domains show, newest first', async () => {
    const { data } = await reports({});
    const expected: string[] = [];
    for (const { domain } of data) {
      const spans = must(await getDomainHistory(t.workspace, t.db, domain.uuid, ALL)).data.toReversed();
      for (const [at, span] of spans.entries()) {
        const before = spans.slice(0, at).findLast((one) => one.subject === span.subject && one.result !== 'unknown');
        const isSame =
          before && ['result', 'code', 'turn', 'cause'].every((key) => before[key as 'code'] === span[key as 'code']);
        if (before !== undefined && span.result !== 'unknown' && !isSame)
          expected.push(
            [
              domain.name,
              span.subject,
              before.ended_at,
              span.started_at,
              before.code,
              before.result,
              span.code,
              span.result,
            ].join(' '),
          );
      }
    }
    expect(expected.length).toBeGreaterThan(20);
    const all = await changes();
    for (const change of all) expect(DomainChange.parse(change)).toEqual(change);
    const listed = all.map(({ domain, subject, between, before, after }) =>
      [domain.name, subject, between.from, between.to, before.code, before.result, after.code, after.result].join(' '),
    );
    expect(listed.toSorted()).toEqual(expected.toSorted());
    const times = all.map(({ between }) => between.to);
    expect(times).toEqual(times.toSorted().toReversed());
    const oldest = await changes({ sorting: [{ id: 'changed_at', desc: false }] });
    expect(oldest).toEqual(all.toReversed());
  });

  test.each(['worse', 'better'])('%s are those to a lower or higher result', async (direction) => {
    const isWanted = ({ before, after }: DomainChange) =>
      direction === 'worse' ? rank(after.result) < rank(before.result) : rank(after.result) > rank(before.result);
    expect(await changes({ filters: { direction } })).toEqual((await changes()).filter(isWanted));
  });

  test('are found by name, result, who must act, and time', async () => {
    const all = await changes();
    const time = must(all[Math.floor(all.length / 2)]).between.to;
    expect(await changes({ search: 'mail' })).toEqual(all.filter(({ domain }) => domain.name.includes('mail')));
    expect(await changes({ filters: { result: 'fail' } })).toEqual(all.filter(({ after }) => after.result === 'fail'));
    expect(await changes({ filters: { turn: 'owner' } })).toEqual(all.filter(({ turn }) => turn === 'owner'));
    expect(await changes({ filters: { from: time } })).toEqual(all.filter(({ between }) => between.to >= time));
    expect(await changes({ filters: { to: time } })).toEqual(all.filter(({ between }) => between.to < time));
    expect(changesOf.list.sortable).toEqual(['changed_at']);
  });
});

describe('one domain', () => {
  const name = 'one.example';
  const record = recordOf(name);
  let uuid: string;
  beforeAll(async () => {
    uuid = await importDomain(t.workspace, t.db, { name, dns: [record] }, NOW);
    const look = (minutes: number, result: RecordStatus, diagnosis: string) =>
      putVerdicts(
        t.workspace,
        t.db,
        uuid,
        [recordLine(record, { result, diagnosis, evidence: evidence(diagnosis), until: null })],
        NOW + minutes * 60_000,
        HOUR,
      );
    await look(0, 'ok', 'first');
    await look(10, 'ok', 'second');
    await look(20, 'fail', 'third');
    await look(30, 'fail', 'fourth');
  });

  test('has a report with the newest words and the evidence of the first look', async () => {
    expect(await getDomainReport(t.workspace, t.db, uuid.toUpperCase())).toMatchObject({
      state: 'failing',
      checked_at: '2026-11-21T09:30:00.000Z',
      changed_at: '2026-11-21T09:20:00.000Z',
      // A tenth of the time for which the record fails is less than five minutes.
      next_check_at: '2026-11-21T09:35:00.000Z',
      verdicts: [
        {
          subject: 'TXT one.example',
          index: 0,
          result: 'fail',
          since: '2026-11-21T09:20:00.000Z',
          checked_at: '2026-11-21T09:30:00.000Z',
          before: { result: 'ok', checked_at: '2026-11-21T09:10:00.000Z' },
          finding: { diagnosis: 'fourth', evidence: [{ server: 'third' }] },
        },
      ],
    });
    expect(await getDomainReport(t.otherWorkspace, t.db, uuid)).toBeNull();
  });

  test('says what each receiver does with its mail, and that nobody knows before the first check', async () => {
    const spf = { type: 'TXT', name: 'spf.example', value: 'v=spf1 -all', is_valid: false };
    const added = await importDomain(t.workspace, t.db, { name: 'spf.example', dns: [spf] }, NOW);
    const receivers = async () => must(await getDomainReport(t.workspace, t.db, added)).receivers;
    expect(await receivers()).toMatchObject({ gmail: 'unknown', gmx: 'unknown' });
    await putVerdicts(t.workspace, t.db, added, [recordLine(spf, { result: 'fail', code: 'SPF_MISSING' })], NOW, HOUR);
    expect(await receivers()).toMatchObject({ gmail: 'refuses' });
  });

  test('has a history of spans, of a period too', async () => {
    expect(await historyOf(uuid, {})).toEqual(['fail 09:20-09:30', 'ok 09:00-09:10']);
    expect(await historyOf(uuid, { subject: 'TXT one.example', to: '2026-11-21T09:20:00.000Z' })).toEqual([
      'ok 09:00-09:10',
    ]);
    expect(await historyOf(uuid, { from: '2026-11-21T09:10:00.001Z' })).toEqual(['fail 09:20-09:30']);
    expect(await historyOf(uuid, { subject: 'dmarc' })).toEqual([]);
  });

  test('is said to send in bulk, or not, once in the log', async () => {
    const set = (sends_bulk: boolean) => updateDomain(t.workspace, t.db, uuid, { sends_bulk }, COMMAND, NOW);
    const lines = () =>
      t.db.read(t.workspace, (scope) =>
        scope.select('changes').select('action').where('action', '=', 'domain_update').execute(),
      );
    expect(await set(true)).toMatchObject({ sends_bulk: true });
    expect(await lines()).toHaveLength(0);
    expect(await set(false)).toMatchObject({ sends_bulk: false });
    expect(await lines()).toHaveLength(1);
    expect(await getDomainReport(t.workspace, t.db, uuid)).toMatchObject({ sends_bulk: false });
  });
});

test('an export has each span as the history of its domain has it', async () => {
  const lines = await t.db.read(t.workspace, async (scope) => (await Array.fromAsync(exportSpans(scope))).flat());
  const { data } = await reports({});
  const expected = [];
  for (const { domain } of data) {
    const spans = must(await getDomainHistory(t.workspace, t.db, domain.uuid, ALL)).data;
    for (const span of spans) {
      expected.push(JSON.stringify({ domain: { uuid: domain.uuid, name: domain.name }, ...span }));
    }
  }
  expect(lines.toSorted()).toEqual(expected.toSorted());
  expect(lines.length).toBeGreaterThan(100);
});
