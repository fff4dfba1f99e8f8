/**
 * Formats a time in UTC: "02:10:33 UTC", with the date, "2026-11-23 02:10:33 UTC", when it is on another day than
 * `now`. Both are milliseconds since the epoch.
 */
export function formatUntil(until: number, now: number): string {
  const [day, time] = partsOf(until);
  const [today] = partsOf(now);
  return day === today ? `${time} UTC` : `${day} ${time} UTC`;
}

function partsOf(moment: number): [day: string, time: string] {
  const text = new Date(moment).toISOString();
  return [text.slice(0, -14), text.slice(-13, -5)];
}
