import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Rules } from '#contract/notifications.ts';
import { GATHERED_FOR, type IncidentMessage, planMessages } from './planMessages.ts';
import { wantsIncident } from './rules.ts';
import { recordTold, type Told } from './toldFaults.ts';

const SECOND = 1000;
const HOURS = 3600;

type Message = IncidentMessage;
type Line = string;

/** Each with its domain and kind. */
const FAULTS = { a: ['ab', 'broken'], b: ['ab', 'broken'], c: ['cd', 'broken'], d: ['cd', 'weak'] } as const;
type FaultName = keyof typeof FAULTS;
const NO_RULES: Rules = { incidents: [], contact_changes: false, digest: false, heartbeat: false };
const DESTINATIONS = [
  { uuid: 'all', rules: { ...NO_RULES, incidents: [{}] }, createdAt: 0 },
  { uuid: 'owner', rules: { ...NO_RULES, incidents: [{ turns: ['owner' as const] }] }, createdAt: 0 },
  { uuid: 'late', rules: { ...NO_RULES, incidents: [{}] }, createdAt: 300 * SECOND },
];

type Step = { fault: FaultName; what: string; cause: string | null; turn: 'owner' | 'dns_host'; after: number };

/** A story: what happens to faults, and when the job comes by. */
const anyStory = fc.array(
  fc.record({
    fault: fc.constantFrom(...(Object.keys(FAULTS) as FaultName[])),
    what: fc.constantFrom('open', 'open', 'open', 'close', 'close', 'unstable', 'accept', 'refuse', 'plan', 'plan'),
    cause: fc.constantFrom(null, 'x', 'x', 'y'),
    turn: fc.constantFrom('owner' as const, 'dns_host' as const),
    after: fc.constantFrom(0, 1, 20, 70, 2 * HOURS),
  }),
  { maxLength: 60 },
);

type World = { now: number; open: Map<string, string>; accepted: Set<string>; waiting: Message[] };

/** Walks through a story, and calls `plan` when the job comes by. */
function walk(story: readonly Step[], plan: (world: World) => string[]): void {
  const world: World = { now: 0, open: new Map(), accepted: new Set(), waiting: [] };
  let count = 0;
  const last = new Map<string, Message>();
  for (const { fault, what, cause, turn, after } of story) {
    world.now += after * SECOND;
    const [domain, kind] = FAULTS[fault];
    const facts = { domain: { name: `${domain}.example` }, kind, turn, severity: 'refuses' as const };
    const add = (kind: Message['kind'], incident: string, of: Pick<Message, 'cause' | 'facts'>) => {
      const message = {
        uuid: `m${count++}`,
        createdAt: world.now,
        kind,
        incident,
        fault,
        cause: of.cause,
        about: of.cause ?? domain,
        facts: of.facts,
      };
      last.set(fault, message);
      world.waiting.push(message);
    };
    const incident = world.open.get(fault);
    if (what === 'accept') world.accepted.add(fault);
    else if (what === 'refuse') world.accepted.delete(fault);
    else if (what === 'close' && incident !== undefined) {
      world.open.delete(fault);
      add('incident_closed', incident, last.get(fault) as Message);
    } else if ((what === 'open' || what === 'unstable') && incident === undefined) {
      world.open.set(fault, `i${count}`);
      add(what === 'open' ? 'incident_opened' : 'incident_unstable', `i${count}`, { cause, facts });
    } else if (what === 'plan') {
      const planned = new Set(plan(world));
      world.waiting = world.waiting.filter(({ uuid }) => !planned.has(uuid));
    }
  }
}
/** The sentences of docs/decisions/0039-notifications.md, with groups as lists of their faults. */
function modelOf(story: Step[]): Line[] {
  const lines: Line[] = [];
  type Group = { by: string; at: number; of: string; faults: string[] };
  const groups = new Map<string, Group[]>(DESTINATIONS.map(({ uuid }) => [uuid, []]));
  walk(story, ({ now, open, accepted, waiting }) => {
    // A message with a cause waits until the first of those with it is a minute old.
    const ready = waiting.filter(
      ({ cause }) => cause === null || waiting.some((one) => one.cause === cause && now - one.createdAt >= 60 * SECOND),
    );
    // Of one moment, what begins comes before what ends, and what is broken before what could be better.
    const due = [...Map.groupBy(ready, ({ createdAt: at }) => at).values()].flatMap((same) =>
      [false, true].flatMap((isEnd) =>
        ['broken', 'weak'].flatMap((kind) =>
          same.filter((one) => (one.kind === 'incident_closed') === isEnd && one.facts.kind === kind),
        ),
      ),
    );
    for (const { uuid: destination, rules, createdAt } of DESTINATIONS) {
      const own = groups.get(destination) as Group[];
      for (const { uuid, kind, fault, cause, facts, incident, createdAt: at } of due) {
        if (at < createdAt) continue;
        const line = (state: string, by: string | null) => lines.push(`${destination} ${uuid} ${state} ${by}`);
        const group = own.find(({ faults }) => faults.includes(fault));
        // Nobody is told what no rule asks for, but how something ends that was told.
        if (group === undefined && !wantsIncident(rules, facts)) continue;
        if (kind === 'incident_closed') {
          if (group === undefined) {
            line('dropped', null);
            continue;
          }
          group.faults = group.faults.filter((one) => one !== fault);
          // An accepted fault doesn't hold back the news that the others are over.
          line(group.faults.every((one) => accepted.has(one)) ? 'waiting' : 'joined', group.by);
          continue;
        }
        const isOver = ![...open.values()].includes(incident);
        if (accepted.has(fault) || (kind === 'incident_opened' && isOver)) {
          line('dropped', null);
          continue;
        }
        const [domain] = FAULTS[fault as FaultName];
        const of = `${kind} ${cause === null ? `domain ${domain}` : `cause ${cause}`}`;
        // A message speaks for two hours, and without a cause for one check.
        const lasting = cause === null ? 0 : 2 * HOURS * SECOND;
        const running = own.findLast(
          (one) =>
            one.of === of &&
            at - one.at <= lasting &&
            one.faults.some((other) => other !== fault && !accepted.has(other)),
        );
        if (group !== undefined) group.faults = group.faults.filter((one) => one !== fault);
        if (running === undefined) own.push({ by: uuid, at, of, faults: [fault] });
        else running.faults.push(fault);
        line(running === undefined ? 'waiting' : 'joined', running?.by ?? null);
      }
    }
    return due.map(({ uuid }) => uuid);
  });
  return lines;
}

/** The same by the planner, which knows of earlier times only what is stored. */
function plannedOf(story: Step[]): Line[] {
  const lines: Line[] = [];
  const told = new Map(DESTINATIONS.map(({ uuid }) => [uuid, new Map<string, Told>()]));
  const times = new Map<string, number>();
  walk(story, ({ now, open, accepted, waiting }) => {
    const destinations = DESTINATIONS.map((one) => ({ ...one, told: told.get(one.uuid) as Map<string, Told> }));
    const state = {
      isOver: (incident: string) => ![...open.values()].includes(incident),
      isAccepted: (fault: string) => accepted.has(fault),
    };
    const { deliveries, planned } = planMessages(waiting, destinations, state, now);
    for (const { destination, message, state: is, toldBy } of deliveries) {
      lines.push(`${destination} ${message} ${is} ${toldBy}`);
    }
    for (const one of waiting.filter(({ uuid }) => planned.includes(uuid))) times.set(one.uuid, one.createdAt);
    for (const uuid of planned) {
      const message = waiting.find((one) => one.uuid === uuid) as Message;
      for (const [destination, own] of told) {
        const delivery = deliveries.find((one) => one.message === uuid && one.destination === destination);
        const by = delivery?.toldBy ?? uuid;
        const isTold = delivery !== undefined && delivery.state !== 'dropped';
        recordTold(own, message, isTold ? { uuid: by, at: times.get(by) as number } : null);
      }
    }
    return planned;
  });
  return lines;
}

test('plans what a model with groups says', () => {
  fc.assert(
    fc.property(anyStory, (story) => {
      expect(plannedOf(story)).toEqual(modelOf(story));
    }),
    { numRuns: 2000 },
  );
});

const step = (what: string, fault: FaultName, cause: string | null = null, after = 1): Step => ({
  what,
  fault,
  cause,
  turn: 'dns_host',
  after,
});
/** For the destination that gets all. */
const toldOf = (story: Step[]) => plannedOf(story).filter((line) => line.startsWith('all '));

test('what has one cause is one message, and its end too', () => {
  const opened = (['a', 'b', 'c'] as const).map((fault) => step('open', fault, 'x'));
  const closed = (['b', 'a', 'c'] as const).map((fault) => step('close', fault));
  expect(toldOf([...opened, step('plan', 'a', null, 60), ...closed, step('plan', 'a', null, 60)])).toEqual([
    'all m0 waiting null',
    'all m1 joined m0',
    'all m2 joined m0',
    'all m3 joined m0',
    'all m4 joined m0',
    'all m5 waiting m0',
  ]);
});

test('what one check of a domain finds without a known cause is one message, and its end too', () => {
  const story = [
    step('open', 'a'),
    step('open', 'c', null, 0),
    step('open', 'b', null, 0),
    step('plan', 'a', null, 0),
    step('close', 'a'),
    step('close', 'b'),
    step('open', 'a'),
    step('plan', 'a', null, 0),
  ];
  expect(toldOf(story)).toEqual([
    'all m0 waiting null',
    'all m1 waiting null',
    'all m2 joined m0',
    'all m3 joined m0',
    'all m4 waiting m0',
    'all m5 waiting null',
  ]);
});

test('where one fault ends and another begins in the same check, its cause goes on', () => {
  const story = [
    step('open', 'a', 'x'),
    step('plan', 'a', null, 60),
    step('close', 'a'),
    step('open', 'b', 'x', 0),
    step('plan', 'a', null, 60),
    step('close', 'b'),
    step('plan', 'a', null, 60),
  ];
  expect(toldOf(story)).toEqual(['all m0 waiting null', 'all m2 joined m0', 'all m1 joined m0', 'all m3 waiting m0']);
});

test('what breaks by a cause more than two hours after its message is a message of its own, and so is its end', () => {
  const story = [
    step('open', 'a', 'x'),
    step('open', 'b', 'x', 2 * HOURS),
    step('open', 'c', 'x', 1),
    step('open', 'd', 'x', 30),
    step('plan', 'a', null, 60),
    step('close', 'b', null, 24 * HOURS),
    step('close', 'd', null),
    step('close', 'c', null),
    step('close', 'a', null),
    step('plan', 'a', null, 60),
  ];
  expect(toldOf(story)).toEqual([
    'all m0 waiting null',
    'all m1 joined m0',
    'all m2 waiting null',
    'all m3 joined m2',
    'all m4 joined m0',
    'all m5 joined m2',
    'all m6 waiting m2',
    'all m7 waiting m0',
  ]);
});

test('an accepted fault doesn’t hold back the end of the others', () => {
  const story = [
    step('open', 'a', 'x'),
    step('open', 'b', 'x'),
    step('plan', 'a', null, 60),
    step('accept', 'a'),
    step('close', 'b'),
    step('plan', 'a', null, 60),
  ];
  expect(toldOf(story)).toEqual(['all m0 waiting null', 'all m1 joined m0', 'all m2 waiting m0']);
});

test('an opening is dropped once it’s over, and “unstable” isn’t', () => {
  expect(toldOf([step('open', 'a'), step('close', 'a'), step('plan', 'a')])).toEqual([
    'all m0 dropped null',
    'all m1 dropped null',
  ]);
  expect(toldOf([step('unstable', 'a'), step('close', 'a'), step('plan', 'a')])).toEqual([
    'all m0 waiting null',
    'all m1 waiting m0',
  ]);
});

test('a message with a cause waits a minute for others, one without doesn’t', () => {
  expect(GATHERED_FOR).toBe(60 * SECOND);
  expect(toldOf([step('open', 'a', 'x'), step('plan', 'a', null, 59)])).toEqual([]);
  expect(toldOf([step('open', 'a'), step('plan', 'a', null, 0)])).toEqual(['all m0 waiting null']);
});
