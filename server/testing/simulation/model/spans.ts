import type { Seen, StoredLook } from '../looks.ts';

const DAY = 24 * 60 * 60_000;
const HOURS_48 = 2 * DAY;

/** What a subject was found to be; `to` is null while it is. `before`: what was known before, if that was another. */
export type ModelSpan = {
  subject: string;
  seen: Seen;
  from: number;
  to: number | null;
  before: { seen: Seen; at: number } | null;
  isChange: boolean;
};

/** When a subject left the records of a domain: after so many looks. */
export type Departure = { left: string; looks: number };

/** Whether two looks say the same, in whatever words. */
const isSame = (one: Seen, other: Seen) =>
  one.result === other.result &&
  one.code === other.code &&
  one.turn === other.turn &&
  one.cause === other.cause &&
  one.found.join('\n') === other.found.join('\n');

/** The spans of each subject of a domain: unbroken rows of looks that say the same. */
export function modelSpans(looks: readonly StoredLook[], departures: readonly Departure[]): ModelSpan[] {
  const subjects = new Set(looks.flatMap(({ seen }) => [...seen.keys()]));
  return [...subjects].flatMap((subject) =>
    spansOf(
      subject,
      looks,
      departures.filter(({ left }) => left === subject),
    ),
  );
}

function spansOf(subject: string, looks: readonly StoredLook[], departures: readonly Departure[]): ModelSpan[] {
  const spans: ModelSpan[] = [];
  for (const [index, { at, seen }] of looks.entries()) {
    const now = seen.get(subject);
    const previous = looks[index - 1];
    const last = spans.at(-1);
    const isBroken =
      previous === undefined || at - previous.at > HOURS_48 || departures.some((one) => one.looks === index);
    if (last?.to === null && (isBroken || now === undefined || !isSame(last.seen, now))) last.to = previous?.at ?? null;
    if (now === undefined || last?.to === null) continue;
    // Decision 0038: twenty of a subject begin in a day; then the latest follows what is found.
    if (last !== undefined && spans.filter(({ from }) => from > at - DAY && from < at).length >= 20) {
      Object.assign(last, { seen: now, to: null });
      continue;
    }
    const known = spans.findLast((span) => span.seen.result !== 'unknown') ?? null;
    spans.push({
      subject,
      seen: now,
      from: at,
      to: null,
      before: known && { seen: known.seen, at: known.to ?? at },
      isChange: known !== null && now.result !== 'unknown' && !isSame(known.seen, now),
    });
  }
  const last = spans.at(-1);
  const end = looks.at(-1);
  if (last?.to === null && end !== undefined && departures.some((one) => one.looks === looks.length)) last.to = end.at;
  return spans;
}
