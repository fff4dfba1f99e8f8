import type { Span } from '#contract/domains/domainHistory.ts';

/** The parts of a strip, the oldest first. A part that nobody looked at has no span. */
export type StripPart = {
  span: Span | null;
  /** What was found before, if that's known. */
  previous: Span | null;
  /** Of the strip's width, 0 to 1. */
  left: number;
  width: number;
};

/** What was found of one subject. */
export type Strip = { subject: string; kind: Span['kind']; parts: StripPart[]; changes: number };

const DAY = 86_400_000;
export const DAYS = 90;

/** A pause between two looks that is as usual, in milliseconds: it isn't drawn as a gap. */
const PAUSE = 2 * DAY;

const at = (time: string) => Date.parse(time);

/** The strips from `now - DAYS` to `now`, in milliseconds since the epoch, by subject in the order of `spans`. */
export function toStrips(spans: readonly Span[], now: number): Strip[] {
  const from = now - DAYS * DAY;
  const place = (time: number) => (Math.min(Math.max(time, from), now) - from) / (now - from);
  return [...Map.groupBy(spans, ({ subject }) => subject)].flatMap(([subject, own]): Strip[] => {
    const ordered = own.toSorted((one, other) => at(one.started_at) - at(other.started_at));
    const [first] = ordered;
    if (first === undefined) return [];
    const parts = ordered.flatMap((span, index): StripPart[] => {
      const next = ordered[index + 1];
      const ended = at(span.ended_at);
      const following = next === undefined ? now : at(next.started_at);
      const isGap = following - ended > PAUSE;
      // Nobody sees a usual pause: the change was at its end, as far as is known.
      const end = place(isGap || next === undefined ? ended : following);
      const start = place(at(span.started_at));
      const drawn = { span, previous: ordered[index - 1] ?? null, left: start, width: end - start };
      const gap = { span: null, previous: span, left: end, width: place(following) - end };
      return gap.width > 0 ? [drawn, gap] : [drawn];
    });
    const seen = place(at(first.started_at));
    const before = { span: null, previous: null, left: 0, width: seen };
    const changes = ordered.filter((span, index) => index > 0 && isChange(span, ordered[index - 1])).length;
    return [{ subject, kind: first.kind, parts: seen > 0 ? [before, ...parts] : parts, changes }];
  });
}

/** Looks far apart are two spans of the same. */
function isChange(span: Span, previous: Span | undefined | null): boolean {
  if (!previous) return false;
  const same = JSON.stringify([span.result, span.code, span.finding.found]);
  return same !== JSON.stringify([previous.result, previous.code, previous.finding.found]);
}

/** The index of the part with a span that is nearest to `place` (0 to 1); -1 without any. */
export function nearestPart(parts: readonly StripPart[], place: number): number {
  const distances = parts.map(({ span, left, width }) =>
    span === null ? Infinity : Math.max(left - place, place - (left + width), 0),
  );
  const least = Math.min(...distances);
  return least === Infinity ? -1 : distances.lastIndexOf(least);
}
