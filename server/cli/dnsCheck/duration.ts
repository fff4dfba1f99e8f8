const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const MAX = 24 * UNITS.h;

/** `500ms`, `2s`, `1.5m` or `1h` in milliseconds; null for anything else, and for more than a day. */
export function parseDuration(text: string): number | null {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const duration = Math.round(Number(number) * UNITS[unit as keyof typeof UNITS]);
  return duration > 0 && duration <= MAX ? duration : null;
}

/** The same the other way round, in whole seconds, rounded up. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / UNITS.s);
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  const named = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}${unit}`);
  return named.join(' ') || '0s';
}
