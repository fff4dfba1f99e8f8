import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  SUPPRESSION_ORIGINS,
  SUPPRESSION_REASONS,
  type SuppressionOrigin,
  type SuppressionReason,
  type Unsubscription,
} from '#contract/suppressions/suppression.ts';
import type { CheckedListQuery, Filters } from '#contract/list.ts';
import { UNKNOWN } from '#contract/suppressions/suppressedContacts.ts';
import { must } from '#contract/values/must.ts';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import { COMMAND } from '../database/changeLog/author.ts';
import type { Caller, Workspace } from '../database/workspace.ts';
import { eraseContact } from '../privacy/erase.ts';
import { liftErasure } from '../privacy/erasures.ts';
import { CALLER, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { ALL } from '../testing/testList.ts';
import { timestamp } from '../database/timestamp.ts';
import { createWorkspace } from '../workspaces/store.ts';
import { listSuppressions } from './listSuppressions.ts';
import type { ImportedSuppression } from './suppressions.ts';
import { createContact, putContacts, subscribeContact, unsubscribeContact, updateContact } from './store.ts';

// Any history of contacts, against a model that knows nothing of how it's stored. After each step, contacts and counts are the model's.

const RUNS = Number(process.env.SUPPRESSION_RUNS ?? 15);
vi.setConfig({ testTimeout: 60_000 + RUNS * 10_000 });

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());

const PROGRAM = CALLER satisfies Caller;
const PERSON = {
  person: { uuid: '00000000-0000-4000-8000-0000000000bb', name: 'Ada', email: 'ada@x.test', subject: 'ada' },
  requestId: '00000000-0000-4000-8000-0000000000cb',
  isSession: true,
} satisfies Caller;

/** Null while it's subscribed. */
type Model = {
  workspace: Workspace;
  now: number;
  /** The time of the last line of the log. */
  last: number;
  people: Map<string, Suppressed | null>;
};
type Suppressed = {
  reason: SuppressionReason | '';
  origin: SuppressionOrigin | '';
  actor: string;
  since: number;
  ticket: string | null;
  /** If an import unsubscribed it without a day: the time of the line that says it. */
  undated?: number | undefined;
  /** If it can have no line of a repeat: it has one, another reason since, or no line of an unsubscribe. */
  isRepeated?: true;
};

const emailOf = (name: string) => `${name}@x.test`;

/** A line is never of an earlier time than the one before. */
const lineTime = (model: Model) => (model.last = Math.max(model.now, model.last));

const actorOf = (caller: Caller) => ('token' in caller ? caller.token.uuid : caller.person.uuid);

function suppressed(model: Model, caller: Caller, said: Unsubscription = {}): Suppressed {
  const origin = 'token' in caller ? 'program' : 'support';
  const at = lineTime(model);
  return dated(at, {
    reason: said.reason ?? '',
    origin: said.origin ?? origin,
    actor: actorOf(caller),
    since: at,
    ticket: said.ticket ?? null,
  });
}

/** As the line at `at` says it. */
const dated = (at: number, is: Suppressed): Suppressed => ({
  ...is,
  undated: is.origin === 'import' && is.since === at ? at : undefined,
});

type Step = { about: string; run: (model: Model) => Promise<void> };

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const caller = fc.constantFrom<Caller>(PROGRAM, PERSON);
const said: fc.Arbitrary<Unsubscription> = fc.record(
  {
    reason: fc.constantFrom(null, ...SUPPRESSION_REASONS),
    ticket: fc.constantFrom(null, 'T-1', 'T-2'),
    origin: fc.constantFrom(...SUPPRESSION_ORIGINS),
  },
  { requiredKeys: [] },
);

/** Also in the future, as of a clock that's wrong. */
const importedWhy = fc.record<ImportedSuppression>(
  { reason: fc.constantFrom(null, ...SUPPRESSION_REASONS), since: fc.integer({ min: NOW - 99_999, max: NOW + 9_999 }) },
  { requiredKeys: [] },
);

const steps = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(name, caller, said).map(unsubscribes) },
  { weight: 2, arbitrary: fc.tuple(name, caller).map(subscribes) },
  { weight: 2, arbitrary: fc.tuple(name, fc.boolean(), caller).map(creates) },
  {
    weight: 2,
    arbitrary: fc
      .uniqueArray(fc.tuple(name, fc.boolean(), fc.option(importedWhy)), { minLength: 1, selector: ([of]) => of })
      .map(imports),
  },
  { weight: 1, arbitrary: fc.tuple(name, caller).map(updates) },
  { weight: 1, arbitrary: name.map(erases) },
  { weight: 1, arbitrary: fc.integer({ min: -9, max: 20 }).map((seconds) => waits(seconds * 1000)) },
);

function unsubscribes([of, by, why]: [string, Caller, Unsubscription]): Step {
  return {
    about: `unsubscribe ${of} ${JSON.stringify(why)}`,
    run: async (model) => {
      const found = await unsubscribeContact(model.workspace, t.db, emailOf(of), by, model.now, why);
      expect(found === null).toBe(!model.people.has(of));
      const before = model.people.get(of);
      if (before === null) model.people.set(of, suppressed(model, by, why));
      if (!before) return;
      if ((before.reason === '' && why.reason) || isReplaced(before, why)) {
        const after = suppressed(model, by, why);
        model.people.set(of, dated(after.since, { ...after, since: before.since, isRepeated: true }));
      } else repeats(model, of, before, by);
    },
  };
}

function repeats(model: Model, of: string, before: Suppressed, by: Caller) {
  if (!isKept(model, before, actorOf(by))) return;
  lineTime(model);
  model.people.set(of, { ...before, isRepeated: true });
}

/** Whether a repeat has a line: the first one has that is no retry. */
const isKept = ({ now }: Model, { actor, since, isRepeated }: Suppressed, by: string) =>
  !isRepeated && (actor !== by || now - since > 10_000);

const isReplaced = (before: Suppressed, why: { reason?: unknown } | null): boolean =>
  (why?.reason === 'legal' && before.reason !== 'legal') ||
  (why?.reason === 'complaint' && before.reason !== 'complaint' && before.reason !== 'legal');

function subscribes([of, by]: [string, Caller]): Step {
  return {
    about: `subscribe ${of}`,
    run: async (model) => {
      await subscribeContact(model.workspace, t.db, emailOf(of), 'They asked.', by, model.now);
      if (!model.people.get(of)) return;
      lineTime(model);
      model.people.set(of, null);
    },
  };
}

function creates([of, subscribed, by]: [string, boolean, Caller]): Step {
  return {
    about: `create or update ${of}, subscribed: ${subscribed}`,
    run: async (model) => {
      const contact = { subscribed, attributes: { email: emailOf(of) } };
      await createContact(model.workspace, t.db, contact, true, by, model.now);
      const before = model.people.get(of);
      if (before === undefined || (before === null && !subscribed)) {
        const is = suppressed(model, by);
        model.people.set(of, subscribed ? null : { ...is, ...(before === undefined && { isRepeated: true }) });
      }
    },
  };
}

function imports(rows: [string, boolean, ImportedSuppression | null][]): Step {
  return {
    about: `import ${JSON.stringify(rows)}`,
    run: async (model) => {
      const contacts = rows.map(([of, subscribed, suppression]) => ({
        subscribed,
        attributes: { email: emailOf(of) },
        created_at: NOW - 1000,
        ...(!subscribed && suppression !== null && { suppression }),
      }));
      await t.db.write(model.workspace, (scope) => putContacts(scope, contacts, model.now));
      for (const [of, subscribed, why] of rows) {
        const before = model.people.get(of);
        if (before === undefined && subscribed) model.people.set(of, null);
        if (subscribed) continue;
        const said = { reason: why?.reason ?? '', origin: 'import', actor: 'command', ticket: null } as const;
        if (before) {
          const after = { ...before, ...(why !== null && missingOf(model, before, why)) };
          if (isReplaced(before, why)) Object.assign(after, said);
          const at = JSON.stringify(after) === JSON.stringify(before) ? null : lineTime(model);
          model.people.set(of, at !== null && isReplaced(before, why) ? dated(at, after) : after);
          continue;
        }
        const at = lineTime(model);
        const since = Math.min(why?.since ?? at, at);
        model.people.set(of, { ...said, since, ...(since === at && { undated: at }) });
      }
    },
  };
}

/** What an import adds to somebody who is unsubscribed: a reason if nobody said one, and the day if an import left it out. */
function missingOf(model: Model, before: Suppressed, { reason, since }: ImportedSuppression): Partial<Suppressed> {
  const latest = before.undated ?? Math.max(model.now, model.last);
  const isDay = before.undated !== undefined && since !== undefined && since < latest;
  return {
    ...(reason && before.reason === '' && { reason }),
    ...(isDay && { since: Math.min(since, latest), undated: undefined }),
  };
}

function updates([of, by]: [string, Caller]): Step {
  return {
    about: `update ${of} with subscribed: false`,
    run: async (model) => {
      await updateContact(model.workspace, t.db, emailOf(of), {}, by, model.now, false);
      const before = model.people.get(of);
      if (before === null) model.people.set(of, suppressed(model, by));
      else if (before) repeats(model, of, before, by);
    },
  };
}

function erases(of: string): Step {
  return {
    about: `erase ${of}, and lift it`,
    run: async (model) => {
      const erased = await eraseContact(model.workspace, t.db, emailOf(of), { identity: null }, COMMAND, model.now);
      if (erased === null) return;
      model.people.delete(of);
      await liftErasure(model.workspace, t.db, { identity: emailOf(of), reason: 'A test' }, COMMAND, model.now);
      lineTime(model);
    },
  };
}

function waits(by: number): Step {
  return { about: `wait ${by} ms`, run: async (model) => void (model.now += by) };
}

async function stored({ workspace }: Model) {
  return t.db.read(workspace, async (scope) => {
    const rows = await scope
      .select('contacts')
      .select([
        'uuid',
        'email_key',
        'suppressed_at',
        'suppressed_by',
        'suppression_reason',
        'suppression_origin',
        'subscribed',
      ])
      .orderBy('email_key')
      .execute();
    const counts = await scope.select('suppression_counts').select(['reason', 'origin', 'actor', 'count']).execute();
    return {
      uuids: new Map(rows.map(({ email_key, uuid }) => [email_key, uuid])),
      people: rows.map((row) => [
        row.email_key,
        row.subscribed,
        row.suppressed_at,
        row.suppressed_by,
        row.suppression_reason,
        row.suppression_origin,
      ]),
      counts: counts.map(({ reason, origin, actor, count }) => `${reason} ${origin} ${actor} ${count}`).toSorted(),
    };
  });
}

function expected({ people }: Model) {
  const counts = new Map<string, number>();
  for (const is of people.values()) {
    if (is === null) continue;
    const key = `${is.reason} ${is.origin} ${is.actor}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return {
    people: [...people]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([of, is]) =>
        is === null ? [emailOf(of), 1, 0, '', '', ''] : [emailOf(of), 0, is.since, is.actor, is.reason, is.origin],
      ),
    counts: Array.from(counts, ([key, count]) => `${key} ${count}`).toSorted(),
  };
}

type Asked = { page: number; desc: boolean | null; filters: Readonly<Record<string, string | number>> };

const words = {
  reason: fc.constantFrom(...SUPPRESSION_REASONS, UNKNOWN),
  origin: fc.constantFrom(...SUPPRESSION_ORIGINS, UNKNOWN),
  actor: fc.constantFrom(PROGRAM.token.uuid.toUpperCase(), PERSON.person.uuid, 'command'),
};
const times = { from: fc.nat(9), to: fc.nat(9) };

const asked: fc.Arbitrary<Asked> = fc.record({
  page: fc.integer({ min: 1, max: 3 }),
  desc: fc.constantFrom(null, true, false),
  filters: fc.oneof(
    fc.record(words, { requiredKeys: [] }),
    fc.record(times, { requiredKeys: [] }),
    fc.record({ ...words, ...times }, { requiredKeys: [] }),
  ),
});

/** The query, with the time of an unsubscribe for each number. */
function toQuery({ people }: Model, { page, desc, filters }: Asked): CheckedListQuery {
  const known = [...people.values()].flatMap((is) => is?.since ?? []);
  const entries = Object.entries(filters).map(([name, value]) => {
    return [name, typeof value === 'number' ? timestamp(known[value % known.length] ?? NOW) : value];
  });
  const sorting = desc === null ? [] : [{ id: 'since', desc }];
  return { ...ALL, page, per_page: PER_PAGE, sorting, filters: Object.fromEntries(entries) as Filters };
}

const PER_PAGE = 2;

async function listed({ workspace }: Model, query: CheckedListQuery) {
  const { data, meta } = await listSuppressions(workspace, t.db, query);
  const rows = data.map(({ contact, since, reason, origin, ticket, actor }) => {
    return [contact.attributes['email'], since, reason, origin, ticket, actor.uuid ?? actor.kind];
  });
  return { rows, total: meta.total };
}

/** `uuids` of the contacts by email order those of the same time. */
function expectedList(
  { people }: Model,
  { page, sorting, filters }: CheckedListQuery,
  uuids: ReadonlyMap<string, string>,
) {
  const { reason, origin, actor, from, to } = filters as Record<string, string | undefined>;
  const isWanted = (is: Suppressed) =>
    (reason === undefined || (is.reason || UNKNOWN) === reason) &&
    (origin === undefined || (is.origin || UNKNOWN) === origin) &&
    (actor === undefined || is.actor === actor.toLowerCase()) &&
    (from === undefined || is.since >= Date.parse(from)) &&
    (to === undefined || is.since < Date.parse(to));
  const found = [...people].flatMap(([of, is]) =>
    is !== null && isWanted(is) ? [{ email: emailOf(of), uuid: must(uuids.get(emailOf(of))), ...is }] : [],
  );
  const sign = sorting[0]?.desc === false ? 1 : -1;
  found.sort((one, other) => sign * (one.since - other.since || (one.uuid < other.uuid ? -1 : 1)));
  const rows = found
    .slice((page - 1) * PER_PAGE, page * PER_PAGE)
    .map((is) => [is.email, timestamp(is.since), is.reason || null, is.origin || null, is.ticket, is.actor]);
  return { rows, total: found.length };
}

test('after any history, who is unsubscribed, how many and in which order is what a model of it is', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.tuple(steps, asked), { minLength: 5, maxLength: 30 }),
    async (history) => {
      const workspace = await createWorkspace(t.db, { name: 'Acme', identity_field: null }, NOW);
      const model: Model = { workspace, now: NOW, last: 0, people: new Map() };
      for (const [{ about, run }, query] of history) {
        await run(model);
        const { uuids, ...found } = await stored(model);
        expect(found, about).toEqual(expected(model));
        const all = { page: 1, desc: null, filters: {} };
        for (const wanted of [all, query].map((one) => toQuery(model, one))) {
          expect(await listed(model, wanted), about).toEqual(expectedList(model, wanted, uuids));
        }
      }
      expect(await verifyWorkspace(workspace, t.db)).toEqual([]);
    },
  );
  await fc.assert(property, { numRuns: RUNS });
});

test('of unsubscribes at the same time one counts, with what it said', async () => {
  const workspace = await createWorkspace(t.db, { name: 'Acme', identity_field: null }, NOW);
  await t.db.write(workspace, (scope) => putContacts(scope, [{ attributes: { email: 'a@x.test' } }], NOW));
  // A stronger one would replace what another said.
  const reasons = SUPPRESSION_REASONS.filter((reason) => reason !== 'complaint' && reason !== 'legal');
  const tickets = ['1', '2', '3', '4'];
  await Promise.all(
    tickets.map((ticket, at) =>
      unsubscribeContact(workspace, t.db, 'a@x.test', PROGRAM, NOW, { ticket, reason: must(reasons[at]) }),
    ),
  );
  const rows = await t.db.read(workspace, (scope) => scope.select('suppression_counts').selectAll().execute());
  expect(rows).toMatchObject([{ origin: 'program', actor: PROGRAM.token.uuid, count: 1 }]);
  const [line, ...others] = await t.db.read(workspace, (scope) =>
    scope.select('change_values').select('summary').execute(),
  );
  expect(others).toEqual([]);
  const { suppression } = JSON.parse(must(line).summary) as { suppression: { reason: string; ticket: string } };
  expect(suppression.reason).toBe(must(rows[0]).reason);
  expect(reasons.findIndex((reason) => reason === suppression.reason)).toBe(tickets.indexOf(suppression.ticket));
  expect(await verifyWorkspace(workspace, t.db)).toEqual([]);
});
