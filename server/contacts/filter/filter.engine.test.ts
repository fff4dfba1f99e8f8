import * as fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { Contact } from '#contract/contact.ts';
import type { Sort } from '#contract/list.ts';
import { verifyWorkspace } from '../../cli/admin/verify.ts';
import { COMMAND } from '../../database/changeLog/author.ts';
import { eraseContact } from '../../privacy/erase.ts';
import { createWorkspace } from '../../workspaces/store.ts';
import { CALLER, ENGINE, NOW, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { ALL, compareRows } from '../../testing/testList.ts';
import { addIndex, removeIndex } from '../attributeIndex/manageIndexes.ts';
import { listEventNames } from '../events/eventNames.ts';
import { putEvents } from '../events/putEvents.ts';
import { listContacts } from '../listContacts.ts';
import { putContacts, unsubscribeContact, updateContact } from '../store.ts';

// Random histories, and random filters against a model that knows contacts as objects.

const RUNS = Number(process.env.FILTER_RUNS ?? (ENGINE === 'sqlite' ? 60 : 15));

const DAY = 86_400_000;
/** Of the test. */
let t: TestDatabase;
let now = NOW;

/** A contact as the model has it. */
type Modelled = Contact & {
  reason: string | null;
  origin: string | null;
  since: number | null;
  run?: string | null;
  events: { name: string; at: number }[];
};
const model = new Map<string, Modelled>();

/** What each value is, for the model: written down by hand, not by the code under test. */
const VALUES = [
  { value: 'Enterprise', text: 'enterprise' },
  { value: 'enterprise', text: 'enterprise' },
  { value: 'Größe Ø', text: 'grosse o' },
  { value: ' 10 ', text: '10', number: 10 },
  { value: 10, text: '10', number: 10 },
  { value: -2.5, text: '-2.5', number: -2.5 },
  { value: '9', text: '9', number: 9 },
  { value: 1e-7, text: '1e-7', number: 1e-7 },
  { value: '1e3', text: '1e3' },
  { value: 0, text: '0', number: 0 },
  { value: '', text: '' },
  { value: '100%_', text: '100%_' },
  { value: `o"n'eil`, text: `o"n'eil` },
  { value: true, text: 'true' },
  { value: '2026-01-31', text: '2026-01-31', date: Date.UTC(2026, 0, 31) },
  { value: '2026-02-01T08:30:00Z', text: '2026-02-01t08:30:00z', date: Date.UTC(2026, 1, 1, 8, 30) },
  { value: '2026-02-30', text: '2026-02-30' },
  { value: ['Enterprise'], text: null },
  { value: { plan: 'Enterprise' }, text: null },
] as const satisfies { value: unknown; text: string | null; number?: number; date?: number }[];
type Known = { value: unknown; text: string | null; number?: number; date?: number };
const known = (value: unknown): Known | undefined =>
  (VALUES as readonly Known[]).find((one) => JSON.stringify(one.value) === JSON.stringify(value));

const NAMES = ['plan', 'seats', 'a:b "c"', 'constructor', 'Plan'];
const EVENTS = ['bounced', 'Bounced', 'mail opened'];
const BULK_RUNS = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;

type Filter = { text: string; holds: (contact: Modelled) => boolean };

const OPERATORS = {
  '<': (one: number, other: number) => one < other,
  '<=': (one: number, other: number) => one <= other,
  '>': (one: number, other: number) => one > other,
  '>=': (one: number, other: number) => one >= other,
} as const;
type Operator = keyof typeof OPERATORS;
const operator = fc.constantFrom<Operator[]>('<', '<=', '>', '>=');
const name = fc.constantFrom(...NAMES);
const written = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Spans of time as they are written. */
const SPANS = {
  year2026: [Date.UTC(2026, 0), Date.UTC(2027, 0)],
  '2026-01': [Date.UTC(2026, 0), Date.UTC(2026, 1)],
  '2026-02': [Date.UTC(2026, 1), Date.UTC(2026, 2)],
  '2026-11-20': [Date.UTC(2026, 10, 20), Date.UTC(2026, 10, 21)],
  '2026-11-21': [Date.UTC(2026, 10, 21), Date.UTC(2026, 10, 22)],
  '2026-02-01': [Date.UTC(2026, 1, 1), Date.UTC(2026, 1, 2)],
} as const;
const months = fc.constantFrom<(keyof typeof SPANS)[]>('2026-01', '2026-02', '2026-02-01', '2026-11-20');
const span = fc.constantFrom(...(Object.keys(SPANS) as (keyof typeof SPANS)[]));

function isIn(time: number, operator: Operator | '', text: keyof typeof SPANS): boolean {
  const [start, end] = SPANS[text];
  const place = time < start ? -1 : time < end ? 0 : 1;
  if (operator === '') return place === 0;
  return { '<': place < 0, '<=': place <= 0, '>': place > 0, '>=': place >= 0 }[operator];
}

const term: fc.Arbitrary<Filter> = fc.oneof(
  fc.constant({ text: 'subscribed', holds: ({ subscribed }: Modelled) => subscribed }),
  fc
    .tuple(name, fc.constantFrom(...VALUES.filter(({ text }) => text !== null)))
    .map(([attribute, { text }]): Filter => ({
      text: `${written(attribute)}:${written(String(text).toUpperCase())}`,
      holds: ({ attributes }) => known(attributes[attribute])?.text === text && Object.hasOwn(attributes, attribute),
    })),
  fc.tuple(name, operator, fc.constantFrom('10', '-2.5', '0', '9.5')).map(([attribute, sign, text]): Filter => ({
    text: `${written(attribute)}:${sign}${text}`,
    holds: ({ attributes }) => {
      const number = Object.hasOwn(attributes, attribute) ? known(attributes[attribute])?.number : undefined;
      return number !== undefined && OPERATORS[sign](number, Number(text));
    },
  })),
  fc.tuple(name, operator, months).map(([attribute, sign, text]): Filter => ({
    text: `${written(attribute)}:${sign}${text}`,
    holds: ({ attributes }) => {
      const date = Object.hasOwn(attributes, attribute) ? known(attributes[attribute])?.date : undefined;
      return date !== undefined && isIn(date, sign, text);
    },
  })),
  fc
    .tuple(fc.constantFrom('created', 'updated'), fc.constantFrom<(Operator | '')[]>('', '<', '<=', '>', '>='), span)
    .map(([column, sign, text]): Filter => ({
      text: `${column}:${sign}${text.replace('year', '')}`,
      holds: (contact) => isIn(Date.parse(contact[`${column}_at` as 'created_at']), sign, text),
    })),
  fc.tuple(fc.constantFrom<(Operator | '')[]>('', '<', '<=', '>', '>='), span).map(([sign, text]): Filter => ({
    text: `since:${sign}${text.replace('year', '')}`,
    holds: ({ subscribed, since }) => !subscribed && since !== null && isIn(since, sign, text),
  })),
  fc.constantFrom('complaint', 'bounce', 'unknown').map((word) => ({
    text: `reason:${word}`,
    holds: ({ subscribed, reason }: Modelled) => !subscribed && (reason ?? 'unknown') === word,
  })),
  fc.constantFrom('program', 'import').map((word) => ({
    text: `origin:${word}`,
    holds: ({ subscribed, origin }: Modelled) => !subscribed && origin === word,
  })),
  fc.constantFrom(...BULK_RUNS).map((uuid) => ({
    text: `run:${uuid}`,
    holds: ({ subscribed, run }: Modelled) => !subscribed && run === uuid,
  })),
  fc.tuple(fc.constantFrom(...EVENTS), fc.constantFrom(null, 1, 30)).map(([event, days]): Filter => ({
    text: `event:${written(event)}${days === null ? '' : ` within ${days}d`}`,
    holds: ({ events }) => events.some((one) => one.name === event && (days === null || one.at >= now - days * DAY)),
  })),
);
const signed = fc.tuple(term, fc.boolean()).map(([{ text, holds }, isNegated]): Filter => ({
  text: isNegated ? `-${text}` : text,
  holds: (contact) => holds(contact) !== isNegated,
}));
const filter = fc.array(signed, { minLength: 1, maxLength: 3 });

const value = fc.option(fc.constantFrom(...VALUES.map((one) => one.value)), { freq: 3 });
const attributes = fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: true });
type Step = () => Promise<unknown>;
const at = fc.nat();
const some = (place: number): Modelled | undefined => [...model.values()][place % Math.max(1, model.size)];

/** How the model merges. */
function merge(contact: Modelled, changes: Record<string, unknown>): void {
  const before = JSON.stringify(contact.attributes);
  for (const [key, one] of Object.entries(changes)) {
    if (one === null) delete contact.attributes[key];
    else contact.attributes[key] = one;
  }
  if (!isDeepStrictEqual(JSON.parse(before), contact.attributes)) touch(contact);
}
function touch(contact: Modelled): void {
  contact.updated_at = new Date(Math.max(now, Date.parse(contact.updated_at) + 1)).toISOString();
}

const imported = fc.record({
  uuid: fc.uuid(),
  subscribed: fc.boolean(),
  created_at: fc.constantFrom(NOW, NOW - DAY, NOW - 300 * DAY, Date.UTC(2026, 1, 1)),
  attributes,
  first_name: fc.constantFrom('Ada', 'Grace'),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(imported, { minLength: 1, maxLength: 12 }).map((contacts): Step => async () => {
      const rows = contacts.map(({ first_name, ...row }) => ({
        ...row,
        attributes: { ...row.attributes, first_name },
      }));
      const outcomes = await t.db.write(t.workspace, (scope) => putContacts(scope, rows, now));
      for (const [index, { uuid, subscribed, created_at, attributes: given }] of rows.entries()) {
        if (outcomes[index] !== 'added') continue;
        const time = new Date(created_at).toISOString();
        const own = Object.fromEntries(Object.entries(given).filter(([, one]) => one !== null));
        const why = { reason: null, origin: subscribed ? null : 'import', since: now, events: [] };
        model.set(uuid, { uuid, subscribed, attributes: own, created_at: time, updated_at: time, ...why });
      }
    }),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(at, attributes).map(([place, changes]): Step => async () => {
      const contact = some(place);
      if (contact === undefined) return;
      await updateContact(t.workspace, t.db, contact.uuid, changes, CALLER, now);
      merge(contact, changes);
    }),
  },
  // The same contact twice in one import.
  {
    weight: 1,
    arbitrary: fc.tuple(at, attributes, attributes).map(([place, first, second]): Step => async () => {
      const contact = some(place);
      if (contact === undefined) return;
      const rows = [first, second].map((changes) => ({ uuid: contact.uuid, attributes: changes }));
      await t.db.write(t.workspace, (scope) => putContacts(scope, rows, now));
      for (const changes of [first, second]) merge(contact, changes);
    }),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        at,
        fc.constantFrom<('complaint' | 'bounce' | null)[]>('complaint', 'bounce', null),
        fc.constantFrom(null, ...BULK_RUNS),
      )
      .map(([place, reason, run]): Step => async () => {
        const contact = some(place);
        if (contact?.subscribed !== true) return;
        await unsubscribeContact(t.workspace, t.db, contact.uuid, { ...CALLER, run }, now, { reason });
        Object.assign(contact, { subscribed: false, reason, origin: 'program', since: now, run });
        touch(contact);
      }),
  },
  {
    weight: 1,
    arbitrary: at.map((place): Step => async () => {
      const contact = some(place);
      if (contact === undefined) return;
      await eraseContact(t.workspace, t.db, contact.uuid, { identity: null }, COMMAND, now);
      model.delete(contact.uuid);
    }),
  },
  {
    weight: 3,
    arbitrary: fc
      .array(fc.tuple(at, fc.constantFrom(...EVENTS), fc.constantFrom(0, DAY, DAY + 1, 29 * DAY, 90 * DAY)), {
        maxLength: 8,
      })
      .map((events): Step => async () => {
        for (const [place, event_name, age] of events) {
          const contact = some(place);
          if (contact === undefined) continue;
          const row = { contact: contact.uuid, event_name, attributes: {}, created_at: now - age };
          await t.db.write(t.workspace, (scope) => putEvents(scope, [row], now));
          contact.events.push({ name: event_name, at: now - age });
        }
      }),
  },
  {
    weight: 2,
    arbitrary: name.map(
      (attribute): Step =>
        () =>
          addIndex(t.workspace, t.db, attribute, () => {}),
    ),
  },
  {
    weight: 1,
    arbitrary: name.map(
      (attribute): Step =>
        () =>
          removeIndex(t.workspace, t.db, attribute, () => {}),
    ),
  },
);

type List = { filter: Filter[]; search: string; sorting: Sort[]; per_page: number; subscribed: boolean | undefined };
const list = fc.record({
  filter,
  search: fc.constantFrom('', '', 'ada', 'a'),
  sorting: fc.constantFrom<Sort[][]>([], [{ id: 'updated_at', desc: false }], [{ id: 'subscribed', desc: true }]),
  per_page: fc.integer({ min: 2, max: 9 }),
  subscribed: fc.constantFrom(undefined, undefined, true),
});

async function compare({ filter: terms, search, sorting, per_page, subscribed }: List): Promise<void> {
  const expected = [...model.values()]
    .filter((contact) => terms.every(({ holds }) => holds(contact)))
    .filter((contact) => subscribed === undefined || contact.subscribed === subscribed)
    .filter(({ attributes: own }) => String(own['first_name']).toLowerCase().includes(search))
    .map((contact) => ({ ...contact, subscribed: Number(contact.subscribed) }))
    .toSorted(compareRows(sorting))
    .map(({ uuid }) => uuid);
  const text = terms.map((one) => one.text).join(' ');
  const filters = { filter: text, ...(subscribed !== undefined && { subscribed }) };
  for (let page = 1; page === 1 || (page - 1) * per_page < expected.length; page++) {
    const query = { ...ALL, page, per_page, search, sorting, filters };
    const { data, meta } = await listContacts(t.workspace, t.db, query, now);
    expect([meta.total, data.map(({ uuid }) => uuid)], `${text}, page ${page}`).toEqual([
      expected.length,
      expected.slice((page - 1) * per_page, page * per_page),
    ]);
  }
}

test(
  'filters list what a model lists, after any writes and with any indexes',
  async () => {
    await using own = await openTestDatabase();
    t = own;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 16 }),
        fc.array(list, { minLength: 4, maxLength: 8 }),
        async (steps, lists) => {
          model.clear();
          t = { ...own, workspace: await createWorkspace(own.db, { name: 'Own', identity_field: null }, NOW) };
          for (const [index, one] of steps.entries()) {
            now = NOW + index * 1000;
            await one();
          }
          for (const one of lists) await compare(one);
          const names = new Set([...model.values()].flatMap(({ events }) => events.map((event) => event.name)));
          expect(await listEventNames(t.workspace, t.db)).toEqual([...names].toSorted());
          expect(await verifyWorkspace(t.workspace, t.db)).toEqual([]);
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  30_000 + RUNS * 5_000,
);
