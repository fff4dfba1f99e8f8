/**
 * "02:10:33 UTC", with the date when it is on another day than `now`. Both are milliseconds. The console finds this text in a
 * sentence by the `until` of its finding, to show it in the zone of the page (src/ui/format/sentenceTime.ts).
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
