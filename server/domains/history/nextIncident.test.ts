import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyChecks, type IncidentEvent, modelIncidents } from '../../testing/modelIncidents.ts';
import { type Fault, nextDue, nextIncident, type Observation } from './nextIncident.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The machine, look by look. */
function run(checks: readonly Observation[]): IncidentEvent[] {
  let fault: Fault = { suspectSince: null, last: null };
  const openings: number[] = [];
  const events: IncidentEvent[] = [];
  for (const seen of checks) {
    const before: Fault = fault;
    const next = nextIncident(before, openings, seen);
    ({ fault } = next);
    const isOpening = fault.last !== null && fault.last.openedAt !== before.last?.openedAt;
    const isClosing = fault.last?.closedAt === seen.at;
    if (isOpening) openings.push(seen.at);
    if (next.told !== null) events.push([seen.at, next.told]);
    else if (isOpening) events.push([seen.at, 'silent opening']);
    else if (isClosing) events.push([seen.at, 'silent closing']);
  }
  return events;
}

test('incidents are those of a model that knows all checks', () => {
  fc.assert(
    fc.property(anyChecks, (all) => {
      expect(run(all)).toEqual(modelIncidents(all));
    }),
    { numRuns: 2000 },
  );
});

/** `F` failing, `G` gone at all servers, `E` failing after an acceptance, `R` right, `?` unclear, `A` accepted, each with its minute. */
function told(text: string): string[] {
  const verdicts = { F: 'failing', G: 'failing', E: 'failing', R: 'right', '?': 'unclear', A: 'accepted' } as const;
  const all = text.split(' ').map((word) => ({
    at: Number(word.slice(1)) * MINUTE,
    verdict: verdicts[word[0] as keyof typeof verdicts],
    isGone: word.startsWith('G'),
    isAcceptanceOver: word.startsWith('E'),
  }));
  return run(all).map(([at, what]) => `${at / MINUTE} ${what.replace('incident_', '')}`);
}

// Sentences of issue 32, section 3.
test.each([
  ['one failing check is no incident', 'F0 R10 F20 R30', []],
  ['two within ten minutes are none', 'F0 F9 R10', []],
  ['two that are ten minutes apart are', 'F0 F10', ['10 opened']],
  ['an unknown between them breaks it', 'F0 ?5 F10 F19', []],
  ['three minutes are enough where all servers agree', 'F0 G3', ['3 opened']],
  ['two are not', 'G0 G2', []],
  ['it closes after two right checks', 'F0 F10 R20 R29 R30', ['10 opened', '30 closed']],
  ['an unknown between them breaks that too', 'F0 F10 R20 ?25 R30 R40', ['10 opened', '40 closed']],
  ['a failing check between them does', 'F0 F10 R20 F25 R30 R40', ['10 opened', '40 closed']],
  ['an accepted fault is not told', 'F0 A10 A20 A30', []],
  ['until it is accepted no longer', 'A0 A10 F20 F30', ['30 opened']],
  ['and one that was told is told again then', 'F0 F10 A20 A30 E40 F50', ['10 opened', '40 opened']],
  [
    'the fourth opening in a day is unstable, and then silence',
    'F0 F10 R20 R30 F40 F50 R60 R70 F80 F90 R100 R110 F120 F130 R140 R150 F160 F170',
    [
      '10 opened',
      '30 closed',
      '50 opened',
      '70 closed',
      '90 opened',
      '110 closed',
      '130 unstable',
      '150 silent closing',
      '170 silent opening',
    ],
  ],
])('%s', (_, text, expected) => expect(told(text)).toEqual(expected));

const due = (suspectSince: number | null, at: number, isGone = false) =>
  nextDue({ suspectSince, last: null }, { at, isGone });
const dueOf = (last: Fault['last'], at: number) => nextDue({ suspectSince: null, last }, { at, isGone: false });

test('the next check is due when it can open or close', () => {
  expect(due(null, 0)).toBeNull();
  expect(due(0, 0)).toBe(10 * MINUTE);
  expect(due(0, 0, true)).toBe(3 * MINUTE);
  expect(due(0, 3 * MINUTE)).toBe(10 * MINUTE);
  const open = { failedAt: 0, openedAt: 10 * MINUTE, rightAt: null, closedAt: null, isUnstable: false };
  expect(dueOf(open, 10 * MINUTE)).toBe(15 * MINUTE);
  expect(dueOf(open, 10 * HOUR)).toBe(11 * HOUR);
  expect(dueOf({ ...open, rightAt: 20 * MINUTE }, 20 * MINUTE)).toBe(30 * MINUTE);
  expect(dueOf({ ...open, closedAt: HOUR }, HOUR)).toBeNull();
  expect(dueOf({ ...open, closedAt: HOUR, isUnstable: true }, HOUR)).toBe(DAY + 10 * MINUTE);
});
